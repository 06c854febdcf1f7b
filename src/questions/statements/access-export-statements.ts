import { nodeKinds } from '../../templates/graph/nodes';
import { seekEntity, seekPrefix } from '../../graph/statements/seek';
import { summaryOf } from './summary';
import { PERMISSIONS_OF_ROWS } from './access-pages';
import { reachedBy } from './access-statements';

/**
 * The labels of nodes that may have access, in the order of an export. Each node has one of them. A
 * resource may have the access of a principal that it connects to.
 */
export const EXPORTED_LABELS: readonly string[] = [
  ...nodeKinds.filter(({ also }) => also.includes('Principal')).map(({ label }) => label),
  'Resource',
].sort();

const nextOf = (label: string): string =>
  `who.key > $after${label === 'Resource' ? ' AND EXISTS { (who)-[:CONNECTS_TO]->(:ExternalEntity) }' : ''}
WITH who ORDER BY who.key LIMIT $most
RETURN collect(who.key) AS keys`;

/**
 * The next `$most` principals of a label behind `$after`, by key, of those whose keys begin with
 * `$prefix`. The index of the key gives them in this order.
 */
export const nextPrincipals = (label: string): string =>
  `${seekPrefix('who')} AND ${nextOf(label)}`;

/** The next `$most` principals of a label behind `$after`, by key, among `$only[0]`. */
export const nextAmong = (label: string): string => `UNWIND $only[0] AS key
WITH DISTINCT key
${seekEntity('who', 'key')}
WHERE who:${label} AND ${nextOf(label)}`;

/** The ids of all data sources, in the order of the keys of their rows. */
export const SOURCES_TO_EXPORT = `MATCH (source:DataSource)
RETURN source.key AS id ORDER BY id`;

/**
 * What these principals can reach, by principal and resource: `$principals`. `$most` is the largest
 * number of rows. `$begun` is the `principal` whose rows begin behind a `resource`; both may be
 * `null`. Each resource comes once, however many rows have it.
 */
export const EXPORTED_ACCESS = `UNWIND $principals AS principal
CALL (principal) {
  ${reachedBy('principal').replaceAll('\n', '\n  ')}
  WITH target, permissions
  WHERE $begun.principal IS NULL OR principal <> $begun.principal OR target.key > $begun.resource
  RETURN target, permissions
}
WITH principal, target, permissions
ORDER BY principal, target.key
LIMIT $most
WITH collect({principal: principal, node: target, permissions: permissions}) AS rows
${PERMISSIONS_OF_ROWS}
CALL (rows) {
  UNWIND rows AS row
  WITH DISTINCT row.node AS target
  RETURN collect(${summaryOf('target').replaceAll('\n', '\n  ')}) AS resources
}
RETURN [row IN rows | [row.principal, row.node.key]] AS pairs, resources, permissions`;

/** What lists tell of these principals: `$principals`. */
export const EXPORTED_PRINCIPALS = `UNWIND $principals AS principal
MATCH (who:Entity {key: principal})
RETURN ${summaryOf('who')} AS about`;
