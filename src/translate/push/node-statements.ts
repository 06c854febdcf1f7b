import { FOLDED_PROVIDER } from '../../model/folded-texts';
import type { NodeKind } from '../../model/table';
import { labelsOf } from '../clauses/labels';
import { keepVersion } from '../clauses/past';
import { seek, seekPrefix } from '../clauses/seek';

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
  const said = places.map((name, place) => `${name}: row[${place}]`);
  const alike = [
    'data_source: $data_source',
    'provider: $provider',
    `${FOLDED_PROVIDER}: $${FOLDED_PROVIDER}`,
    'since: $at',
    'changed: $at',
  ];
  const more = kind.custom ? `\nSET n += row[${places.length}]` : '';
  return `UNWIND $rows[0] AS row
CREATE (n:${labelsOf(kind)} {
  ${[...said, ...alike].join(',\n  ')}
})${more}`;
};

/**
 * Creates the shared nodes that do not exist, and gives their keys. `$rows[0]`: maps of all
 * properties.
 */
export const createMissing = (kind: NodeKind): string =>
  `UNWIND $rows[0] AS row
OPTIONAL ${seek('n', kind, 'key', 'row.key')}
WITH collect(CASE WHEN n IS NULL THEN row END) AS missing
FOREACH (row IN missing | CREATE (n:${labelsOf(kind)}) SET n = row)
RETURN [row IN missing | row.key] AS keys`;

/**
 * Keeps the versions of nodes that are about to end: their own properties will change, or the nodes
 * will go (docs/rules.md: History). `$keys[0]`, `$until`.
 */
export const endVersions = (kind: NodeKind): string =>
  `UNWIND $keys[0] AS key
${seek('n', kind, 'key', 'key')}
${keepVersion(kind)}`;

/** Sets changed properties; `null` unsets one. `$rows[0]`: `{key, set}`. */
export const updateRowNodes = (kind: NodeKind): string =>
  `UNWIND $rows[0] AS row
${seek('n', kind, 'key', 'row.key')}
SET n += row.set, n.changed = $at`;

/**
 * Writes the hash of rows that are otherwise complete. This is no change of the row, so `changed`
 * stays. `$pairs[0]`: `[key, hash]`.
 */
export const proveRowNodes = (kind: NodeKind): string =>
  `UNWIND $pairs[0] AS pair
${seek('n', kind, 'key', 'pair[0]')}
SET n.row_hash = pair[1]`;

/**
 * Sets look-ups that follow from other rows. This is no change of the row, so `changed` stays.
 * `$rows[0]`: `{key, set}`.
 */
export const updateLookups = (kind: NodeKind): string =>
  `UNWIND $rows[0] AS row
${seek('n', kind, 'key', 'row.key')}
SET n += row.set`;

/**
 * Removes nodes whose stated relationships are gone. Relationships that somebody drew by hand go
 * too. `$keys[0]`.
 */
export const removeNodes = (kind: NodeKind): string =>
  `UNWIND $keys[0] AS key
${seek('n', kind, 'key', 'key')}
DETACH DELETE n`;

/** The keys of those of these shared nodes that exist. `$keys[0]`. */
export const standingNodes = (kind: NodeKind): string =>
  `UNWIND $keys[0] AS key
${seek('n', kind, 'key', 'key')}
RETURN collect(n.key) AS keys`;

/**
 * Reads the local keys and hashes of a data source's rows of one label from the index on `key`. Key
 * and hash come as one text, since a hash always has the same length. Many texts come in one list,
 * because each record costs more to send than what it holds. `$prefix`, and `$unknown`: the value
 * in place of an invalid hash.
 */
export const standingHashes = (kind: NodeKind): string =>
  `${seekPrefix('n', kind)}
WITH substring(n.key, size($prefix)) AS key, CASE WHEN n.row_hash =~ '[0-9a-f]{64}' THEN n.row_hash ELSE $unknown END AS hash
RETURN left(hash, 1) AS part, collect(key + hash) AS rows`;
