import { nodeKinds } from '../../templates/graph/nodes';
import { ENTITY, type NodeKind, type Property, text, time } from '../../model/table';
import { labelOf, nameOf } from './summary';

/** The kinds of node that are entities: rows of data sources, and shared nodes. */
export const entityKinds: readonly NodeKind[] = nodeKinds.filter(
  ({ keeper }) => keeper === 'row' || keeper === 'shared',
);

// Properties that the service adds to each row (docs/rules.md: Nodes).
const KEPT: readonly (readonly [string, Property])[] = [
  ['data_source', text('Its data source.', 'nobody')],
  ['provider', text('Its provider.', 'called')],
  ['since', time('When it came.')],
  ['changed', time('When it last changed.')],
];

const properties = new Map(
  entityKinds.map((kind) => [
    kind,
    new Map([
      ...Object.entries(kind.properties),
      ['key', text('Its key.', 'structure')] as const,
      ...(kind.keeper === 'row' ? KEPT : []),
    ]),
  ]),
);

/**
 * The declared properties by which a kind of entity can be searched. Its custom properties can be
 * searched too.
 */
export const entityProperties = (kind: NodeKind): ReadonlyMap<string, Property> =>
  properties.get(kind) ?? new Map<string, Property>();

/** The kinds to search, each with a condition or `null`. */
type Conditions = readonly (readonly [kind: NodeKind, condition: string | null])[];

// The one index of keys is that of all entities.
const labelsFor = ({ label }: NodeKind, condition: string | null): string =>
  condition?.includes('n.key') === true ? `${ENTITY}:${label}` : label;

const matches = (conditions: Conditions, returned: string): string =>
  conditions
    .map(
      ([kind, condition]) =>
        `  MATCH (n:${labelsFor(kind, condition)})${condition === null ? '' : `\n  WHERE ${condition}`}\n  RETURN ${returned}`,
    )
    .join('\n  UNION ALL\n');

/** Counts the nodes that meet the conditions. */
export const countOf = (conditions: Conditions): string => `CALL () {
${matches(conditions, 'count(n) AS part')}
}
RETURN sum(part) AS total`;

/**
 * A property that orders a search. `key` is always the second order. Nodes without the property
 * come first.
 */
export interface SearchOrder {
  readonly field: string;
  readonly type: 'text' | 'time';
}

const orderValue = ({ field, type }: SearchOrder): string => {
  if (field === 'name') return nameOf('n');
  return type === 'time' ? `coalesce(n.${field}, $no_time)` : `coalesce(n.${field}, '')`;
};

/**
 * All properties of a node as pairs of name and value, without look-ups. Times come as texts,
 * because the driver makes its own time objects slowly.
 */
export const saidBy = (node: string): string =>
  `[name IN keys(${node}) WHERE NOT name STARTS WITH 'fold_' |
    [name, CASE WHEN ${node}[name] IS :: ZONED DATETIME THEN toString(${node}[name]) ELSE ${node}[name] END]]`;

/**
 * A page of nodes. `$value` and `$key` are those of the last node before it, or `null` for the
 * first page. `$most`, `$no_time`.
 */
export const pageOfNodes = (
  conditions: Conditions,
  order: SearchOrder,
  isDescending: boolean,
): string => {
  const [direction, beyond] = isDescending ? [' DESC', '<'] : ['', '>'];
  return `CALL () {
${matches(conditions, 'n')}
}
WITH n, ${orderValue(order)} AS value
WHERE $key IS NULL OR value ${beyond} $value OR (value = $value AND n.key ${beyond} $key)
WITH n, value
ORDER BY value${direction}, n.key${direction}
LIMIT $most
RETURN ${labelOf('n')} AS label, ${nameOf('n')} AS name, ${saidBy('n')} AS properties, value`;
};
