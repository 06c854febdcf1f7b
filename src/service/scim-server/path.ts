import {
  type Attribute,
  attributesOf,
  isUnkept,
  named,
  type ResourceKind,
  splitSchema,
} from './attributes';
import { type Filter, parseFilter } from './filter-text';

/** An attribute that a path names, or a part of it. */
export interface AttributePath {
  readonly attribute: Attribute;
  /** Which entries of the list are meant; null: all. */
  readonly filter: Filter | null;
  readonly sub: Attribute | null;
}

/** What a path names: an attribute, a whole schema, one that the service does not keep, or nothing. */
export type NamedPath =
  | ({ readonly _tag: 'attribute' } & AttributePath)
  | { readonly _tag: 'schema'; readonly schema: string }
  | { readonly _tag: 'unkept'; readonly name: string }
  | { readonly _tag: 'unknown' };

const UNKNOWN: NamedPath = { _tag: 'unknown' };
const PARTS = /^([a-z$][\w$-]*)(?:\[(.*)\])?(?:\.([a-z$][\w$-]*))?$/is;
/** More than the path of any client has. */
const LONGEST = 4096;

/**
 * Finds what a path names, such as `userName`, `name.givenName`, `emails[type eq "work"].value`, or
 * one of these after the URN of a schema (RFC 7644, 3.10). Throws `BadFilter`.
 */
export const namedBy = (kind: ResourceKind, path: string): NamedPath => {
  if (path.length > LONGEST) return UNKNOWN;
  const { schema, rest } = splitSchema(kind, path.trim());
  if (schema !== null && rest === '') return { _tag: 'schema', schema };
  const [, name, filter, sub] = PARTS.exec(rest) ?? [];
  if (name === undefined) return UNKNOWN;
  const attribute = named(attributesOf(kind), name);
  if (attribute === undefined) {
    return isUnkept(kind, name) ? { _tag: 'unkept', name } : UNKNOWN;
  }
  const subAttribute = sub === undefined ? null : named(attribute.subs ?? [], sub);
  if (subAttribute === undefined) {
    // Parts of a kept attribute, such as `emails.display`, may be ones that the service drops.
    return attribute.subs === undefined
      ? UNKNOWN
      : { _tag: 'unkept', name: `${name}.${sub ?? ''}` };
  }
  if (filter !== undefined && attribute.isList === undefined) return UNKNOWN;
  return {
    _tag: 'attribute',
    attribute,
    filter: filter === undefined ? null : parseFilter(filter),
    sub: subAttribute,
  };
};
