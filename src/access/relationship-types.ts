/**
 * The relationships along which a principal gains access. They point from the one who gains to what
 * is gained.
 */
export const GAINED = [
  'MEMBER_OF',
  'KNOWN_AS',
  'IDENTITY_OF',
  'SOURCE_IDENTITY_OF',
  'HAS_ACCOUNT',
  'HAS_CREDENTIAL',
  'ASSIGNED_TO',
  'ASSUMES_ROLE',
  'ACTS_AS',
  'HOLDS',
  'OF',
  'INCLUDES',
] as const;

/** All relationships on which effective access depends. */
export const ACCESS_TYPES = [
  ...GAINED,
  'CONNECTS_TO',
  'RESOLVES_TO',
  'ALLOWS',
  'ON',
  'CONTAINS',
] as const;

/**
 * The relationships by which somebody is a member of something. A holder of an assignment of a role
 * is a member of the role too (docs/rules.md: Searches).
 */
export const MEMBERSHIPS = [
  'MEMBER_OF',
  'ASSIGNED_TO',
  'ASSUMES_ROLE',
  'ACTS_AS',
  'INCLUDES',
] as const;

/** The type of a relationship of effective access. */
export type AccessType = (typeof ACCESS_TYPES)[number];

/** The relationships from which reviewers follow, other than those of effective access. */
const REVIEW_TYPES = ['MANAGED_BY', 'OWNED_BY', 'OWNS', 'SYSTEM_resource_managers'] as const;

/** All relationships of the access graph. Records of commits have the places of the types. */
export const HELD_TYPES = [...ACCESS_TYPES, ...REVIEW_TYPES] as const;

/** The type of a relationship of the access graph. */
export type HeldType = (typeof HELD_TYPES)[number];

/**
 * The relationships that join a human's nodes. Each leads from the one who is known to what is
 * theirs.
 */
export const JOINS = ['HAS_ACCOUNT', 'SOURCE_IDENTITY_OF', 'KNOWN_AS', 'IDENTITY_OF'] as const;
