import { fold } from './text';

/*
 * A plain second writing of docs/provisioning.md: Filters. It judges a filter that is made of parts, where the service
 * reads a text, and looks at each resource anew for each comparison.
 */

/** A value as a filter spells it: the text between the quotes, or a word. */
export type FilterValue = { readonly quoted: string } | { readonly word: string };

/** A filter in its parts. */
export type FilterParts =
  | {
      readonly is: 'compared';
      readonly path: string;
      readonly by: string;
      readonly value: FilterValue;
    }
  | { readonly is: 'present'; readonly path: string }
  | { readonly is: 'all' | 'any'; readonly of: readonly FilterParts[] }
  | { readonly is: 'not'; readonly of: FilterParts }
  | { readonly is: 'entry'; readonly list: string; readonly of: FilterParts };

type Kind = 'text' | 'exact' | 'flag' | 'time' | 'complex';

/** What each attribute is, by its path in lower case; those in lists and of the extension too. */
const EXTENSION = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const USER_KINDS: Readonly<Record<string, Kind>> = {
  id: 'exact',
  externalid: 'exact',
  username: 'text',
  title: 'text',
  active: 'flag',
  name: 'complex',
  'name.givenname': 'text',
  emails: 'complex',
  'emails.value': 'text',
  'emails.type': 'text',
  'emails.primary': 'flag',
  meta: 'complex',
  'meta.created': 'time',
  'meta.lastmodified': 'time',
  department: 'text',
};

/** A filter that asks for what cannot be. */
class Refused extends Error {}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const member = (object: unknown, name: string): unknown => {
  if (!isObject(object)) return undefined;
  for (const [key, value] of Object.entries(object)) {
    if (key.toLowerCase() === name.toLowerCase()) return value;
  }
  return undefined;
};

const shortened = (path: string): string => {
  for (const schema of [EXTENSION, 'urn:ietf:params:scim:schemas:core:2.0:User']) {
    if (path.toLowerCase().startsWith(`${schema.toLowerCase()}:`))
      return path.slice(schema.length + 1);
  }
  return path;
};

const at = (resource: unknown, path: string): unknown => {
  const [first = '', second] = path.split('.');
  const outer = member(resource, first) ?? member(member(resource, EXTENSION), first);
  if (second === undefined) return outer;
  return Array.isArray(outer) ? outer.map((one) => member(one, second)) : member(outer, second);
};

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.values(value).every(isNothing));

/** Nanoseconds since 1970; null for what is no time. */
const nanoseconds = (text: string): bigint | null => {
  const match = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)?)?$/.exec(
    text,
  );
  if (match === null) return null;
  const [, date = '', clock = '00:00:00', fraction = '', zone = 'Z'] = match;
  const milliseconds = Date.parse(`${date}T${clock}${zone}`);
  return Number.isNaN(milliseconds)
    ? null
    : BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
};

/** All texts that a value may mean. */
const meant = (value: FilterValue): readonly string[] => {
  if ('word' in value) return [value.word];
  const asSent = value.quoted.split('\\"').join('"');
  try {
    const read = JSON.parse(`"${value.quoted}"`) as string;
    // Pairs of backslashes are escaped ones, so they begin no other escape.
    const others = value.quoted.split('\\\\').join('');
    return /\\[bfnrtu]/.test(others) ? [read, asSent] : [read];
  } catch {
    return [asSent];
  }
};

const ordered = (by: string, order: number): boolean =>
  ({
    eq: order === 0,
    ne: order !== 0,
    gt: order > 0,
    ge: order >= 0,
    lt: order < 0,
    le: order <= 0,
  })[by] ?? false;

const ORDERS = ['gt', 'ge', 'lt', 'le'];
const PARTS = ['co', 'sw', 'ew'];

const isFlag = (text: string): boolean => /^(true|false)$/i.test(text);

const fitsValue = (kind: Kind, by: string, held: unknown, wanted: string): boolean => {
  const spell = (text: string): string => (kind === 'exact' ? text.normalize('NFC') : fold(text));
  const [a, b] = [spell(String(held)), spell(wanted)];
  if (by === 'co') return a.includes(b);
  if (by === 'sw') return a.startsWith(b);
  if (by === 'ew') return a.endsWith(b);
  const [then, when] =
    kind === 'time' ? [nanoseconds(String(held)), nanoseconds(wanted)] : [null, null];
  if (then !== null && when !== null) return ordered(by, then < when ? -1 : then > when ? 1 : 0);
  return ordered(by, a < b ? -1 : a > b ? 1 : 0);
};

const comparison = (
  kinds: (path: string) => Kind | undefined,
  resource: unknown,
  { path, by, value }: Extract<FilterParts, { readonly is: 'compared' }>,
): boolean => {
  const whole = shortened(path);
  const direct = kinds(whole);
  if ('word' in value && value.word === 'null') {
    if (direct === undefined || (by !== 'eq' && by !== 'ne')) throw new Refused();
    return isNothing(at(resource, whole)) === (by === 'eq');
  }
  const inner = direct === 'complex' ? `${whole}.value` : whole;
  const kind = kinds(inner);
  if (kind === undefined || kind === 'complex') throw new Refused();
  const texts = meant(value);
  const isWordFlag = 'word' in value && isFlag(value.word);
  if (isWordFlag && ORDERS.includes(by)) throw new Refused();
  if (kind === 'flag' && (!texts.every(isFlag) || (by !== 'eq' && by !== 'ne')))
    throw new Refused();
  if (kind === 'time' && !PARTS.includes(by) && texts.some((text) => nanoseconds(text) === null)) {
    throw new Refused();
  }
  const found = at(resource, inner);
  const all = (Array.isArray(found) ? found : [found]).filter(
    (one) => one !== undefined && one !== null,
  );
  if (by === 'ne') {
    return (
      all.length === 0 || texts.every((text) => all.some((one) => fitsValue(kind, by, one, text)))
    );
  }
  return texts.some((text) => all.some((one) => fitsValue(kind, by, one, text)));
};

const judged = (
  kinds: (path: string) => Kind | undefined,
  filter: FilterParts,
  resource: unknown,
): boolean => {
  switch (filter.is) {
    case 'all': {
      const each = filter.of.map((part) => judged(kinds, part, resource));
      return !each.includes(false);
    }
    case 'any': {
      const each = filter.of.map((part) => judged(kinds, part, resource));
      return each.includes(true);
    }
    case 'not':
      return !judged(kinds, filter.of, resource);
    case 'present': {
      const path = shortened(filter.path);
      if (kinds(path) === undefined) throw new Refused();
      return !isNothing(at(resource, path));
    }
    case 'entry': {
      if (kinds(shortened(filter.list)) !== 'complex') throw new Refused();
      const inner = (path: string) => kinds(`${shortened(filter.list)}.${path}`);
      // What is wrong with it is wrong for every entry, also where there is none.
      judged(inner, filter.of, {});
      const found = at(resource, shortened(filter.list));
      const entries = Array.isArray(found) ? found : [found];
      return entries.filter(isObject).some((entry) => judged(inner, filter.of, entry));
    }
    case 'compared':
      return comparison(kinds, resource, filter);
  }
};

/** Whether a user fits a filter; `refused` if the filter asks for what cannot be. */
export const userFits = (
  filter: FilterParts,
  resource: unknown,
  { isWithoutCase = false }: { readonly isWithoutCase?: boolean } = {},
): boolean | 'refused' => {
  const kinds = (path: string): Kind | undefined => {
    const kind = Object.hasOwn(USER_KINDS, path.toLowerCase())
      ? USER_KINDS[path.toLowerCase()]
      : undefined;
    return kind === 'exact' && isWithoutCase ? 'text' : kind;
  };
  try {
    return judged(kinds, filter, resource);
  } catch (error) {
    if (error instanceof Refused) return 'refused';
    throw error;
  }
};
