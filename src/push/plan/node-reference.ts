import type { NodeReference } from '../../contract/answers/plan';
import { describedByKey } from '../../templates/graph/key-label';

/** Which nodes a caller may see by their keys. */
export interface Sight {
  readonly dataSource: string;
  /** Whether the caller may also see nodes of other data sources. */
  readonly seesOthers: boolean;
}

/** A reference to a node. The id is `null` if the caller may not see the node. */
export const plannedEnd = (key: string, { dataSource, seesOthers }: Sight): NodeReference => {
  const { label, dataSource: of } = describedByKey(key);
  const isSeen = seesOthers || of === null || of === dataSource;
  return { label, id: isSeen ? key : null };
};

/** Whether a node is a row of the data source. Shared nodes belong to no data source. */
export const isRowOf = (key: string | null, dataSource: string): boolean =>
  key !== null && describedByKey(key).dataSource === dataSource;

/**
 * The sort order of a node. The label comes first, so that the order does not show the id of a data
 * source.
 */
export const orderOfEnd = (key: string): readonly [label: string, key: string] => [
  describedByKey(key).label,
  key,
];
