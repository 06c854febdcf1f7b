import { badField, type Failure } from '../../problem';

/** Whom a question is about (docs/rules.md: One human). */
export interface Subject {
  /** One principal, or several that must be one human's. */
  readonly ids: readonly string[];
  /** Whether the answer is for the human whose account the principal is, if that is certain. */
  readonly isPerson: boolean;
}

/** Only this principal, and nobody else. */
export const alone = (id: string): Subject => ({ ids: [id], isPerson: false });

/** Whether an answer may be for a human, and not only for the principal. */
export const mayBeHuman = ({ ids, isPerson }: Subject): boolean => isPerson || ids.length > 1;

/** One of several principals does not exist, or cannot be a human's. */
export const noPrincipal: Failure = {
  _tag: 'NotFound',
  message: 'There is no principal with one of these ids, or it cannot be a human.',
};

/** Several principals are not certainly one human's. */
export const notOne = badField(
  '/principal',
  'AMBIGUOUS_REFERENCE',
  'names several principals, and they are not certainly one human: name one of them',
);
