import { fold } from '../../model/fold';
import { type Attribute, attributesOf, named, type ResourceKind, splitSchema } from './attributes';
import { BadFilter, type Filter } from './filter-text';

type Comparison = Extract<Filter, { readonly compValue: unknown }>;

/** What `meta`, `id` and the like are to filters: no schema of a kind lists them. */
const TOLD: readonly Attribute[] = [
  { name: 'id', type: 'string', doc: 'The id.', isCaseExact: true },
  { name: 'schemas', type: 'string', doc: 'The schemas.', isList: true },
  {
    ...{ name: 'meta', type: 'complex', doc: 'When the resource came and changed.' },
    subs: [
      { name: 'resourceType', type: 'string', doc: 'The kind.' },
      { name: 'created', type: 'string', doc: 'When it came.' },
      { name: 'lastModified', type: 'string', doc: 'When it changed.' },
      { name: 'location', type: 'string', doc: 'Its address.' },
    ],
  },
];

/** An attribute that a filter compares: its names from the outside in, and what it is. */
interface Compared {
  readonly names: readonly string[];
  readonly attribute: Attribute;
}

const unknown = (path: string): BadFilter =>
  new BadFilter(`${JSON.stringify(path)} is no attribute`);

/** Finds the attribute of a path. A list of objects without a part means their `value`. */
const comparedAt = (attributes: readonly Attribute[], path: string): Compared => {
  const [first = '', second, ...more] = path.split('.');
  const attribute = named(attributes, first);
  if (attribute === undefined || more.length > 0) throw unknown(path);
  const { name, subs } = attribute;
  if (subs === undefined) {
    if (second !== undefined) throw unknown(path);
    return { names: [name], attribute };
  }
  const sub = named(subs, second ?? 'value');
  if (sub === undefined) throw unknown(path);
  return { names: [name, sub.name], attribute: sub };
};

const withoutSchema = (kind: ResourceKind, path: string): string => {
  const { rest } = splitSchema(kind, path);
  return rest === '' ? path : rest;
};

const valuesAt = (held: unknown, names: readonly string[]): readonly unknown[] => {
  if (Array.isArray(held)) return held.flatMap((one) => valuesAt(one, names));
  const [name, ...rest] = names;
  if (name === undefined) return held === undefined || held === null ? [] : [held];
  if (typeof held !== 'object' || held === null) return [];
  return valuesAt((held as Readonly<Record<string, unknown>>)[name], rest);
};

const folded = ({ isCaseExact }: Attribute, value: unknown): string =>
  isCaseExact === true ? String(value).normalize('NFC') : fold(String(value));

const compares = ({ op }: Comparison, held: string, wanted: string): boolean => {
  switch (op) {
    case 'eq':
      return held === wanted;
    case 'ne':
      return held !== wanted;
    case 'co':
      return held.includes(wanted);
    case 'sw':
      return held.startsWith(wanted);
    case 'ew':
      return held.endsWith(wanted);
    case 'gt':
      return held > wanted;
    case 'ge':
      return held >= wanted;
    case 'lt':
      return held < wanted;
    case 'le':
      return held <= wanted;
  }
};

/** Whether something fits a filter. */
export type Matches = (held: unknown) => boolean;

const comparison = (filter: Comparison, { names, attribute }: Compared): Matches => {
  const { op, compValue } = filter;
  if (compValue === null) {
    if (op === 'eq') return (held) => valuesAt(held, names).length === 0;
    if (op === 'ne') return (held) => valuesAt(held, names).length > 0;
    throw new BadFilter(`null can be compared with eq and ne alone`);
  }
  const wanted = folded(attribute, compValue);
  return (held) => {
    const values = valuesAt(held, names);
    if (op === 'ne' && values.length === 0) return true;
    return values.some((value) => compares(filter, folded(attribute, value), wanted));
  };
};

const matchesWith = (
  filter: Filter,
  attributes: readonly Attribute[],
  spelled: (path: string) => string,
): Matches => {
  switch (filter.op) {
    case 'and': {
      const all = filter.filters.map((one) => matchesWith(one, attributes, spelled));
      return (held) => all.every((matches) => matches(held));
    }
    case 'or': {
      const all = filter.filters.map((one) => matchesWith(one, attributes, spelled));
      return (held) => all.some((matches) => matches(held));
    }
    case 'not': {
      const matches = matchesWith(filter.filter, attributes, spelled);
      return (held) => !matches(held);
    }
    case '[]': {
      const path = spelled(filter.attrPath);
      const attribute = named(attributes, path);
      if (attribute?.subs === undefined) throw unknown(filter.attrPath);
      const matches = matchesWith(filter.valFilter, attribute.subs, (sub) => sub);
      return (held) => valuesAt(held, [attribute.name]).some(matches);
    }
    case 'pr': {
      const { names } = comparedAt(attributes, spelled(filter.attrPath));
      return (held) => valuesAt(held, names).length > 0;
    }
    case 'eq':
    case 'ne':
    case 'co':
    case 'sw':
    case 'ew':
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
      return comparison(filter, comparedAt(attributes, spelled(filter.attrPath)));
  }
};

/** What a filter means for resources of a kind. Throws `BadFilter` if it names other attributes. */
export const matchesOf = (kind: ResourceKind, filter: Filter): Matches =>
  matchesWith(filter, [...TOLD, ...attributesOf(kind)], (path) => withoutSchema(kind, path));

/** What a filter means for the entries of a list. */
export const matchesEntry = ({ subs = [] }: Attribute, filter: Filter): Matches =>
  matchesWith(filter, subs, (path) => path);

/** A value by which Neo4j finds the resources that may fit a filter. */
export interface Sought {
  readonly by: 'id' | 'name' | 'external';
  readonly value: string;
}

/** What every resource that fits the filter has, where an index or one property finds it. */
export const soughtBy = (kind: ResourceKind, filter: Filter): Sought | null => {
  if (filter.op === 'and') {
    for (const one of filter.filters) {
      const sought = soughtBy(kind, one);
      if (sought !== null) return sought;
    }
    return null;
  }
  if (filter.op !== 'eq' || typeof filter.compValue !== 'string') return null;
  const value = filter.compValue;
  const path = withoutSchema(kind, filter.attrPath).toLowerCase();
  if (path === 'id') return { by: 'id', value };
  if (path === 'externalid') return { by: 'external', value };
  if (path === kind.naming.toLowerCase()) return { by: 'name', value };
  return null;
};

/** Whether a filter looks at an attribute. */
export const looksAt = (filter: Filter, name: string): boolean => {
  if ('filters' in filter) return filter.filters.some((one) => looksAt(one, name));
  if ('filter' in filter) return looksAt(filter.filter, name);
  return filter.attrPath.toLowerCase().split(/[.:]/).includes(name.toLowerCase());
};
