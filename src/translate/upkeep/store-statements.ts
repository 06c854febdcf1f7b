import { Grant, RoleAssignment } from '../../templates/application/statements';
import { Permission } from '../../templates/application/permissions';
import { Resource } from '../../templates/application/resources';
import { kindsOwnedBy, longKindsOwnedBy } from '../../templates/graph/relationships';
import { type NodeKind, otherEnd } from '../../model/table';

/** Reads the store version. A used graph without one has version 1. */
export const READ_STORE = `OPTIONAL MATCH (store:Store {key: 'store'})
RETURN store.version AS version, EXISTS { (:Provider) } AS is_used, store.restoring IS NOT NULL AS is_restoring`;

/** Takes the lock under which a process migrates the graph. `$holder`. */
export const LOCK_STORE = `MERGE (store:Store {key: 'store'})
SET store.lock = $holder`;

/** Records the store version. `$version`. */
export const RECORD_STORE = `MATCH (store:Store {key: 'store'})
SET store.version = $version
REMOVE store.lock`;

/**
 * Notes since when the graph keeps ended facts, and from which push on it counts changes of access:
 * from now on, unless it does already (docs/rules.md: History, Changes of access).
 */
export const BEGIN_HISTORY = `MATCH (store:Store {key: 'store'})
OPTIONAL MATCH (lock:BindingLock {key: 'binding'})
SET store.history_since = coalesce(store.history_since, datetime.realtime('Z')),
  store.access_turn = coalesce(store.access_turn, lock.turns, 0)`;

/** Notes that the graph keeps no ended facts from now on. */
export const END_HISTORY = `MATCH (store:Store {key: 'store'})
REMOVE store.history_since, store.access_turn`;

/** Notes of chunked pushes that nobody knows how much of them is written. */
export const COUNT_ANEW = `MATCH (large:LargePush)
SET large.is_counted = false`;

/** Removes the lanes of an earlier release. */
export const REMOVE_LANES = `MATCH (lane:LargePushLane)
DELETE lane`;

/** Removes what the earlier release said of them. */
export const DROP_LANES = 'DROP CONSTRAINT large_push_lane_key IF EXISTS';

/** Data sources with what a migration needs of them. */
export const DATA_SOURCES_TO_MIGRATE = `MATCH (source:DataSource)
RETURN source.key AS id, source.provider AS provider, source.rules_version AS rules_version, source.last_push_at AS at`;

/** Providers whose look-ups may be folded differently now. */
export const PROVIDERS_TO_MIGRATE = `MATCH (provider:Provider)
RETURN provider.key AS key, provider.name AS name`;

/** Sets look-ups of providers. `$rows[0]`: `{key, fold_name}`. */
export const RESPELL_PROVIDERS = `UNWIND $rows[0] AS row
MATCH (provider:Provider {key: row.key})
SET provider.fold_name = row.fold_name`;

// Each page starts after the last key of the page before.
const page = (kind: NodeKind, condition: string): string => `MATCH (n:${kind.label})
WHERE n.key > $after AND (${condition})
WITH n
ORDER BY n.key
LIMIT toInteger($most)`;

const notNfc = (texts: string): string =>
  `any(text IN ${texts} WHERE text <> normalize(toString(text)))`;

// The `#` before the type of a resource with an id comes from the service, not from a text of a
// payload.
const holdsSign = (kind: NodeKind): string =>
  kind === Resource
    ? "size(split(n.key, '#')) > CASE WHEN n.id IS NULL THEN 1 ELSE 2 END"
    : "n.key CONTAINS '#'";

const ends = (kind: NodeKind): string => {
  const end = (pattern: string, node: string): string =>
    `[${pattern} | {labels: labels(${node}), properties: properties(${node})}][0]`;
  const steps =
    kind === Resource
      ? '[step IN head([path = (:Application)-[:CONTAINS*1..]->(n) | tail(nodes(path))]) | properties(step)]'
      : '[]';
  const isHeld = kind === Grant || kind === RoleAssignment;
  return `${steps} AS steps,
  ${isHeld ? end('(n)<-[:HOLDS]-(holder)', 'holder') : 'null'} AS holder,
  ${kind === RoleAssignment ? end('(n)-[:OF]->(role)', 'role') : 'null'} AS role`;
};

/**
 * Nodes of a label whose key may be written differently now, or that have the same thing in a list
 * twice. `$after`, `$most`.
 */
export const nodesToRespell = (kind: NodeKind): string => {
  const doubled =
    kind === Permission ? ` OR ${notNfc('coalesce(n.fold_application_types, [])')}` : '';
  return `${page(kind, `${holdsSign(kind)} OR n.key <> normalize(n.key)${doubled}`)}
RETURN n.key AS key, properties(n) AS properties, ${ends(kind)}
ORDER BY key`;
};

/**
 * Marks nodes that get another key, and nodes that have that key already and will take them in.
 * `$rows[0]`: `{key, next}`. If nodes of the kind are not united, a node whose new key is taken
 * keeps its own.
 */
export const markKeys = ({ label }: NodeKind, isUniting: boolean): string => `UNWIND $rows[0] AS row
MATCH (n:${label} {key: row.key})
OPTIONAL MATCH (taken:${label} {key: row.next})
WITH n, row, CASE WHEN taken = n THEN null ELSE taken END AS taken
${isUniting ? '' : 'WHERE taken IS NULL\n'}SET n.next_key = row.next
FOREACH (one IN CASE WHEN taken IS NULL THEN [] ELSE [taken] END |
  SET one.next_key = coalesce(one.next_key, one.key))`;

/** The marked nodes of a label. `$after`, `$most`. */
export const markedNodes = (kind: NodeKind): string => `${page(kind, 'n.next_key IS NOT NULL')}
RETURN n.key AS key, n.next_key AS next, properties(n) AS properties
ORDER BY key`;

/**
 * Rows of a label that are marked or lead to a marked node, and are not judged yet. `$after`,
 * `$most`.
 */
export const rowsToJudge = (kind: NodeKind): string => {
  const leading = kindsOwnedBy(kind)
    .filter((relationship) => otherEnd(relationship).keeper !== 'service')
    .map((relationship) => {
      const isFrom = relationship.owner === 'from';
      const [start, end] = isFrom ? ['-', '->'] : ['<-', '-'];
      const other = otherEnd(relationship).label;
      return `EXISTS { (n)${start}[:${relationship.type}]${end}(m:${other}) WHERE m.next_key IS NOT NULL }`;
    });
  const condition = ['n.next_key IS NOT NULL', ...leading].join('\n  OR ');
  return `${page(kind, `n.rehash IS NULL AND (${condition})`)}
RETURN n.key AS key
ORDER BY key`;
};

/** Marks rows that say what their hash says. The migration will hash them anew. `$keys[0]`. */
export const markProven = ({ label }: NodeKind): string => `UNWIND $keys[0] AS key
MATCH (n:${label} {key: key})
SET n.rehash = true`;

/** Sets hashes and removes these marks. `$pairs[0]`: `[key, hash]`. */
export const setHashes = ({ label }: NodeKind): string => `UNWIND $pairs[0] AS pair
MATCH (n:${label} {key: pair[0]})
SET n.row_hash = pair[1]
REMOVE n.rehash`;

/** Gives nodes their new keys. `$rows[0]`: `{key, next, set}`. */
export const respellNodes = ({ label }: NodeKind): string => `UNWIND $rows[0] AS row
MATCH (n:${label} {key: row.key})
SET n.key = row.next, n += row.set
REMOVE n.next_key`;

/** The nodes of a label that are marked to be hashed anew. `$after`, `$most`. */
export const nodesToRehash = (kind: NodeKind): string => `${page(kind, 'n.rehash IS NOT NULL')}
RETURN n.key AS key, properties(n) AS properties
ORDER BY key`;

/** Removes these marks. `$keys[0]`. */
export const unmark = ({ label }: NodeKind): string => `UNWIND $keys[0] AS key
MATCH (n:${label} {key: key})
REMOVE n.rehash`;

/** Reads the properties of a node. `$key`. */
export const propertiesOf = ({ label }: NodeKind): string => `MATCH (n:${label} {key: $key})
RETURN properties(n) AS properties`;

/**
 * Reads all relationships of a node, as they will be drawn at the node that takes it in. `$key`.
 */
export const relationshipsOf = ({
  label,
}: NodeKind): string => `MATCH (n:${label} {key: $key})-[r]-(other)
RETURN type(r) AS type, startNode(r) = n AS leaves, elementId(other) AS other, elementId(r) AS id, properties(r) AS properties`;

/** Draws relationships at a node. `$key`, `$rows[0]`: `{type, leaves, other, properties}`. */
export const drawAt = ({ label }: NodeKind): string => `MATCH (n:${label} {key: $key})
UNWIND $rows[0] AS row
MATCH (other) WHERE elementId(other) = row.other
CALL (n, row, other) {
  WITH * WHERE row.leaves
  CREATE (n)-[r:$(row.type)]->(other)
  SET r = row.properties
  UNION
  WITH * WHERE NOT row.leaves
  CREATE (n)<-[r:$(row.type)]-(other)
  SET r = row.properties
}`;

/** Sets `since` of relationships at a node. `$key`, `$rows[0]`: `{id, since}`. */
export const dateAt = ({ label }: NodeKind): string => `UNWIND $rows[0] AS row
MATCH (n:${label} {key: $key})-[r]-()
WHERE elementId(r) = row.id
SET r.since = row.since`;

/** Sets properties of a node. `$key`, `$set`. */
export const setAt = ({ label }: NodeKind): string => `MATCH (n:${label} {key: $key})
SET n += $set`;

/** Reads the stored digest and number of rows of a data source. `$data_source`. */
export const COUNTED = `MATCH (source:DataSource {key: $data_source})
RETURN source.digest AS digest, source.rows AS rows, source.pending_push AS pending`;

/** Corrects the digest and number of rows of a data source. `$data_source`, `$digest`, `$rows`. */
export const RECOUNT = `MATCH (source:DataSource {key: $data_source})
SET source.digest = $digest, source.rows = $rows`;

/** Rows of a label whose look-ups may be folded differently now. `$after`, `$most`. */
export const rowsToLookUp = (kind: NodeKind): string => {
  const lookups = Object.entries(kind.lookups).map(([name, { type }]) =>
    type === 'texts' ? `coalesce(n.${name}, [])` : `[n.${name}]`,
  );
  // An earlier release set no look-up for some paths that are short enough now.
  const long = kind === Resource ? ' OR n.fold_path IS NULL OR size(n.path) > 200' : '';
  return `${page(kind, `${notNfc(lookups.join(' + '))}${long}`)}
RETURN n.key AS key, properties(n) AS properties, ${ends(kind)}
ORDER BY key`;
};

/**
 * Rows of a label that state a relationship of a long list, and whose hash is of the rules before.
 * `$after`, `$most`.
 */
export const rowsWithLists = (kind: NodeKind): string => {
  const types = [...new Set(longKindsOwnedBy(kind).map(({ type }) => type))].join('|');
  return `${page(kind, `EXISTS { (n)-[:${types}]->() } AND EXISTS { (source:DataSource {key: n.data_source}) WHERE source.rules_version = 3 }`)}
RETURN n.key AS key
ORDER BY key`;
};

/** The owners of marked external entities. `$keys[0]`. */
export const ownersOf = ({ label }: NodeKind): string => `UNWIND $keys[0] AS key
MATCH (:ExternalEntity {key: key})<-[:OWNS]-(n:${label})
RETURN DISTINCT n.key AS key`;

/** Records that row hashes follow the present rules. `$former`, `$version`. */
export const RECORD_RULES = `MATCH (source:DataSource)
WHERE source.rules_version = $former
SET source.rules_version = $version`;

/**
 * Gives data sources that have no list of types the types of their provider. These may be more than
 * their newest full push has, so the next one is read even if it is the same.
 */
export const OWN_TYPES = `MATCH (source:DataSource)-[:FROM]->(provider:Provider)
WHERE source.digest IS NOT NULL AND source.application_types IS NULL
SET source.application_types = coalesce(provider.application_types, []), source.resource_types = coalesce(provider.resource_types, []), source.idp_types = coalesce(provider.idp_types, []), source.remembers_more = true`;
