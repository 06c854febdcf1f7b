import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A value of a payload. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/**
 * A week before this one: for each file, how the payload of that week differs from the present one.
 * It is a merge patch in which entries of a list are named by their ids. `null` leaves an entry
 * out.
 */
export type Week = Readonly<Record<string, Json>>;

/** The weeks before this one, the first one first (examples/company/README.md). */
export const weeksIn = async (folder: string): Promise<readonly Week[]> =>
  JSON.parse(await readFile(join(folder, 'weeks.json'), 'utf8')) as readonly Week[];

const isObject = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** The id by which a week names an entry of a list. */
const idOf = (entry: Json): string | null => {
  const id = isObject(entry) ? (entry.identity ?? entry.name) : null;
  return typeof id === 'string' ? id : null;
};

/** The payload of a week, computed from the present one. */
export const asOfWeek = (now: Json | undefined, otherwise: Json): Json => {
  if (!isObject(otherwise)) return otherwise;
  if (isList(now)) {
    const ids = new Set(now.map(idOf));
    const unchanged = now.flatMap((entry): readonly Json[] => {
      const change = otherwise[idOf(entry) ?? ''];
      if (change === undefined) return [entry];
      return change === null ? [] : [asOfWeek(entry, change)];
    });
    const added = Object.entries(otherwise).flatMap(([id, entry]) => (ids.has(id) ? [] : [entry]));
    return [...unchanged, ...added];
  }
  const changed = Object.entries(otherwise).map(([name, change]) => [
    name,
    asOfWeek(isObject(now) ? now[name] : undefined, change),
  ]);
  return { ...(isObject(now) ? now : {}), ...(Object.fromEntries(changed) as object) };
};
