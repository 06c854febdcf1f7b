import type { ItemState, Mark, RemediationState } from './words';

/** Who held an item, once an erasure has removed the name. */
export const ERASED_HOLDER = 'somebody whose data were erased';

/** A name with its provider, since two providers may call something alike. Shared nodes have none. */
export const nameFrom = (name: string, provider: string | null): string =>
  provider === null ? name : `${name}, from ${provider}`;

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

/** What a state of an item means to people. */
export const STATE_WORDS: Readonly<Record<ItemState, string>> = {
  pending: 'to decide',
  keep: 'kept',
  revoke: 'revoked',
  gone: 'gone before anybody decided',
  carried: 'carried over from the last review',
  excepted: 'excepted',
};
