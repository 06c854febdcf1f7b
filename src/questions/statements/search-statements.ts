import { ENTITY, type NodeKind } from '../../model/table';
import { labelOf, nameOf } from './summary';

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
export const ownPropertiesOf = (node: string): string =>
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
RETURN ${labelOf('n')} AS label, ${nameOf('n')} AS name, ${ownPropertiesOf('n')} AS properties, value`;
};
