import type { Filter } from '../../contract/filters/filter-grammar';
import {
  type Compared,
  compileFilter,
  type FilteredAttributes,
  type Matches,
} from '../filter/matching';
import {
  type Attribute,
  attributesOf,
  byName,
  KINDS,
  named,
  type ResourceKind,
  splitSchema,
} from './attributes';

/** What `meta`, `id` and the like are to filters: no schema of a kind lists them. */
const META_ATTRIBUTES: readonly Attribute[] = [
  { name: 'id', type: 'string', doc: 'The id.', isCaseExact: true },
  { name: 'schemas', type: 'string', doc: 'The schemas.', isList: true },
  {
    name: 'meta',
    type: 'complex',
    doc: 'When the resource came and changed.',
    subs: [
      { name: 'resourceType', type: 'string', doc: 'The kind.' },
      { name: 'created', type: 'dateTime', doc: 'When it came.' },
      { name: 'lastModified', type: 'dateTime', doc: 'When it changed.' },
      { name: 'location', type: 'reference', doc: 'Its address.' },
    ],
  },
];

type Holder = Readonly<Record<string, unknown>>;

const isHolder = (held: unknown): held is Holder =>
  typeof held === 'object' && held !== null && !Array.isArray(held);

const partOf = (held: unknown, name: string): unknown => (isHolder(held) ? held[name] : undefined);

/** An attribute, or a part of one, and where a resource holds it. */
interface Placed {
  readonly attribute: Attribute;
  readonly sub: Attribute | null;
  readonly held: (resource: unknown) => unknown;
}

/** Finds the attribute of a path. */
type Place = (path: string) => Placed | null;

const TYPES = { boolean: 'flag', dateTime: 'time' } as const;

const listed = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]) : value === undefined ? [] : [value];

const compared = (place: Place, path: string): Compared | null => {
  const placed = place(path);
  if (placed === null) return null;
  const { attribute, sub, held } = placed;
  // Objects without a part mean their `value`.
  const part = sub ?? (attribute.subs === undefined ? null : named(attribute.subs, 'value'));
  if (part === undefined) return null;
  const { type, isCaseExact } = part ?? attribute;
  const isInside = sub === null && part !== null;
  return {
    type: type === 'boolean' || type === 'dateTime' ? TYPES[type] : 'text',
    isCaseExact: isCaseExact === true,
    values: isInside
      ? (resource) => listed(held(resource)).map((each) => partOf(each, part.name))
      : (resource) => listed(held(resource)),
  };
};

const entriesOf = (attributes: readonly Attribute[]): FilteredAttributes => {
  const place: Place = (path) => {
    const attribute = named(attributes, path);
    return attribute === undefined
      ? null
      : { attribute, sub: null, held: (entry) => partOf(entry, attribute.name) };
  };
  return filtered(place);
};

const filtered = (place: Place): FilteredAttributes => ({
  compared: (path) => compared(place, path),
  held: (path) => place(path)?.held ?? null,
  list: (path) => {
    const placed = place(path);
    const subs = placed?.sub === null ? placed.attribute.subs : undefined;
    return placed === null || subs === undefined
      ? null
      : {
          entries: (held) => listed(placed.held(held)).filter(isHolder),
          attributes: entriesOf(subs),
        };
  },
});

const placing = (kind: ResourceKind): Place => {
  const attributes = byName([...META_ATTRIBUTES, ...attributesOf(kind)]);
  const { extension } = kind;
  const extended = byName(extension?.attributes ?? []);
  return (path) => {
    const { schema, rest } = splitSchema(kind, path);
    if (extension !== null && schema === extension.schema && rest === '') {
      const attribute: Attribute = { name: schema, type: 'complex', subs: [], doc: '' };
      return { attribute, sub: null, held: (resource) => partOf(resource, schema) };
    }
    const [first = '', second, ...more] = rest.split('.');
    const attribute = attributes.get(first.toLowerCase());
    if (attribute === undefined || more.length > 0) return null;
    const sub = second === undefined ? null : named(attribute.subs ?? [], second);
    if (sub === undefined) return null;
    const outer =
      extension !== null && extended.has(first.toLowerCase())
        ? (resource: unknown) => partOf(partOf(resource, extension.schema), attribute.name)
        : (resource: unknown) => partOf(resource, attribute.name);
    if (sub === null) return { attribute, sub, held: outer };
    const held = (resource: unknown): unknown => {
      const inner = outer(resource);
      return Array.isArray(inner)
        ? inner.map((each) => partOf(each, sub.name)).filter((each) => each !== undefined)
        : partOf(inner, sub.name);
    };
    return { attribute, sub, held };
  };
};

const ATTRIBUTES: ReadonlyMap<ResourceKind, FilteredAttributes> = new Map(
  KINDS.map((kind) => [kind, filtered(placing(kind))]),
);

/** What a filter means for resources of a kind, as clients read them. Throws `FilterFault`. */
export const matchesOf = (kind: ResourceKind, filter: Filter): Matches =>
  compileFilter(filter, ATTRIBUTES.get(kind) as FilteredAttributes);

/**
 * What a filter means for the entries of a list, as the service holds them. Throws `FilterFault`.
 * It holds no addresses of entries, so nothing is found by them.
 */
export const matchesEntry = ({ subs = [] }: Attribute, filter: Filter): Matches =>
  compileFilter(filter, entriesOf(subs.filter(({ type }) => type !== 'reference')));

/** Values by which Neo4j finds the resources that may fit a filter. */
export interface Sought {
  readonly by: 'id' | 'name' | 'external';
  readonly values: readonly string[];
}

/**
 * A value that every resource that fits the filter has, if an index or one property can find it.
 */
export const soughtBy = (kind: ResourceKind, filter: Filter): Sought | null => {
  if (filter.kind === 'and') {
    for (const one of filter.parts) {
      const sought = soughtBy(kind, one);
      if (sought !== null) return sought;
    }
    return null;
  }
  if (filter.kind === 'or') {
    const all = filter.parts.map((part) => soughtBy(kind, part));
    const by = all[0]?.by;
    return by !== undefined && all.every((each) => each?.by === by)
      ? { by, values: [...new Set(all.flatMap((each) => each?.values ?? []))] }
      : null;
  }
  if (filter.kind !== 'condition' || filter.operator !== 'eq' || filter.value === null) return null;
  const { spelled: value } = filter;
  const path = splitSchema(kind, filter.property).rest.toLowerCase();
  if (path === 'id') return { by: 'id', values: [value] };
  if (path === 'externalid') {
    // The graph has external ids as they were sent.
    return {
      by: 'external',
      values: [...new Set([value, value.normalize('NFC'), value.normalize('NFD')])],
    };
  }
  if (path === kind.naming.toLowerCase()) return { by: 'name', values: [value] };
  return null;
};
