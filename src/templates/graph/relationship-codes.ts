import type { NodeKind } from '../../model/table';

/**
 * Kinds of relationships that row hashes write as numbers: the number is the place in this list.
 * Stored hashes hold these numbers, so nothing may be added, removed or moved here. A kind that is
 * not in the list is written by its types.
 */
const NUMBERED: readonly string[] = [
  'IdpUser MEMBER_OF IdpGroup',
  'IdpGroup MEMBER_OF IdpGroup',
  'LocalUser MEMBER_OF LocalGroup',
  'LocalGroup MEMBER_OF LocalGroup',
  'LocalAgent MEMBER_OF LocalGroup',
  'Identity IDENTITY_OF LocalUser',
  'Identity IDENTITY_OF LocalGroup',
  'IdpUser OWNS ExternalEntity',
  'IdpGroup OWNS ExternalEntity',
  'IdpUser ASSIGNED_TO IdpApp',
  'IdpGroup ASSIGNED_TO IdpApp',
  'IdpUser ASSUMES_ROLE CloudRole',
  'IdpGroup ASSUMES_ROLE CloudRole',
  'IdpApp ASSUMES_ROLE CloudRole',
  'LocalUser HAS_CREDENTIAL AccessCredential',
  'LocalAgent HAS_CREDENTIAL AccessCredential',
  'LocalAgent USES_MODEL LocalModel',
  'LocalUser HOLDS Grant',
  'LocalUser HOLDS RoleAssignment',
  'LocalGroup HOLDS Grant',
  'LocalGroup HOLDS RoleAssignment',
  'LocalRole HOLDS Grant',
  'LocalRole HOLDS RoleAssignment',
  'LocalAgent HOLDS Grant',
  'LocalAgent HOLDS RoleAssignment',
  'AccessCredential HOLDS Grant',
  'AccessCredential HOLDS RoleAssignment',
  'Identity HOLDS Grant',
  'Identity HOLDS RoleAssignment',
  'Grant OF Permission',
  'RoleAssignment OF LocalRole',
  'Grant ON Application',
  'Grant ON Resource',
  'RoleAssignment ON Application',
  'RoleAssignment ON Resource',
  'LocalRole ALLOWS Permission',
  'LocalRole INCLUDES LocalRole',
  'Application CONTAINS Resource',
  'Resource CONTAINS Resource',
  'Resource CONNECTS_TO ExternalEntity',
  'Application OWNED_BY Identity',
  'LocalUser OWNED_BY Identity',
  'LocalGroup OWNED_BY Identity',
  'LocalRole OWNED_BY Identity',
  'LocalAgent OWNED_BY Identity',
  'LocalModel OWNED_BY Identity',
  'AccessCredential OWNED_BY Identity',
  'Resource OWNED_BY Identity',
  'IdpDomain FROM DataSource',
  'Application FROM DataSource',
  'IdpDomain TAGGED Tag',
  'IdpUser TAGGED Tag',
  'IdpGroup TAGGED Tag',
  'IdpApp TAGGED Tag',
  'Application TAGGED Tag',
  'LocalUser TAGGED Tag',
  'LocalGroup TAGGED Tag',
  'LocalRole TAGGED Tag',
  'LocalAgent TAGGED Tag',
  'LocalModel TAGGED Tag',
  'AccessCredential TAGGED Tag',
  'Resource TAGGED Tag',
];

const NUMBERS: ReadonlyMap<string, number> = new Map(NUMBERED.map((name, at) => [name, at]));

/**
 * How row hashes write a kind of relationship. Among the kinds that one kind of row states, each
 * has its own code.
 */
export const relationshipCode = (from: NodeKind, type: string, to: NodeKind): string =>
  String(NUMBERS.get(`${from.label} ${type} ${to.label}`) ?? `${from.label} ${type} ${to.label}`);
