import { MOST_JOINED, OF_HUMANS } from '../../access/human';
import { JOINS } from '../../access/relationship-types';
import { summaryOf } from './summary';

/*
 * Statements that find which principals are one human's (docs/rules.md: One human).
 */

const JOIN = JOINS.join('|');
const LABELS = OF_HUMANS.join('|');

/**
 * `node` → the joins that lead to it, `from` and `to`; and up to two accounts that it names, if it is
 * an identity. An identity without an address that names several accounts joins nobody (docs/rules.md:
 * One human), and these accounts may be far from the principals of the question.
 */
const JOINS_OF_NODE = `  CALL (node) {
    MATCH (from)-[:${JOIN}]->(node)
    WITH from, node LIMIT ${MOST_JOINED + 1}
    RETURN from.key AS from, node.key AS to
    UNION
    MATCH (node:Identity)-[:IDENTITY_OF]->(account:LocalUser)
    WITH node, account LIMIT 2
    RETURN node.key AS from, account.key AS to
  }`;

/**
 * All that is joined with some principals: what leads to them, all that this leads to, and what
 * leads to that. `$principals`. Gives one record with the joins as pairs of keys, and of each identity
 * up to two accounts that it names; `isCut` says that there is more.
 */
export const JOINED = `UNWIND $principals AS key
MATCH (asked:Entity {key: key})
WHERE asked:${LABELS}
WITH collect(asked) AS all_asked
CALL (all_asked) {
  UNWIND all_asked AS asked
  MATCH (asked)<-[:${JOIN}*0..]-(above)
  WITH DISTINCT above LIMIT ${MOST_JOINED + 1}
  MATCH (above)-[:${JOIN}*0..]->(theirs:${LABELS})
  WITH DISTINCT theirs LIMIT ${MOST_JOINED + 1}
  MATCH (theirs)<-[:${JOIN}*0..]-(node)
  WITH DISTINCT node LIMIT ${MOST_JOINED + 1}
  RETURN collect(node) AS nodes
}
CALL (nodes) {
  UNWIND nodes AS node
${JOINS_OF_NODE}
  WITH DISTINCT from, to LIMIT ${MOST_JOINED + 1}
  RETURN collect([from, to]) AS joins
}
RETURN [asked IN all_asked | asked.key] AS asked, [node IN nodes | ${summaryOf('node').replaceAll('\n', '\n  ')}] AS nodes, joins,
  size(nodes) > ${MOST_JOINED} OR size(joins) > ${MOST_JOINED} AS isCut`;
