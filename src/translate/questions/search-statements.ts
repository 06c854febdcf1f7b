import { nodeKinds } from '../../templates/graph/nodes';
import { type NodeKind, type Property, text, time } from '../../model/table';
import { labelOf, nameOf } from '../clauses/summary';

/** The kinds of node that are entities: what data sources own, and what they share. */
export const entityKinds: readonly NodeKind[] = nodeKinds.filter(
  ({ keeper }) => keeper !== 'service',
);

// What the service adds to each row (docs/rules.md: Nodes).
const KEPT: readonly (readonly [string, Property])[] = [
  ['data_source', text('Its data source.')],
  ['provider', text('Its provider.')],
  ['since', time('When it came.')],
  ['changed', time('When it last changed.')],
];

const properties = new Map(
  entityKinds.map((kind) => [
    kind,
    new Map([
      ...Object.entries(kind.properties),
      ['key', text('Its key.')] as const,
      ...(kind.keeper === 'row' ? KEPT : []),
    ]),
  ]),
);

/** What can be asked of a kind of entity, by name; custom properties besides. */
export const entityProperties = (kind: NodeKind): ReadonlyMap<string, Property> =>
  properties.get(kind) ?? new Map<string, Property>();

/** Where nodes of some kinds are, each kind under its condition. */
type Conditions = readonly (readonly [kind: NodeKind, condition: string | null])[];

const matches = (conditions: Conditions, returned: string): string =>
  conditions
    .map(
      ([{ label }, condition]) =>
        `  MATCH (n:${label})${condition === null ? '' : `\n  WHERE ${condition}`}\n  RETURN ${returned}`,
    )
    .join('\n  UNION ALL\n');

/** How many nodes there are. */
export const countOf = (conditions: Conditions): string => `CALL () {
${matches(conditions, 'count(n) AS part')}
}
RETURN sum(part) AS total`;

/** Something by which a search may be ordered, by `key` after it; what does not have it comes first. */
export interface SearchOrder {
  readonly field: string;
  readonly type: 'text' | 'time';
}

const orderValue = ({ field, type }: SearchOrder): string => {
  if (field === 'name') return nameOf('n');
  return type === 'time' ? `coalesce(n.${field}, $no_time)` : `coalesce(n.${field}, '')`;
};

/**
 * All that a node says of itself, as names with values: without look-ups, and with times as texts, since the driver's own times are dear to make.
 */
export const saidBy = (node: string): string =>
  `[name IN keys(${node}) WHERE NOT name STARTS WITH 'fold_' |
    [name, CASE WHEN ${node}[name] IS :: ZONED DATETIME THEN toString(${node}[name]) ELSE ${node}[name] END]]`;

/** A page of nodes; `$value` and `$key` are of the node before it, null at the start; `$most`, `$no_time`. */
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
