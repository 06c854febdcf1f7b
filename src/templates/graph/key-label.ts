import { sharedKinds } from './nodes';

const SHARED: ReadonlySet<string> = new Set(sharedKinds.map(({ label }) => label));

/** What the key of a node that pushes wrote tells: its label, and the data source before it; of a data source there is nothing but its id (docs/rules.md: Keys). */
export const toldByKey = (
  key: string,
): { readonly label: string; readonly dataSource: string | null } => {
  const [first = '', second] = key.split('|', 2);
  return SHARED.has(first)
    ? { label: first, dataSource: null }
    : { label: second ?? 'DataSource', dataSource: first };
};
