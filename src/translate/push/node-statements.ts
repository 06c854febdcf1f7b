import type { NodeKind } from '../../model/table';
import { seek, seekPrefix } from '../clauses/seek';

/** A kind's labels, as statements write them. */
export const labelsOf = ({ label, also }: NodeKind): string => [label, ...also].join(':');

/** What a row of `createRowNodes` says, place by place: declared properties, look-ups, then `key` and `row_hash`; where its kind may carry more, a map of that comes last. */
export const placesOf = ({
  properties,
  lookups,
}: NodeKind): { readonly declared: readonly string[]; readonly lookups: readonly string[] } => ({
  declared: Object.keys(properties),
  lookups: Object.keys(lookups),
});

/** Creates a data source's nodes; `$rows[0]`: lists of the properties that differ from node to node, by `placesOf`, which cost less to send than maps. */
export const createRowNodes = (kind: NodeKind): string => {
  const { declared, lookups } = placesOf(kind);
  const places = [...declared, ...lookups, 'key', 'row_hash'];
  const said = places.map((name, place) => `${name}: row[${place}]`);
  const alike = ['data_source: $data_source', 'provider: $provider', 'since: $at', 'changed: $at'];
  const more = kind.custom ? `\nSET n += row[${places.length}]` : '';
  return `UNWIND $rows[0] AS row
CREATE (n:${labelsOf(kind)} {
  ${[...said, ...alike].join(',\n  ')}
})${more}`;
};

/** Creates the shared nodes that do not stand, and gives their keys; `$rows[0]`: maps of all properties. */
export const createMissing = (kind: NodeKind): string =>
  `UNWIND $rows[0] AS row
OPTIONAL ${seek('n', kind, 'key', 'row.key')}
WITH collect(CASE WHEN n IS NULL THEN row END) AS missing
FOREACH (row IN missing | CREATE (n:${labelsOf(kind)}) SET n = row)
RETURN [row IN missing | row.key] AS keys`;

/** Sets what differs, and unsets what is null; `$rows[0]`: `{key, set}`. */
export const updateRowNodes = (kind: NodeKind): string =>
  `UNWIND $rows[0] AS row
${seek('n', kind, 'key', 'row.key')}
SET n += row.set, n.changed = $at`;

/** Writes the hash of rows that say all else already, which is no change of the row; `$pairs[0]`: `[key, hash]`. */
export const proveRowNodes = (kind: NodeKind): string =>
  `UNWIND $pairs[0] AS pair
${seek('n', kind, 'key', 'pair[0]')}
SET n.row_hash = pair[1]`;

/** Sets look-ups that follow from other rows, which is no change of the row itself; `$rows[0]`: `{key, set}`. */
export const updateLookups = (kind: NodeKind): string =>
  `UNWIND $rows[0] AS row
${seek('n', kind, 'key', 'row.key')}
SET n += row.set`;

/** Removes nodes whose relationships are gone; what somebody drew by hand goes too; `$keys[0]`. */
export const removeNodes = (kind: NodeKind): string =>
  `UNWIND $keys[0] AS key
${seek('n', kind, 'key', 'key')}
DETACH DELETE n`;

/** Which of some shared nodes stand; `$keys[0]`. */
export const standingNodes = (kind: NodeKind): string =>
  `UNWIND $keys[0] AS key
${seek('n', kind, 'key', 'key')}
RETURN collect(n.key) AS keys`;

/**
 * A data source's rows of one label, read from the index on `key`: local key and hash, which is always of one length, in one text, many in a list, since
 * each record that is sent costs more than what it says; `$prefix`, and `$unknown` for what is no hash.
 */
export const standingHashes = (kind: NodeKind): string =>
  `${seekPrefix('n', kind)}
WITH substring(n.key, size($prefix)) AS key, CASE WHEN n.row_hash =~ '[0-9a-f]{64}' THEN n.row_hash ELSE $unknown END AS hash
RETURN left(hash, 1) AS part, collect(key + hash) AS rows`;
