import { isJsonObject, type Json } from '../json';

type Hide = (text: string) => string;

/** What stands in place of a secret (`hider`). */
const MASK = '***';

const hiddenIn = (value: unknown, hide: Hide): unknown => {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return hiddenInList(value, hide);
  return isJsonObject(value) ? withoutSecrets(value, hide) : value;
};

// Nearly all answers repeat nothing. So a copy is made from the first text on that is masked.
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
 * The object of an answer in which no text repeats a secret: `hide` masks it, in values and in names
 * of fields. A resource whose id repeats one has no id. Gives the same object where there is nothing
 * to hide (docs/security.md: Secrets of applications).
 */
export const withoutSecrets = (object: Json, hide: Hide): Json => {
  let copy: (readonly [string, unknown])[] | null = null;
  const names = Object.keys(object);
  for (const [at, name] of names.entries()) {
    const value = object[name];
    const [shown, inside] = [hide(name), hiddenIn(value, hide)];
    const isMasked = shown !== name || inside !== value;
    if (isMasked) copy ??= names.slice(0, at).map((each) => [each, object[each]]);
    // An id with a mask in it would be that of nothing, or of somebody else.
    if (isMasked && name.toLowerCase() === 'id') continue;
    copy?.push([shown, inside]);
  }
  return copy === null ? object : Object.fromEntries(copy);
};

/** Whether a body that is to be written holds what was masked, and so would overwrite it. */
export const holdsMask = (body: Json): boolean => JSON.stringify(body).includes(MASK);
