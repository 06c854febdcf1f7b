import type { ItemState, Mark, RemediationState } from '../../reviews/reading/contract';
import { address, type Parameters, PATHS } from '../frame/address';

/** The page of a reviewer's own items of a review. */
export const reviewAddress = (id: string, parameters: Parameters = {}): string =>
  address(`${PATHS.reviews}/${encodeURIComponent(id)}`, parameters);

/** The page of some items, on which their reviewer decides; also where its form leads. */
export const decideAddress = (id: string, parameters: Parameters = {}): string =>
  address(`${PATHS.reviews}/${encodeURIComponent(id)}/decide`, parameters);

/** The page of how far a review is; also where its forms lead. */
export const progressAddress = (id: string): string =>
  `${PATHS.reviews}/${encodeURIComponent(id)}/progress`;

/** The plan of a draft; also where the form leads that opens it. */
export const planAddress = (id: string): string =>
  `${PATHS.reviews}/${encodeURIComponent(id)}/plan`;

/** The evidence of a review as a file. */
export const evidenceAddress = (id: string): string =>
  `${PATHS.reviews}/${encodeURIComponent(id)}/evidence`;

/** What a verification of a review finds. */
export const verifiedAddress = (id: string): string =>
  `${PATHS.reviews}/${encodeURIComponent(id)}/verified`;

/** Who held an item, once an erasure has removed the name. */
export const ERASED_HOLDER = 'somebody whose data were erased';

/** What a state of a revoke means to people. */
export const REMEDIATION_WORDS: Readonly<Record<RemediationState, string>> = {
  ordered: 'ordered, and not yet gone',
  blocked: 'the fact is gone, and the access is left',
  confirmed: 'confirmed by a push',
  excepted: 'excepted',
  came_back: 'came back',
  withdrawn: 'withdrawn',
};

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

/** The same to people who are not the reviewer, such as the owner of the review. */
export const OTHERS_MARK_WORDS: Readonly<Record<Mark, string>> = {
  ...MARK_WORDS,
  conflict: 'the reviewer gains by it too',
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
