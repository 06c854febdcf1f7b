import { excessOf } from '../../json/size';

/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** Whether a value is an object of JSON. */
export const isJsonObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The name that an object uses for a field. Names of attributes ignore case (RFC 7643, 2.1). */
export const spelled = (object: Json, name: string): string => {
  if (Object.hasOwn(object, name)) return name;
  const lower = name.toLowerCase();
  return Object.keys(object).find((key) => key.toLowerCase() === lower) ?? name;
};

/** The value of a field, however the object spells its name. */
export const fieldOf = (object: Json, name: string): unknown => {
  const key = spelled(object, name);
  return Object.hasOwn(object, key) ? object[key] : undefined;
};

/** The text of a field; null if it is no text, or an empty one. */
export const textOf = (object: Json, name: string): string | null => {
  const value = fieldOf(object, name);
  return typeof value === 'string' && value !== '' ? value : null;
};

/** The id that a field holds; null if it holds none. Some servers write ids as numbers. */
export const idIn = (object: Json, name: string): string | null => {
  const value = fieldOf(object, name);
  return typeof value === 'number' ? String(value) : textOf(object, name);
};

/** The objects of a list; null if the field holds no list. */
export const objectsOf = (object: Json, name: string): readonly Json[] | null => {
  const value = fieldOf(object, name);
  return Array.isArray(value) ? value.filter(isJsonObject) : null;
};

/**
 * The most that the service reads of an answer. SCIM needs four levels, and a group of 100,000
 * members has 600,000 values.
 */
const BOUNDS = { levels: 100, values: 2_000_000 };

/** The object in a JSON text; null if it holds none, or more than the service reads. */
export const parseObject = (text: string): Json | null => {
  if (excessOf(Buffer.from(text), BOUNDS) !== null) return null;
  try {
    const value = JSON.parse(text) as unknown;
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
};
