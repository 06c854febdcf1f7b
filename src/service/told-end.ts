import { sharedKinds } from '../model/nodes';

/** A node as answers name it; `id` is its key (api.md 7). */
export interface ToldEnd {
  readonly label: string;
  /** `null` of what a caller that is limited to some providers may not see. */
  readonly id: string | null;
}

/** Whose nodes a caller may see by their keys. */
export interface Sight {
  readonly dataSource: string;
  /** Whether it also sees nodes of other data sources. */
  readonly seesOthers: boolean;
}

const SHARED: ReadonlySet<string> = new Set(sharedKinds.map(({ label }) => label));

/** A node by its key, which begins with its label, or with its data source and its label (graph.md 4). */
export const toldEnd = (key: string, { dataSource, seesOthers }: Sight): ToldEnd => {
  const [first = '', second = 'DataSource'] = key.split('|', 2);
  if (SHARED.has(first)) return { label: first, id: key };
  return { label: second, id: seesOthers || first === dataSource ? key : null };
};
