/** What is remarkable about an item before anybody is its reviewer. A scope may name these. */
export const SCOPE_MARKS = [
  'privileged',
  'new',
  'changed',
  'inactive',
  'nobodys',
  'not_a_person',
  'guest',
] as const;

/** What is remarkable about an item (docs/rules.md: Access reviews). */
export const MARKS = [...SCOPE_MARKS, 'conflict'] as const;
export type Mark = (typeof MARKS)[number];

/** The states of a review. */
export const REVIEW_STATES = ['draft', 'open', 'closed', 'cancelled'] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** The states of an item. */
export const ITEM_STATES = ['pending', 'keep', 'revoke', 'gone', 'carried', 'excepted'] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/** The states of what must follow a revoke. */
export const REMEDIATION_STATES = [
  'ordered',
  'blocked',
  'confirmed',
  'excepted',
  'came_back',
  'withdrawn',
] as const;
export type RemediationState = (typeof REMEDIATION_STATES)[number];
