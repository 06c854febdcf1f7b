import { PastNode, PastRelationship } from '../../model/past-facts';
import { seekEntity } from '../../graph/statements/seek';
import { nameOf } from './summary';
import { textList } from '../../graph/statements/text-list';
import { ACCESS_TYPES } from '../../access/relationship-types';

/**
 * Statements that show what a push did to access if it changed too many pairs to compare: which
 * group, role or holder gained or lost how many relationships (docs/rules.md: Changes of access).
 * `$at` is the instant of the push.
 */

/**
 * By type of relationship, the end that shows what changed. The other types concern one person
 * each.
 */
export const HUBS: Readonly<Record<string, 'start' | 'end' | 'holder'>> = {
  MEMBER_OF: 'end',
  ASSIGNED_TO: 'end',
  ASSUMES_ROLE: 'end',
  ACTS_AS: 'end',
  OF: 'end',
  HOLDS: 'start',
  INCLUDES: 'start',
  ALLOWS: 'start',
  CONNECTS_TO: 'start',
  CONTAINS: 'start',
  ON: 'holder',
};

const typesWith = (hub: string): readonly string[] =>
  Object.keys(HUBS).filter((type) => HUBS[type] === hub);

/** Relationships that began at the instant and exist. */
const begun = (type: string): string => `MATCH (start)-[fact:${type}]->(end)
  USING INDEX SEEK fact:${type}(since)
  WHERE fact.since = $at`;

/** Relationships that began at the instant and have ended since. */
const begunAndEnded = `MATCH (fact:${PastRelationship.label})
  USING INDEX SEEK fact:${PastRelationship.label}(until)
  WHERE fact.until > $at AND coalesce(fact.from, fact.since) = $at`;

const ended = `MATCH (fact:${PastRelationship.label})
  USING INDEX SEEK fact:${PastRelationship.label}(until)
  WHERE fact.until = $at`;

/** The key of the hub of a relationship that ended. */
const hubOfPast = `CASE
    WHEN fact.type IN ${textList(typesWith('start'))} THEN fact.start
    WHEN fact.type IN ${textList(typesWith('end'))} THEN fact.end
    ELSE coalesce(
      COLLECT {
        MATCH (entitlement:Entity {key: fact.start})<-[:HOLDS]-(holder)
        RETURN holder.key LIMIT 1
      }[0],
      COLLECT {
        MATCH (held:${PastRelationship.label} {end: fact.start, type: 'HOLDS'})
        RETURN held.start ORDER BY held.until DESC LIMIT 1
      }[0])
  END`;

const hubsOf = (type: string): string =>
  `${begun(type)}${HUBS[type] === 'holder' ? '\n  MATCH (holder)-[:HOLDS]->(start)' : ''}
  RETURN '${type}' AS type, ${HUBS[type] ?? 'start'}.key AS hub`;

const most = `WITH type, hub, count(*) AS facts WHERE hub IS NOT NULL
ORDER BY facts DESC, type, hub LIMIT $most
RETURN type, hub, facts`;

/** The groups, roles and holders that gained most. `$most`. */
export const GAINED_FACTORS = `CALL () {
  ${Object.keys(HUBS).map(hubsOf).join('\n  UNION ALL\n  ')}
  UNION ALL
  ${begunAndEnded} AND fact.type IN ${textList(Object.keys(HUBS))}
  RETURN fact.type AS type, ${hubOfPast} AS hub
}
${most}`;

/** Those that lost most. `$most`. */
export const LOST_FACTORS = `${ended} AND fact.type IN ${textList(Object.keys(HUBS))}
WITH fact.type AS type, ${hubOfPast} AS hub
${most}`;

/** How many relationships of access were created. */
export const COUNT_GAINED = `${ACCESS_TYPES.map(
  (type) => `${begun(type)}\n  RETURN count(fact) AS facts`,
).join('\nUNION ALL\n')}
UNION ALL
${begunAndEnded} AND fact.type IN ${textList(ACCESS_TYPES)}
RETURN count(fact) AS facts`;

/** How many relationships of access went. */
export const COUNT_LOST = `${ended} AND fact.type IN ${textList(ACCESS_TYPES)}
RETURN count(fact) AS facts`;

/** The names of nodes. `$keys[0]`. */
export const NAMES = `UNWIND $keys[0] AS key
${seekEntity('n', 'key')}
RETURN key, ${nameOf('n')} AS name`;

/** The newest names of nodes that are gone. `$keys[0]`. */
export const PAST_NAMES = `UNWIND $keys[0] AS key
MATCH (past:${PastNode.label} {key: key})
WITH key, past ORDER BY past.until
RETURN key, last(collect(${nameOf('past')})) AS name`;
