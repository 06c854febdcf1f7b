import type { NodeKind } from '../../model/table';
import { IdpGroup } from '../../templates/identity-provider/groups';
import { IdpUser } from '../../templates/identity-provider/users';
import { type CatalogEntry, entry } from '../../graph/statements/catalog-entry';
import { seek, seekEntity, seekPrefix } from '../../graph/statements/seek';

const SCIM_KINDS: readonly NodeKind[] = [IdpUser, IdpGroup];

const IN_SOURCE = 'entity.data_source = $source';

/**
 * What is returned of a user or group: its properties, and the groups of which it is a direct
 * member.
 */
const RETURN_ENTITY = `RETURN properties(entity) AS properties,
  [(entity)-[:MEMBER_OF]->(group:IdpGroup) WHERE group.data_source = entity.data_source |
    [coalesce(group.identity, group.name), group.name]] AS groups`;

/** A data source and its provider, by the id of the data source only. */
export const SCIM_SOURCE = `MATCH (source:DataSource {key: $source})-[:FROM]->(provider:Provider)
RETURN properties(provider) AS provider, properties(source) AS source`;

/** Users or groups by their keys. */
export const SCIM_BY_KEYS = `UNWIND $keys[0] AS key
CALL (key) {
  ${seekEntity('entity', 'key')}
  RETURN entity
}
${RETURN_ENTITY}`;

/** Users or groups by their name, in any case. */
export const scimByName = (
  kind: NodeKind,
): string => `${seek('entity', kind, 'fold_name', '$name[0]')}
WHERE ${IN_SOURCE}
WITH entity
ORDER BY entity.key
${RETURN_ENTITY}`;

/** Users or groups that have an external id. */
export const SCIM_BY_EXTERNAL_ID = `${seekPrefix('entity')}
  AND entity.customprop_external_id = $external[0]
WITH entity
ORDER BY entity.key
${RETURN_ENTITY}`;

/** How many users or groups there are. `$prefix`: the start of the keys of users, or of groups. */
export const SCIM_COUNT = `${seekPrefix('entity')}
RETURN count(entity) AS total`;

/** A page of users or groups, by key. */
export const SCIM_PAGE = `${seekPrefix('entity')}
WITH entity
ORDER BY entity.key
SKIP $skip
LIMIT $most
${RETURN_ENTITY}`;

/** Users or groups after a key. */
export const SCIM_AFTER = `${seekPrefix('entity')}
  AND entity.key > $after[0]
WITH entity
ORDER BY entity.key
LIMIT $most
${RETURN_ENTITY}`;

/** The direct members of groups, by the keys of the groups. */
export const SCIM_MEMBERS = `UNWIND $keys[0] AS key
CALL (key) {
  ${seekEntity('group', 'key')}
  MATCH (group)<-[:MEMBER_OF]-(member:IdpUser|IdpGroup)
  WHERE member.data_source = group.data_source
  RETURN member
}
RETURN key, coalesce(member.identity, member.name) AS id, member.identity AS identity,
  member.name AS name, member:IdpUser AS is_user, member.key AS member
ORDER BY key, member`;

/** How many members groups have; Neo4j knows it without looking at them. */
export const SCIM_MEMBER_COUNTS = `UNWIND $keys[0] AS key
${seekEntity('group', 'key')}
RETURN key, COUNT { (group)<-[:MEMBER_OF]-() } AS members`;

/** Groups that wait for a member. */
export const SCIM_WAITING = `${seekPrefix('entity')}
  AND $member[0] IN entity.customprop_waiting_members
WITH entity
ORDER BY entity.key
${RETURN_ENTITY}`;

/** What SCIM reads. */
export const scimCatalog = (): readonly CatalogEntry[] => [
  entry('SCIM: a data source', SCIM_SOURCE),
  ...SCIM_KINDS.map((kind) => entry(`SCIM: ${kind.label} by name`, scimByName(kind))),
  entry('SCIM: users or groups by key', SCIM_BY_KEYS),
  entry('SCIM: users or groups by external id', SCIM_BY_EXTERNAL_ID),
  entry('SCIM: count of users or groups', SCIM_COUNT),
  entry('SCIM: a page of users or groups', SCIM_PAGE),
  entry('SCIM: users or groups after a key', SCIM_AFTER),
  entry('SCIM: members of groups', SCIM_MEMBERS),
  entry('SCIM: counts of members', SCIM_MEMBER_COUNTS),
  entry('SCIM: groups that wait for a member', SCIM_WAITING),
];
