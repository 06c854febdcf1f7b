import { GAIN, GIVES, HOLDING, TARGETS } from '../../translate/questions/access-rules';
import {
  ADMINISTERING,
  heldOnScope,
  inOrder,
  kindOf,
  marksOf,
  named,
  namesOf,
  onlyOf,
  permissionNames,
  placed,
} from '../pieces';
import { type Question, topic } from '../saved-query';

const administrators: Question = {
  name: 'administrators-by-application',
  title: 'Administrators by application',
  question: 'Who can change how each application itself is set up?',
  parameters: [],
  rows: `One row for each application and principal with permissions of the canonical types ${ADMINISTERING.join(', ')} on the application itself.`,
  whole: 'it looks at all applications.',
  cypher: `MATCH (scope:Application)
${heldOnScope('scope')}
WITH scope, entitlements, target, ${onlyOf(ADMINISTERING)} AS permissions
WHERE target = scope AND size(permissions) > 0
UNWIND entitlements AS held
MATCH (holder)-[:HOLDS]->(held)
MATCH (who:IdpUser|LocalUser|LocalAgent|AccessCredential)-[:${GAIN}*0..]->(holder)
WITH target, who, collect(DISTINCT permissions) AS found
RETURN target.name AS application, ${named('who')} AS who, ${kindOf('who')} AS label,
  coalesce(who.application, who.domain) AS lives_in,
  ${marksOf('who')} AS marks,
  ${permissionNames('found')} AS permissions,
  who.key AS key
ORDER BY application, who, label, key`,
};

const unheld: Question = {
  name: 'roles-nobody-holds',
  title: 'Roles that nobody holds',
  question: 'Which roles does nobody hold, in no way?',
  parameters: [],
  rows: 'One row for each role that is not assigned, not included in one that is, and that no cloud role or connection acts as.',
  whole: 'it looks at all roles.',
  cypher: `MATCH (role:LocalRole)
WHERE NOT EXISTS { (role)<-[:INCLUDES*0..]-()<-[:OF]-(:RoleAssignment)<-[:HOLDS]-() }
  AND NOT EXISTS { (role)<-[:ACTS_AS]-() }
  AND NOT EXISTS { (role)<-[:RESOLVES_TO]-()<-[:CONNECTS_TO]-() }
RETURN role.application AS application, role.name AS role,
  ${namesOf('(role)<-[:INCLUDES]-(other)', 'other')} AS included_in,
  ${namesOf('(role)-[:OWNED_BY]->(owner)', 'owner')} AS owners,
  role.since AS since, role.key AS key
ORDER BY application, role, key`,
};

const almighty: Question = {
  name: 'roles-that-allow-everything',
  title: 'Roles that allow everything',
  question: 'Which roles allow to read, change, create and delete both data and metadata?',
  parameters: [],
  rows: 'One row for each role whose permissions, with those of roles included in it, have all eight canonical types of data and metadata; `holders` are those to whom it is assigned.',
  whole: 'it looks at all roles.',
  cypher: `MATCH (given:LocalRole)
${GIVES}
WITH given, [give IN gives | give.permission] AS permissions
WHERE all(type IN [verb IN ['Read', 'Write', 'Create', 'Delete'] | 'Data' + verb] + [verb IN ['Read', 'Write', 'Create', 'Delete'] | 'Metadata' + verb]
  WHERE any(permission IN permissions WHERE type IN permission.permission_type))
RETURN given.application AS application, given.name AS role,
  ${permissionNames('[permissions]')} AS permissions,
  COLLECT {
    MATCH (given)<-[:OF]-(held:RoleAssignment)<-[:HOLDS]-(holder)
    MATCH (held)-[:ON]->(scope)
    RETURN DISTINCT ${named('holder')} + ' on ' + ${placed('scope')} AS text ORDER BY text
  } AS holders,
  given.key AS key
ORDER BY application, role, key`,
};

const outsideRoles: Question = {
  name: 'grants-outside-roles',
  title: 'Grants outside roles',
  question: 'Which permissions are granted one by one, past the roles?',
  parameters: [],
  rows: 'One row for each grant that something other than a role holds.',
  whole: 'it looks at all grants.',
  cypher: `MATCH (held:Grant)<-[holds:HOLDS]-(holder)
WHERE NOT holder:LocalRole
RETURN held.application AS application, ${named('holder')} AS holder, ${kindOf('holder')} AS label,
  held.name AS permission,
  ${inOrder('reduce(types = [], list IN [(held)-[:OF]->(permission) | permission.permission_type] | types + list)')} AS permission_types,
  ${inOrder(`[(held)-[:ON]->(scope) | ${placed('scope')}]`)} AS on,
  holds.since AS since, held.key AS key
ORDER BY application, holder, permission, key`,
};

const unheldPermissions: Question = {
  name: 'permissions-nobody-has',
  title: 'Permissions that nobody has',
  question: 'Which permissions does nobody have on anything?',
  parameters: [],
  rows: 'One row for each permission of a data source that no grant or role assignment gives, or only where it does not hold.',
  whole:
    'it looks at all permissions and roles, and for each where it is held until it is found to give something.',
  cypher: `CALL () {
  MATCH (given:Permission|LocalRole)
  WHERE EXISTS { (given)<-[:OF]-() }
  ${GIVES.replaceAll('\n', '\n  ')}
  UNWIND gives AS each
  // Each permission or role once, until it is found to hold somewhere.
  WITH given, each.permission AS permission, [each] AS gives
  WHERE EXISTS {
    MATCH (given)<-[:OF]-(held:Entitlement)-[:ON]->(scope)
    ${TARGETS.replaceAll('\n', '\n    ')}
    WITH ${HOLDING.replaceAll('\n', '\n    ')} AS permissions
    WHERE size(permissions) > 0
    RETURN permissions
  }
  RETURN collect(DISTINCT permission) AS had
}
MATCH (permission:Permission)
WITH permission.data_source AS source, permission.name AS name, had, collect(permission) AS nodes
WHERE none(node IN nodes WHERE node IN had)
MATCH (data_source:DataSource {id: source})
RETURN data_source.provider AS provider, name AS permission,
  ${inOrder('head(nodes).permission_type')} AS permission_types,
  ${inOrder("reduce(names = [], node IN nodes | names + [(node)<-[:ALLOWS]-(role) | role.application + ': ' + role.name])")} AS roles
ORDER BY provider, permission`,
};

/** Roles, grants and permissions. */
export const roles = topic('roles', [
  administrators,
  unheld,
  almighty,
  outsideRoles,
  unheldPermissions,
]);
