import { nodeKinds } from '../../../templates/graph/nodes';

/** The parameters of an address. What is empty or absent is left out. */
export type Parameters = Readonly<
  Record<string, string | readonly string[] | number | null | undefined>
>;

/** An address of the console with these parameters. */
export const address = (path: string, parameters: Parameters = {}): string => {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of [value].flat()) {
      if (one !== null && one !== undefined && one !== '') words.append(name, String(one));
    }
  }
  const query = words.toString();
  return query === '' ? path : `${path}?${query}`;
};

/** The page of a principal. */
export const personAddress = (id: string, parameters: Parameters = {}): string =>
  address(`/console/people/${encodeURIComponent(id)}`, parameters);

/** The page of a resource or an application. */
export const resourceAddress = (id: string, parameters: Parameters = {}): string =>
  address(`/console/resources/${encodeURIComponent(id)}`, parameters);

/** The page that shows through what somebody reaches a resource. */
export const whyAddress = (parameters: Parameters): string => address('/console/why', parameters);

/** The same page about the reader's own access. */
export const mineWhyAddress = (parameters: Parameters): string =>
  address('/console/mine/why', parameters);

/** The page of a data source. */
export const sourceAddress = (id: string, parameters: Parameters = {}): string =>
  address(`/console/sources/${encodeURIComponent(id)}`, parameters);

/** The page of who gained and who lost what. */
export const changesAddress = (parameters: Parameters): string =>
  address('/console/changes', parameters);

/** The page of an entity by its label; `null` if the console has none for it. */
export const entityAddress = (
  { id, label }: { readonly id: string; readonly label: string },
  parameters: Parameters = {},
): string | null => {
  if (label === 'Resource' || label === 'Application') return resourceAddress(id, parameters);
  return PRINCIPALS.has(label) ? personAddress(id, parameters) : null;
};

const PRINCIPALS = new Set(
  nodeKinds.filter(({ also }) => also.includes('Principal')).map(({ label }) => label),
);

/** Where browsers download tables as CSV. */
export const CSV_ADDRESSES = {
  access: '/console/csv/access',
  changes: '/console/csv/changes',
  entities: '/console/csv/entities',
  pushes: '/console/csv/pushes',
  query: '/console/csv/query',
} as const;
