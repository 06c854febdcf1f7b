import { PastNode, PastRelationship } from '../../model/past-facts';
import type { ForgottenBy, NodeKind, Property, RelationshipKind } from '../../model/table';
import { seekEntity } from '../../graph/statements/seek';
import { events as signIn } from '../sign-in/events';

/** Labels of the nodes that a person can be (docs/rules.md: Erasing a person). */
export const PERSON_LABELS = ['IdpUser', 'Employee', 'LocalUser', 'Identity'] as const;

/**
 * All nodes of a label. The service looks for names itself, since Neo4j folds in another way. The
 * dates are texts, because the driver makes a calendar date of each time, which costs more than
 * everything else.
 */
export const allNodes = ({ label }: Pick<NodeKind, 'label'>): string =>
  `MATCH (n:${label})
RETURN n.key AS key, n {.*, since: toString(n.since), changed: toString(n.changed)} AS properties`;

/**
 * All nodes of a kind of rows or shared nodes, without what holds no names: times, hashes and look-ups,
 * which are half of what a node holds.
 */
export const allNamed = ({ label, properties, lookups }: NodeKind): string => {
  const times = Object.entries(properties).flatMap(([name, { type }]) =>
    type === 'time' ? [name] : [],
  );
  const nameless = ['changed', 'row_hash', ...times, ...Object.keys(lookups)];
  return `MATCH (n:${label})
RETURN n.key AS key, n {.*, since: toString(n.since), ${nameless.map((name) => `${name}: null`).join(', ')}} AS properties`;
};

/** The properties of an ended fact, with its times as texts. */
const WITH_TEXT_DATES = `past {.*, since: toString(past.since), from: toString(past.from), until: toString(past.until)}`;

/** All relationships of a kind that have properties of their own, with the keys of their rows. */
export const allStated = ({ from, type, to, owner }: RelationshipKind): string =>
  `MATCH (a:${from.label})-[r:${type}]->(b:${to.label})
RETURN ${owner === 'from' ? 'a' : 'b'}.key AS key, r {.*, since: null} AS properties`;

/** All ended facts of a label. */
export const allPast = (label: string): string => `MATCH (past:${label})
WHERE past.until IS NOT NULL
RETURN elementId(past) AS id, ${WITH_TEXT_DATES} AS properties`;

/** All versions that ended of nodes of some labels. `$labels`. */
export const PAST_OF_LABELS = `MATCH (past:${PastNode.label})
WHERE past.until IS NOT NULL AND past.label IN $labels
RETURN elementId(past) AS id, ${WITH_TEXT_DATES} AS properties`;

/** Versions of nodes. `$keys[0]`. */
export const PAST_NODES_OF = `UNWIND $keys[0] AS key
MATCH (past:${PastNode.label} {key: key})
USING INDEX SEEK past:${PastNode.label}(key, until)
WHERE past.until IS NOT NULL
RETURN elementId(past) AS id, properties(past) AS properties`;

/** Ended relationships at nodes, from their starts and to their ends. `$keys[0]`. */
export const PAST_RELATIONSHIPS_AT: readonly string[] = ['start', 'end'].map(
  (end) => `UNWIND $keys[0] AS key
MATCH (past:${PastRelationship.label} {${end}: key})
USING INDEX SEEK past:${PastRelationship.label}(${end}, until)
WHERE past.until IS NOT NULL
RETURN elementId(past) AS id, properties(past) AS properties`,
);

/** Removes ended facts. `$ids[0]`. */
export const REMOVE_PAST = `UNWIND $ids[0] AS id
MATCH (past:Past)
WHERE elementId(past) = id
DELETE past`;

/** Takes properties off ended facts. `$rows[0]`: `{id, set}`. */
export const CHANGE_PAST = `UNWIND $rows[0] AS row
MATCH (past:Past)
WHERE elementId(past) = row.id
SET past += row.set`;

/** Nodes of people. `$keys[0]`. */
export const PEOPLE_OF = `UNWIND $keys[0] AS key
${seekEntity('n', 'key')}
WHERE n:${PERSON_LABELS.join('|')}
RETURN key, [label IN labels(n) WHERE label IN ${JSON.stringify(PERSON_LABELS).replaceAll('"', "'")}][0] AS label, properties(n) AS properties`;

/**
 * How people, their accounts and their identities belong together. A group may be known by an
 * identity too. `$keys[0]`.
 */
export const PEOPLE_BESIDE = `UNWIND $keys[0] AS key
${seekEntity('n', 'key')}
WHERE n:${PERSON_LABELS.join('|')}
MATCH (n)-[r:HAS_ACCOUNT|SOURCE_IDENTITY_OF|KNOWN_AS|IDENTITY_OF]-(other:${PERSON_LABELS.join('|')}|IdpGroup)
RETURN key, type(r) AS type, other.key AS other, labels(other) AS labels, r.since AS since`;

/** The data sources of rows next to a shared node. `$keys[0]`. */
export const SOURCES_BESIDE = `UNWIND $keys[0] AS key
${seekEntity('n', 'key')}
MATCH (n)--(row)
WHERE row.row_hash IS NOT NULL
RETURN DISTINCT left(row.key, 36) AS source`;

/** The provider of each data source. */
export const PROVIDERS_OF_DATA_SOURCES = `MATCH (source:DataSource)-[:FROM]->(provider:Provider)
RETURN source.id AS id, provider.name AS name`;

/** The provider of each data source of which versions of rows are stored. */
export const PROVIDERS_OF_THE_PAST = `MATCH (past:${PastNode.label})
RETURN DISTINCT past.data_source AS id, past.provider AS name`;

/** What external entities resolve to some of these nodes, and all that they resolve to. `$keys[0]`. */
export const RESOLVED_TO = `UNWIND $keys[0] AS key
${seekEntity('n', 'key')}
WHERE n:${PERSON_LABELS.join('|')}
MATCH (n)<-[:RESOLVES_TO]-(entity:ExternalEntity)
WITH DISTINCT entity
MATCH (entity)-[:RESOLVES_TO]->(end)
RETURN entity.key AS entity, collect(end.key) AS ends`;

/**
 * Keys of all rows of a label, of any data source, that state a relationship of a type to nodes, each
 * with the key of the node, and since when there is the relationship. `$keys[0]`, `$label[0]`.
 */
export const allReferring = ({ type, owner }: Pick<RelationshipKind, 'type' | 'owner'>): string => {
  const pattern = owner === 'from' ? `(row)-[r:${type}]->(end)` : `(end)-[r:${type}]->(row)`;
  const stated = type === 'TAGGED' ? ' AND r.derived IS NULL' : '';
  // With the label in a condition, no plan can start at the other end.
  return `UNWIND $keys[0] AS key
${seekEntity('end', 'key')}
MATCH ${pattern}
WHERE $label[0] IN labels(row)${stated}
RETURN collect([key, row.key, r.since]) AS found`;
};

/** When rows changed. `$keys[0]`. */
export const CHANGES_OF = `UNWIND $keys[0] AS key
${seekEntity('n', 'key')}
RETURN key, n.changed AS changed`;

/** Sets properties of a record; `null` removes one. `$rows[0]`: `{key, set}`. */
export const changeRecords = ({ label }: Pick<NodeKind, 'label'>): string =>
  `UNWIND $rows[0] AS row
MATCH (n:${label} {key: row.key})
SET n += row.set`;

/** All sign-ins: sessions, and events of those that ended. */
export const SIGN_INS = `MATCH (session:PersonSession)
RETURN session.subject AS subject, session.name AS name, session.people AS people, null AS metadata
UNION ALL
MATCH (event:Event {event_type: '${signIn.PERSON_SIGNED_IN.name}'})
RETURN null AS subject, null AS name, null AS people, event.metadata AS metadata`;

/** The data source of each push. */
export const DATA_SOURCES_OF_PUSHES = `MATCH (push:Push)-[:FROM]->(source:DataSource)
RETURN push.key AS push, source.key AS source`;

/** How many chunked pushes are not finished. */
export const COUNT_LARGE_PUSHES = `MATCH (large:LargePush)
RETURN count(large) AS number`;

/** How an erasure removes a kind of record in which nobody can look for names. */
export const FORGET: Readonly<Record<ForgottenBy, (label: string) => string>> = {
  removal: (label) => `MATCH (n:${label})\nDETACH DELETE n`,
  'the end of uploads': () => `MATCH (upload:Upload)
SET upload.since = datetime({epochSeconds: 0})`,
};

/** Statements about records that name people in a property by keys. `$people`. */
export interface RecordsOfPeople {
  /** How many of the records name one of the people. */
  readonly count: string;
  /** Removes the people from the records, and the records that name nobody else. */
  readonly erase: string;
}

/** The statements for a property of a record that holds the key of a person, or keys of people. */
export const recordsOfPeople = (
  { label }: Pick<NodeKind, 'label'>,
  property: string,
  { type }: Pick<Property, 'type'>,
): RecordsOfPeople => {
  if (type === 'text') {
    const match = `UNWIND $people AS person\nMATCH (n:${label} {${property}: person})`;
    return { count: `${match}\nRETURN count(n) AS number`, erase: `${match}\nDETACH DELETE n` };
  }
  const match = `MATCH (n:${label})\nWHERE any(person IN n.${property} WHERE person IN $people)`;
  return {
    count: `${match}\nRETURN count(n) AS number`,
    erase: `${match}
SET n.${property} = [person IN n.${property} WHERE NOT person IN $people]
WITH n
WHERE size(n.${property}) = 0
DETACH DELETE n`,
  };
};

/** Records the digest and rows of a data source after an erasure. `$data_source`, `$digest`, `$rows`. */
export const RECORD_ERASURE = `MATCH (source:DataSource {key: $data_source})
SET source.digest = $digest, source.rows = $rows`;

/** Gives up the locks of data sources once everything is written. */
export const UNLOCK_DATA_SOURCES = `MATCH (source:DataSource)
REMOVE source.lock`;
