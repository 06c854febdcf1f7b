import type { NodeReference } from '../../contract/answers/plan';
import { toldByKey } from '../../templates/graph/key-label';

/** Whose nodes a caller may see by their keys. */
export interface Sight {
  readonly dataSource: string;
  /** Whether it also sees nodes of other data sources. */
  readonly seesOthers: boolean;
}

/** A node by its key. */
export const plannedEnd = (key: string, { dataSource, seesOthers }: Sight): NodeReference => {
  const { label, dataSource: of } = toldByKey(key);
  const isSeen = seesOthers || of === null || of === dataSource;
  return { label, id: isSeen ? key : null };
};

/** Whether a node is a row of a data source: shared nodes belong to nobody. */
export const isRowOf = (key: string | null, dataSource: string): boolean =>
  key !== null && toldByKey(key).dataSource === dataSource;

/** By what ends are ordered: their labels first, so that no order follows from the id of a data source. */
export const orderOfEnd = (key: string): readonly [label: string, key: string] => [
  toldByKey(key).label,
  key,
];
