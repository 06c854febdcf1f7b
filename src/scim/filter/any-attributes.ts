import { splitPath } from '../../contract/filters/filter-grammar';
import { fieldOf, isJsonObject } from '../client/json';
import type { FilteredAttributes } from './matching';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';
const FLAGS = /^(?:active|(?:\w+\.)?primary)$/i;
const TIMES = /^meta\.(?:created|lastmodified)$/i;

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** The value of a field. Without a schema, the field of an extension is found too. */
const field = (held: unknown, name: string): unknown => {
  if (!isJsonObject(held)) return undefined;
  const own = fieldOf(held, name);
  if (own !== undefined) return own;
  for (const [key, extension] of Object.entries(held)) {
    if (!/^urn:/i.test(key) || !isJsonObject(extension)) continue;
    const value = fieldOf(extension, name);
    if (value !== undefined) return value;
  }
  return undefined;
};

/** The values that a resource holds at a path. For a list, these are the values of its entries. */
const heldAt = (path: string): ((held: unknown) => unknown) => {
  const { schema, names } = splitPath(path) ?? { schema: '', names: [path] };
  const isCore = schema === '' || schema.toLowerCase().startsWith(CORE);
  return (held) => {
    // Only the URN of an extension.
    const extension = schema === '' || !isJsonObject(held) ? undefined : fieldOf(held, path);
    if (extension !== undefined) return extension;
    const root = isCore || !isJsonObject(held) ? held : fieldOf(held, schema);
    return names.reduce<unknown>(
      (inner, name) =>
        Array.isArray(inner) ? inner.map((each) => field(each, name)) : field(inner, name),
      root,
    );
  };
};

/** The attributes of resources whose schemas are not known: every path may be one, without case. */
export const ANY_ATTRIBUTES: FilteredAttributes = {
  compared: (path) => {
    const held = heldAt(path);
    return {
      type: FLAGS.test(path) ? 'flag' : TIMES.test(path) ? 'time' : 'any',
      isCaseExact: false,
      // An object is compared by its value.
      values: (of) =>
        listed(held(of))
          .flat()
          .map((value) => (isJsonObject(value) ? fieldOf(value, 'value') : value)),
    };
  },
  held: heldAt,
  list: (path) => {
    const held = heldAt(path);
    return {
      entries: (of) => listed(held(of)).filter((entry) => isJsonObject(entry)),
      attributes: ANY_ATTRIBUTES,
    };
  },
};
