/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** Whether a value is an object of JSON. */
export const isJsonObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The name with which an object spells a field: names of attributes have no case (RFC 7643, 2.1). */
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

/** The text of a field; null where it is no text, or an empty one. */
export const textOf = (object: Json, name: string): string | null => {
  const value = fieldOf(object, name);
  return typeof value === 'string' && value !== '' ? value : null;
};

/** The id that a field holds; null where it holds none. Servers exist that write ids as numbers. */
export const idIn = (object: Json, name: string): string | null => {
  const value = fieldOf(object, name);
  return typeof value === 'number' ? String(value) : textOf(object, name);
};

/** The objects of a list; null where the field holds no list. */
export const objectsOf = (object: Json, name: string): readonly Json[] | null => {
  const value = fieldOf(object, name);
  return Array.isArray(value) ? value.filter(isJsonObject) : null;
};

/** The deepest nesting of an answer that is read. SCIM needs four levels. */
const MOST_DEPTH = 100;

/** The most entries and fields of an answer that is read. A group of 100,000 members has 600,000. */
const MOST_VALUES = 2_000_000;

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Where the text in quotes ends that begins at a place. */
const endOfText = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at;
};

/** Whether a text of JSON holds more than is read: lists and objects in each other, or values. */
const isTooMuch = (text: string): boolean => {
  let [depth, values] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) {
      at = endOfText(text, at);
    } else if (sign === LIST || sign === OBJECT) {
      depth += 1;
      values += 1;
    } else if (sign === LIST_END || sign === OBJECT_END) depth -= 1;
    else if (sign === COMMA) values += 1;
    if (depth > MOST_DEPTH || values > MOST_VALUES) return true;
  }
  return false;
};

/** The object of a text of JSON; null where it is none, or holds more than is read. */
export const parseObject = (text: string): Json | null => {
  if (isTooMuch(text)) return null;
  try {
    const value = JSON.parse(text) as unknown;
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
};
