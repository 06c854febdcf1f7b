import { isJsonObject, type Json } from '../json';

type Hide = (text: string) => string;

/** The text that replaces a secret (`hider`). */
const MASK = '***';

const hiddenIn = (value: unknown, hide: Hide): unknown => {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return hiddenInList(value, hide);
  return isJsonObject(value) ? withoutSecrets(value, hide) : value;
};

// Nearly all answers repeat no secret, so a copy is made only from the first masked text on.
const hiddenInList = (list: readonly unknown[], hide: Hide): readonly unknown[] => {
  let copy: unknown[] | null = null;
  for (const [at, each] of list.entries()) {
    const inside = hiddenIn(each, hide);
    if (inside !== each) copy ??= list.slice(0, at);
    copy?.push(inside);
  }
  return copy ?? list;
};

/**
 * The object of an answer, without texts that repeat a secret: `hide` masks them, in values and in
 * names of fields. If the id of a resource repeats one, the resource gets no id. Returns the same
 * object if there is nothing to hide (docs/security.md: Secrets of applications).
 */
export const withoutSecrets = (object: Json, hide: Hide): Json => {
  let copy: (readonly [string, unknown])[] | null = null;
  const names = Object.keys(object);
  for (const [at, name] of names.entries()) {
    const value = object[name];
    const [shown, inside] = [hide(name), hiddenIn(value, hide)];
    const isMasked = shown !== name || inside !== value;
    if (isMasked) copy ??= names.slice(0, at).map((each) => [each, object[each]]);
    // An id with a mask in it would be the id of nothing, or of somebody else.
    if (isMasked && name.toLowerCase() === 'id') continue;
    copy?.push([shown, inside]);
  }
  return copy === null ? object : Object.fromEntries(copy);
};

/** Whether a body to write holds something that was masked, and so would overwrite it. */
export const holdsMask = (body: Json): boolean => JSON.stringify(body).includes(MASK);
