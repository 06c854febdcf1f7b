import { GAIN, GIVES, heldBy, HOLDING, TARGETS } from '../translate/questions/access-rules';
import { folded } from '../translate/clauses/fold';
import { labelOf, nameOf } from '../translate/clauses/summary';

/*
 * Pieces that several saved queries are made of. The rules of effective access (docs/rules.md: Effective access) are not among them: those stand once, in
 * `translate/access-rules.ts`, for the service as well.
 */

/** `$resource` → `target`, by indexes. */
export const FIND_RESOURCE = `CALL () {
  MATCH (target:Resource)
  WHERE target.key = $resource OR target.fold_path = ${folded('$resource')} OR target.fold_name = ${folded('$resource')}
  RETURN target
  UNION
  MATCH (target:Application)
  WHERE target.key = $resource OR target.fold_name = ${folded('$resource')}
  RETURN target
}`;

/** `$person` → `person`, by indexes. */
export const FIND_PERSON = `MATCH (person:IdpUser)
WHERE person.key = $person OR person.fold_id = ${folded('$person')}
  OR person.fold_name = ${folded('$person')} OR person.fold_email = ${folded('$person')}`;

/** `$group` → `group`, by indexes. */
export const FIND_GROUP = `CALL () {
  MATCH (group:IdpGroup)
  WHERE group.key = $group OR group.fold_id = ${folded('$group')} OR group.fold_name = ${folded('$group')}
  RETURN group
  UNION
  MATCH (group:LocalGroup)
  WHERE group.key = $group OR group.fold_id = ${folded('$group')} OR group.fold_other_id = ${folded('$group')}
    OR group.fold_name = ${folded('$group')}
  RETURN group
}`;

/** What several columns call a node. */
export const named = (node: string): string => nameOf(node).replace(", '')", ')');

/** Its own label. */
export const kindOf = labelOf;

/** How a resource or application is told: by its path where it has one. */
export const placed = (node: string): string => `coalesce(${node}.path, ${node}.name)`;

/** What is to be known of a principal: inactive ones keep their access (docs/rules.md: Effective access). */
export const marksOf = (node: string): string => `[mark IN [
    CASE WHEN ${node}.is_active = false OR ${node}.deactivated_at <= datetime() THEN 'inactive' END,
    CASE WHEN ${node}.is_guest THEN 'guest' END,
    CASE WHEN ${node}.identity_type = 'NONHUMAN' OR ${node}.user_type = 'service_account' THEN 'not human' END
  ] WHERE mark IS NOT NULL]`;

/** Changing data. */
export const WRITING = ['DataWrite', 'DataCreate', 'DataDelete'];
/** Changing how things are set up. */
export const ADMINISTERING = ['MetadataWrite', 'MetadataCreate', 'MetadataDelete'];

const listed = (texts: readonly string[]): string =>
  `[${texts.map((text) => `'${text}'`).join(', ')}]`;

/** Whether a list of canonical types has one of some. */
export const isAnyOf = (types: string, wanted: readonly string[]): string =>
  `any(type IN ${types} WHERE type IN ${listed(wanted)})`;

/** Keeps those of a list of permissions that are of some canonical types. */
export const onlyOf = (wanted: readonly string[]): string =>
  `[permission IN permissions WHERE ${isAnyOf('permission.permission_type', wanted)}]`;

const carried = (kept: readonly string[]): string => kept.map((name) => `${name}, `).join('');

/** `held` → each `target` on which it gives something, with the `permissions` there; the names in `kept` stay. */
export const givenBy = (...kept: readonly string[]): string => `MATCH (held)-[:OF]->(given)
MATCH (held)-[:ON]->(scope)
WITH DISTINCT ${carried(kept)}held, given, scope
${GIVES}
${TARGETS}
WITH ${carried(kept)}held, target,
  ${HOLDING} AS permissions
WHERE size(permissions) > 0`;

/** `start` → each `target` that it can reach, with its `permissions` there, a row for each thing `held`; the names in `kept` stay. */
export const reachedFrom = (
  start: string,
  ...kept: readonly string[]
): string => `// Everything that ${start} gains, and what is held there.
${heldBy(start)}
WITH DISTINCT ${carried(kept)}held
${givenBy(...kept)}`;

/**
 * The same of many starts: each holder once, and each permission or role once for each scope, whoever comes by it; a row for each permission or role
 * and scope. The names in `kept`, and none else, stay.
 */
export const reachedByMany = (
  start: string,
  ...kept: readonly string[]
): string => `// Everything that each ${start} gains, and what is held there: each thing once, whoever comes by it.
MATCH (${start})-[:${GAIN}*0..]->(holder)
WITH holder, collect(DISTINCT [${kept.join(', ')}]) AS seekers
MATCH (holder)-[:HOLDS]->(held:Entitlement)-[:OF]->(given)
MATCH (held)-[:ON]->(scope)
UNWIND seekers AS seeker
WITH given, scope, collect(DISTINCT seeker) AS seekers
WITH given, collect({scope: scope, seekers: seekers}) AS places
${GIVES}
UNWIND places AS place
WITH gives, place.scope AS scope, place.seekers AS seekers
${TARGETS}
WITH seekers, target,
  ${HOLDING} AS permissions
WHERE size(permissions) > 0
UNWIND seekers AS seeker
WITH ${kept.map((name, at) => `seeker[${at}] AS ${name}, `).join('')}target, permissions`;

/** `scope` → the `entitlements` that are held on it, and each `target` with the `permissions` that they give there. */
export const heldOnScope = (...kept: readonly string[]): string => {
  const others = carried(kept.filter((name) => name !== 'scope'));
  return `MATCH (scope)<-[:ON]-(held:Entitlement)-[:OF]->(given)
WITH ${others}scope, given, collect(DISTINCT held) AS entitlements
${GIVES}
${TARGETS}
WITH ${carried(kept)}entitlements, target,
  ${HOLDING} AS permissions
WHERE size(permissions) > 0`;
};

/** `target` → the `entitlements` that are held on it or on what contains it, and the `permissions` that they give on it. */
export const heldAbove = (
  ...kept: readonly string[]
): string => `// What is held on the target itself, or on anything that contains it: without a label, at which a plan might begin.
MATCH (scope)-[:CONTAINS*0..]->(target)
MATCH (scope)<-[:ON]-(held:Entitlement)-[:OF]->(given)
WITH ${carried(kept)}target, scope, given, collect(DISTINCT held) AS entitlements
${GIVES}
WITH ${carried(kept)}target, scope, entitlements,
  ${HOLDING} AS permissions
WHERE size(permissions) > 0`;

/** The distinct names of a list of lists of permissions, in order, as a column. */
export const permissionNames = (lists: string): string => `COLLECT {
    UNWIND ${lists} AS list
    UNWIND list AS permission
    WITH DISTINCT permission
    RETURN DISTINCT permission.name AS name ORDER BY name
  }`;

/** The distinct values of a list, in order, as a column. */
export const inOrder = (list: string): string => `COLLECT {
    UNWIND ${list} AS value
    RETURN DISTINCT value ORDER BY value
  }`;

/** The names of nodes of a pattern, in order, as a column. */
export const namesOf = (pattern: string, node: string): string => `COLLECT {
    MATCH ${pattern}
    RETURN DISTINCT ${named(node)} AS name ORDER BY name
  }`;
