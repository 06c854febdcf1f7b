import { PRIVILEGED } from '../../../model/access-narrowing';
import { keyOf } from '../../../model/key';
import { PEOPLE, PLACES } from './kinds';

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

/** Those of some parameters that say when a page is about, and what it is compared with. */
export const instantsOf = ({ at, against }: Parameters): Parameters => ({ at, against });

/** The page of a principal. */
export const personAddress = (id: string, parameters: Parameters = {}): string =>
  address(`/console/people/${encodeURIComponent(id)}`, parameters);

/** The page of a resource or an application. */
export const resourceAddress = (id: string, parameters: Parameters = {}): string =>
  address(`/console/resources/${encodeURIComponent(id)}`, parameters);

/** The data source of a node: its key begins with it (docs/rules.md: Keys). */
export const sourceOfKey = (key: string): string => key.slice(0, Math.max(key.indexOf('|'), 0));

/** The key of an application of a data source (docs/rules.md: Keys). */
export const applicationId = (source: string, name: string): string =>
  `${source}|${keyOf('Application', name.normalize('NFC'))}`;

/** The paths of pages whose addresses others name. */
export const PATHS = {
  find: '/console',
  suggestions: '/console/suggestions',
  why: '/console/why',
  mine: '/console/mine',
  mineWhy: '/console/mine/why',
  changes: '/console/changes',
  sources: '/console/sources',
  register: '/console/register',
  events: '/console/events',
  ask: '/console/ask',
} as const;

/** Ways lead to one canonical type, or to any permission: _privileged_ means several types. */
const ofOneType = ({ permission_type, ...others }: Parameters): Parameters => {
  const [type, ...more] = [permission_type].flat();
  return { ...others, permission_type: more.length > 0 || type === PRIVILEGED ? '' : type };
};

/** The page that shows through what somebody reaches a resource. */
export const whyAddress = (parameters: Parameters): string =>
  address(PATHS.why, ofOneType(parameters));

/** The same page about the reader's own access. */
export const mineWhyAddress = (parameters: Parameters): string =>
  address(PATHS.mineWhy, ofOneType(parameters));

/** The page of a data source. */
export const sourceAddress = (id: string, parameters: Parameters = {}): string =>
  address(`${PATHS.sources}/${encodeURIComponent(id)}`, parameters);

/** The page on which an administrator pushes a file to a data source; also where its form leads. */
export const pushAddress = (id: string): string =>
  `${PATHS.sources}/${encodeURIComponent(id)}/push`;

/** The keys that push to the provider of a data source; also where their forms lead. */
export const keysAddress = (id: string): string =>
  `${PATHS.sources}/${encodeURIComponent(id)}/keys`;

/** The page of who gained and who lost what. */
export const changesAddress = (parameters: Parameters): string =>
  address(PATHS.changes, parameters);

/** The page of an entity by its label; `null` if the console has none for it. */
export const entityAddress = (
  { id, label }: { readonly id: string; readonly label: string },
  parameters: Parameters = {},
): string | null => {
  if (PLACES.includes(label)) return resourceAddress(id, parameters);
  return PEOPLE.includes(label) ? personAddress(id, parameters) : null;
};

/** Where browsers download tables as CSV. */
export const CSV_ADDRESSES = {
  access: '/console/csv/access',
  changes: '/console/csv/changes',
  entities: '/console/csv/entities',
  pushes: '/console/csv/pushes',
  query: '/console/csv/query',
  why: '/console/csv/why',
  members: '/console/csv/members',
  losses: '/console/csv/losses',
} as const;

/** Where browsers download the map of Why as a picture. */
export const WHY_PICTURE = '/console/picture/why';

/** Those that are also there in words, for people (`words=true`). */
export const CSV_IN_WORDS: readonly string[] = [CSV_ADDRESSES.access, CSV_ADDRESSES.changes];
