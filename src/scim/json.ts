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

const BRACES = /["[\]{}]/g;

/** Whether lists and objects of a text of JSON lie deeper in each other than is read. */
const isTooDeep = (text: string): boolean => {
  let depth = 0;
  BRACES.lastIndex = 0;
  for (let found = BRACES.exec(text); found !== null; found = BRACES.exec(text)) {
    const [mark] = found;
    if (mark === '"') {
      let end = text.indexOf('"', BRACES.lastIndex);
      while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
      if (end < 0) return false;
      BRACES.lastIndex = end + 1;
    } else {
      depth += mark === '[' || mark === '{' ? 1 : -1;
      if (depth > MOST_DEPTH) return true;
    }
  }
  return false;
};

/** Whether an odd number of backslashes is before a place. */
const isEscaped = (text: string, place: number): boolean => {
  let first = place;
  while (first > 0 && text[first - 1] === '\\') first -= 1;
  return (place - first) % 2 === 1;
};

/** The object of a text of JSON; null where it is none, or is nested too deep to be read. */
export const parseObject = (text: string): Json | null => {
  if (isTooDeep(text)) return null;
  try {
    const value = JSON.parse(text) as unknown;
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
};
