import { fieldOf, isJsonObject, type Json, objectsOf, spelled } from './json';

/** The value of an attribute of an account. */
export type AttributeValue = string | boolean;

/** Attributes of an account by their paths, such as `name.givenName`. */
export type Attributes = ReadonlyMap<string, AttributeValue>;

/** A path of an attribute, in its parts. */
export interface AttributePath {
  /** The URN of an extension; null for attributes of the core. */
  readonly schema: string | null;
  readonly name: string;
  /** The `type` of the entry in a list; null if the attribute is no list. */
  readonly type: string | null;
  readonly sub: string | null;
}

const PATH =
  /^(?:(urn:[\w:.-]+):)?([A-Za-z][\w$-]*)(?:\[type eq "([^"\\]{1,64})"\])?(?:\.([A-Za-z][\w$-]*))?$/;

/**
 * Reads a path: `userName`, `name.givenName`, `emails[type eq "work"].value`, or one of these after
 * the URN of an extension. Null if the text is no path.
 */
export const parsePath = (path: string): AttributePath | null => {
  const [, schema = null, name, type = null, sub = null] = PATH.exec(path) ?? [];
  if (name === undefined || (type !== null && sub === null)) return null;
  return { schema, name, type, sub };
};

const partsOf = (path: string): AttributePath => {
  const parts = parsePath(path);
  if (parts === null) throw new Error(`${path} is no path of an attribute`);
  return parts;
};

/** A value without case. Lists and objects are no values, and equal nothing. */
const fold = (value: unknown): string | null =>
  typeof value === 'object' && value !== null ? null : String(value).normalize('NFC').toLowerCase();

/**
 * Attributes in which values that differ only by case are different. All others compare without
 * case.
 */
const CASE_EXACT: ReadonlySet<string> = new Set(['externalid', 'id']);

/**
 * Whether two values of an attribute are the same. Most attributes ignore case (RFC 7643, 2.2), and
 * some servers change them to lower case, or spell `true` as a text.
 */
export const isSame = (path: string, a: unknown, b: unknown): boolean =>
  CASE_EXACT.has(path.toLowerCase()) ? a === b : fold(a) !== null && fold(a) === fold(b);

const holderOf = (resource: Json, { schema }: AttributePath): Json | null => {
  if (schema === null) return resource;
  const extension = fieldOf(resource, schema);
  return isJsonObject(extension) ? extension : null;
};

/**
 * The entry of a list that has the type. If no entry has any type, it is the primary or the first
 * one, because some servers drop types.
 */
export const entryOf = (entries: readonly Json[], type: string): Json | undefined =>
  entries.find((entry) => isSame('type', fieldOf(entry, 'type'), type)) ??
  (entries.every((entry) => fieldOf(entry, 'type') === undefined)
    ? (entries.find((entry) => fieldOf(entry, 'primary') === true) ?? entries[0])
    : undefined);

/**
 * The email to use if only one can be used: the primary one, or else the one at work, or else the
 * first.
 */
export const mainEmail = <A>(
  emails: readonly A[],
  isPrimary: (email: A) => boolean,
  typeOf: (email: A) => string | null,
): A | undefined =>
  emails.find(isPrimary) ??
  emails.find((email) => typeOf(email)?.toLowerCase() === 'work') ??
  emails[0];

/** The value that a resource has at a path; undefined if it has none. */
export const valueAt = (resource: Json, path: string): unknown => {
  const parts = partsOf(path);
  const holder = holderOf(resource, parts);
  if (holder === null) return undefined;
  const { name, type, sub } = parts;
  if (type !== null) {
    const entry = entryOf(objectsOf(holder, name) ?? [], type);
    return entry === undefined ? undefined : fieldOf(entry, sub as string);
  }
  const value = fieldOf(holder, name);
  if (sub === null) return value;
  return isJsonObject(value) ? fieldOf(value, sub) : undefined;
};

/** An account that does not say whether it is active counts as active. */
const shownAt = (resource: Json, path: string): unknown => {
  const value = valueAt(resource, path);
  return path.toLowerCase() === 'active' ? (value ?? true) : value;
};

/** The attributes that differ from those of a resource. */
export const differing = (wanted: Attributes, resource: Json): Attributes =>
  new Map([...wanted].filter(([path, value]) => !isSame(path, value, shownAt(resource, path))));

const withEntry = (
  entries: readonly Json[],
  type: string,
  sub: string,
  value: AttributeValue,
): readonly Json[] => {
  const entry = entryOf(entries, type);
  if (entry !== undefined) {
    return entries.map((each) =>
      each === entry ? { ...each, [spelled(each, sub)]: value } : each,
    );
  }
  const hasPrimary = entries.some((each) => fieldOf(each, 'primary') === true);
  return [...entries, { [sub]: value, type, ...(hasPrimary ? {} : { primary: true }) }];
};

const put = (object: Json, name: string, value: unknown): Json => ({
  ...object,
  [spelled(object, name)]: value,
});

/** The resource with another value at a path. */
export const withValue = (resource: Json, path: string, value: AttributeValue): Json => {
  const parts = partsOf(path);
  const { schema, name, type, sub } = parts;
  const holder = holderOf(resource, parts) ?? {};
  const old = fieldOf(holder, name);
  const next =
    type !== null
      ? withEntry(objectsOf(holder, name) ?? [], type, sub as string, value)
      : sub !== null
        ? put(isJsonObject(old) ? old : {}, sub, value)
        : value;
  const changed = put(holder, name, next);
  if (schema === null) return changed;
  const schemas = fieldOf(resource, 'schemas');
  const named: readonly unknown[] = Array.isArray(schemas) ? schemas : [];
  return put(
    named.includes(schema) ? resource : put(resource, 'schemas', [...named, schema]),
    schema,
    changed,
  );
};
