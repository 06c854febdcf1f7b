import { type Filter, readPath, splitPath } from '../../../contract/filters/filter-grammar';
import {
  type Attribute,
  attributeNamed,
  isOurs,
  isNotStored,
  named,
  type ResourceKind,
  splitSchema,
} from '../attributes';

/** An attribute that a path names, or a part of it. */
export interface AttributePath {
  readonly attribute: Attribute;
  /** Which entries of the list are meant; null: all. */
  readonly filter: Filter | null;
  readonly sub: Attribute | null;
}

/**
 * What a path names: an attribute, a schema with all its attributes, an attribute that the service
 * writes itself, one that it does not store, or entries of something that is no list.
 */
export type NamedPath =
  | ({ readonly _tag: 'attribute' } & AttributePath)
  | { readonly _tag: 'schema'; readonly schema: string }
  | { readonly _tag: 'ours' | 'unkept'; readonly name: string }
  | { readonly _tag: 'no list' };

/**
 * Finds what a path names, such as `userName`, `name.givenName`, `emails[type eq "work"].value`, or
 * one of these after the URN of a schema (RFC 7644, 3.10). Throws `FilterFault`.
 */
export const namedBy = (kind: ResourceKind, text: string): NamedPath => {
  const { path, filter, sub } = readPath(text);
  const { schema, rest } = splitSchema(kind, path);
  if (schema !== null && rest === '') return { _tag: 'schema', schema };
  const { names = [], schema: other = '' } = splitPath(rest) ?? {};
  const [name = '', part = sub, ...more] = names;
  if (other !== '') return { _tag: 'unkept', name: path };
  if (isOurs(name)) return { _tag: 'ours', name };
  const attribute = attributeNamed(kind, name);
  const isDeeper = more.length > 0 || (sub !== null && names.length > 1);
  if (attribute === undefined || isDeeper || (part !== null && attribute.subs === undefined)) {
    return { _tag: 'unkept', name: isNotStored(kind, name) ? name : path };
  }
  const subAttribute = part === null ? null : named(attribute.subs ?? [], part);
  // Parts of a stored attribute, such as `emails.display`, may be ones that the service drops.
  if (subAttribute === undefined) return { _tag: 'unkept', name: `${name}.${part ?? ''}` };
  if (filter !== null && attribute.isList === undefined) return { _tag: 'no list' };
  return { _tag: 'attribute', attribute, filter, sub: subAttribute };
};
