import type { Summary } from '../../contract/answers/questions/access';
import { badField, type Failure } from '../../problem';
import { JOINED } from '../statements/human-statements';
import type { Runner } from '../../neo4j/transaction';
import { Joins } from '../../access/joins';

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

/** Whom a question turned out to be about. */
export interface Meant {
  /** The key of the node whose access answers. It gains what all the human's accounts gain. */
  readonly principal: string;
  /** The other nodes of the human; `null` if the answer is for one principal. */
  readonly accounts: readonly Summary[] | null;
}

/** What is joined with some principals: those of them that exist, all nodes, and the joins. */
interface Joined {
  readonly asked: readonly string[];
  readonly nodes: readonly Summary[];
  readonly joins: readonly (readonly [from: string, to: string])[];
  readonly isCut: boolean;
}

/** Reads all that is joined with some principals. */
export const readJoins = async (tx: Runner, ids: readonly string[]): Promise<Joined> => {
  const { records } = await tx.run<{ [F in keyof Joined]: Joined[F] }>(JOINED, {
    principals: [...new Set(ids)],
  });
  const [record] = records;
  if (record === undefined) throw new Error('joins are one record');
  return record.toObject();
};

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

/** More is joined with a principal than the service looks at. */
export const tooManyJoined: Failure = {
  _tag: 'TooLarge',
  message: 'Too many users and accounts are joined with this principal. Ask without `person`.',
};

/**
 * Finds the human whom a question means. Gives the failure if several principals are not certainly
 * one human's. `keyOf` gives the key by which statements find a node.
 */
export const meantBy = async (
  tx: Runner,
  subject: Subject,
  keyOf: (key: string) => string,
): Promise<Meant | Failure> => {
  const [first = ''] = subject.ids;
  const single: Meant = { principal: keyOf(first), accounts: null };
  if (!mayBeHuman(subject)) return single;
  const ids = [...new Set(subject.ids)].map(keyOf);
  const { asked, nodes, joins: all, isCut } = await readJoins(tx, ids);
  if (asked.length < ids.length) return ids.length > 1 ? noPrincipal : single;
  if (isCut) return tooManyJoined;
  const joins = new Joins(nodes, all);
  const human = joins.humanOf(ids);
  if (human === null) return ids.length > 1 ? notOne : single;
  return { principal: human, accounts: joins.accountsOf(human) };
};

/** Whether a question about a human has no answer. */
export const isRefused = (meant: Meant | Failure): meant is Failure => '_tag' in meant;
