import { FOLDED_PROVIDER } from '../../model/folded-texts';
import type { NodeKind } from '../../model/table';
import { labelsOf } from './labels';
import { KEEP_VERSION } from './past';
import { seekEntity, seekPrefix } from '../statements/seek';

/**
 * The order of values in a row of `createRowNodes`: declared properties, look-ups, then `key` and
 * `row_hash`. If the kind may have custom properties, a map of them comes last.
 */
export const placesOf = ({
  properties,
  lookups,
}: NodeKind): { readonly declared: readonly string[]; readonly lookups: readonly string[] } => ({
  declared: Object.keys(properties),
  lookups: Object.keys(lookups),
});

/**
 * Creates nodes of a data source. `$rows[0]`: a list of values for each node, in the order of
 * `placesOf`. Lists cost less to send than maps. Properties that are the same in all nodes come as
 * parameters.
 */
export const createRowNodes = (kind: NodeKind): string => {
  const { declared, lookups } = placesOf(kind);
  const places = [...declared, ...lookups, 'key', 'row_hash'];
  const fields = places.map((name, place) => `${name}: row[${place}]`);
  const alike = [
    'data_source: $data_source',
    'provider: $provider',
    `${FOLDED_PROVIDER}: $${FOLDED_PROVIDER}[0][0]`,
    'since: $at',
    'changed: $at',
  ];
  const more = kind.custom ? `\nSET n += row[${places.length}]` : '';
  return `UNWIND $rows[0] AS row
CREATE (n:${labelsOf(kind)} {
  ${[...fields, ...alike].join(',\n  ')}
})${more}`;
};

/**
 * Creates the shared nodes that do not exist, and gives their keys. `$labels[0]`: the labels of their
 * kind. `$rows[0]`: maps of all properties.
 */
export const CREATE_MISSING = `UNWIND $rows[0] AS row
OPTIONAL ${seekEntity('n', 'row.key')}
WITH collect(CASE WHEN n IS NULL THEN row END) AS missing
FOREACH (row IN missing | CREATE (n:$($labels[0])) SET n = row)
RETURN [row IN missing | row.key] AS keys`;

/**
 * Keeps the versions of nodes that are about to end: their own properties will change, or the nodes
 * will go (docs/rules.md: History). `$rows[0]`: lists of key and label. `$until[0]`.
 */
export const END_VERSIONS = `UNWIND $rows[0] AS row
WITH row[0] AS key, row[1] AS label
${seekEntity('n', 'key')}
${KEEP_VERSION}`;

/** Sets changed properties; `null` unsets one. `$rows[0]`: `{key, set}`. */
export const UPDATE_ROW_NODES = `UNWIND $rows[0] AS row
${seekEntity('n', 'row.key')}
SET n += row.set, n.changed = $at`;

/**
 * Writes the hash of rows that are otherwise complete. This is no change of the row, so `changed`
 * stays. `$pairs[0]`: `[key, hash]`.
 */
export const PROVE_ROW_NODES = `UNWIND $pairs[0] AS pair
${seekEntity('n', 'pair[0]')}
SET n.row_hash = pair[1]`;

/**
 * Sets look-ups that follow from other rows. This is no change of the row, so `changed` stays.
 * `$rows[0]`: `{key, set}`.
 */
export const UPDATE_LOOKUPS = `UNWIND $rows[0] AS row
${seekEntity('n', 'row.key')}
SET n += row.set`;

/**
 * Removes nodes whose stated relationships are gone. Relationships that somebody drew by hand go
 * too. `$keys[0]`.
 */
export const REMOVE_NODES = `UNWIND $keys[0] AS key
${seekEntity('n', 'key')}
DETACH DELETE n`;

/** The keys of those of these shared nodes that exist. `$keys[0]`. */
export const STANDING_NODES = `UNWIND $keys[0] AS key
${seekEntity('n', 'key')}
RETURN collect(n.key) AS keys`;

/**
 * Reads the keys and hashes of a data source's rows of one label from the index on `key`. `$prefix`
 * is the data source and the label, and the keys come without it. Key and hash come as one text,
 * since a hash always has the same length. Many texts come in one list, because each record costs
 * more to send than what it holds. `$unknown`: the value in place of an invalid hash.
 */
export const STANDING_HASHES = `${seekPrefix('n')}
WITH substring(n.key, size($prefix)) AS key, CASE WHEN n.row_hash =~ '[0-9a-f]{64}' THEN n.row_hash ELSE $unknown END AS hash
RETURN left(hash, 1) AS part, collect(key + hash) AS rows`;
