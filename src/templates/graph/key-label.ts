import { sharedKinds } from './nodes';

const SHARED: ReadonlySet<string> = new Set(sharedKinds.map(({ label }) => label));

/**
 * Reads the label and the data source out of a node's key. A shared node belongs to no data source.
 * The key of a data source is its id alone (docs/rules.md: Keys).
 */
export const describedByKey = (
  key: string,
): { readonly label: string; readonly dataSource: string | null } => {
  const [first = '', second] = key.split('|', 2);
  return SHARED.has(first)
    ? { label: first, dataSource: null }
    : { label: second ?? 'DataSource', dataSource: first };
};
