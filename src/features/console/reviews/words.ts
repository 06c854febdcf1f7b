import { API_CODE_OF, API_CODES, type Failure } from '../../../problem';
import type { ItemState, Mark } from '../../reviews/reading/contract';
import { address, type Parameters, PATHS } from '../frame/address';

/** The page of a reviewer's own items of a review. */
export const reviewAddress = (id: string, parameters: Parameters = {}): string =>
  address(`${PATHS.reviews}/${encodeURIComponent(id)}`, parameters);

/** The page of some items, on which their reviewer decides; also where its form leads. */
export const decideAddress = (id: string, parameters: Parameters = {}): string =>
  address(`${PATHS.reviews}/${encodeURIComponent(id)}/decide`, parameters);

/** What a mark of an item means to people. */
export const MARK_WORDS: Readonly<Record<Mark, string>> = {
  privileged: 'privileged',
  new: 'new since the last review',
  changed: 'changed since the last review',
  inactive: 'inactive',
  nobodys: 'nobody’s',
  not_a_person: 'not a person',
  guest: 'guest',
  conflict: 'you gain by it too',
};

/** Marks that a reviewer should not pass over. */
export const BAD_MARKS: readonly Mark[] = ['privileged', 'inactive', 'nobodys', 'conflict'];

/** What a state of an item means to people. */
export const STATE_WORDS: Readonly<Record<ItemState, string>> = {
  pending: 'to decide',
  keep: 'kept',
  revoke: 'revoked',
  gone: 'gone before anybody decided',
  carried: 'carried over from the last review',
  excepted: 'excepted',
};

/** The failures that a page says in a sentence: those that another step can mend. */
const SAID: readonly Failure['_tag'][] = ['Invalid', 'PermissionDenied', 'Conflict', 'Exhausted'];

/** Whether a form says why it was refused, on the page that it came from. */
export const isSaid = ({ _tag }: Failure): boolean => SAID.includes(_tag);

/** The status of the answer that says a failure. */
export const statusOf = ({ _tag }: Failure): number => API_CODES[API_CODE_OF[_tag]].status;

const capital = (text: string): string => text.replace(/^\p{Ll}/u, (one) => one.toUpperCase());

/** Why something was refused, as a sentence. */
export const sentenceOf = (failure: Failure): string => {
  if (failure._tag !== 'Invalid' || failure.problems.length === 0) return failure.message;
  const said = failure.problems.map(({ pointer, message }) =>
    /^(is|has|names|must)\b/.test(message)
      ? `${capital(pointer.slice(1).replaceAll('_', ' '))} ${message}`
      : capital(message),
  );
  return `${said.join('; ')}.`;
};
