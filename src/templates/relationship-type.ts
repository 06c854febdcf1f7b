import { flag, type Properties, text } from '../model/table';

/** A type of relationship that rows state, whatever kinds it joins. */
export interface RelationshipType {
  readonly type: string;
  readonly doc: string;
  readonly properties: Properties;
  /** Properties that distinguish several relationships of this type between the same two nodes. */
  readonly distinguishedBy: readonly string[];
  /** Whether it may have `customprop_…` properties. */
  readonly custom: boolean;
}

const relationshipType = (
  type: string,
  doc: string,
  words: Partial<Omit<RelationshipType, 'type' | 'doc'>> = {},
): RelationshipType => ({
  type,
  doc,
  properties: {},
  distinguishedBy: [],
  custom: false,
  ...words,
});

/** Every type of stated relationship, in the order in which `cypher/model.md` shows them. */
export const types = {
  MEMBER_OF: relationshipType('MEMBER_OF', 'Direct membership.'),
  IDENTITY_OF: relationshipType('IDENTITY_OF', 'From `identities`.'),
  OWNS: relationshipType('OWNS', 'From `entities_owned`.'),
  ASSIGNED_TO: relationshipType('ASSIGNED_TO', 'From `app_assignments`.', {
    properties: {
      id: text('Id of the assignment.', 'title'),
      name: text('Its display name.', 'mention'),
    },
    distinguishedBy: ['id'],
    custom: true,
  }),
  ASSUMES_ROLE: relationshipType('ASSUMES_ROLE', 'From `assumed_role_arns`.'),
  HAS_CREDENTIAL: relationshipType('HAS_CREDENTIAL', 'From `access_creds`.'),
  USES_MODEL: relationshipType('USES_MODEL', 'From `models`.'),
  HOLDS: relationshipType('HOLDS', 'From the principal to what it holds.'),
  OF: relationshipType('OF', 'To the permission or role.'),
  ON: relationshipType('ON', 'To the scope.'),
  ALLOWS: relationshipType(
    'ALLOWS',
    'From `permissions` of a role, to each node of the permission.',
  ),
  INCLUDES: relationshipType('INCLUDES', 'From `roles`: roles that the role includes.'),
  CONTAINS: relationshipType(
    'CONTAINS',
    'From the application or resource that contains a resource.',
  ),
  CONNECTS_TO: relationshipType(
    'CONNECTS_TO',
    "From `connections`: the resource has that entity's access.",
  ),
  OWNED_BY: relationshipType('OWNED_BY', 'From `owners`.', {
    properties: {
      owner_type: text('Kind of owner.', 'mention'),
      primary: flag('Is the primary owner.'),
    },
    distinguishedBy: ['owner_type', 'primary'],
  }),
  MANAGED_BY: relationshipType('MANAGED_BY', 'From `managers`.'),
  IN_DEPARTMENT: relationshipType('IN_DEPARTMENT', 'From `department`.'),
  IN_COST_CENTER: relationshipType('IN_COST_CENTER', 'From `cost_center`.'),
  FROM: relationshipType('FROM', 'To the data source that pushed it.'),
  TAGGED: relationshipType('TAGGED', 'From `tags`; they accumulate (docs/rules.md: Tags).'),
} as const;
