/** Normalizing is slow, and the same few texts are compared again and again. */
const normalized = new Map<string, string>();

/** The stored form of the specification's texts (docs/rules.md: Values). */
export function nfc(text: string): string {
  const known = normalized.get(text) ?? text.normalize('NFC');
  normalized.set(text, known);
  return known;
}

/** The form in which references, types and identities compare forgivingly (docs/rules.md: References). */
export function fold(text: string): string {
  return nfc(nfc(text).toLowerCase().split('ς').join('σ'));
}

/** An optional text, or null when it is unset: absent, null and `""` are one (docs/rules.md: Values). */
export function given(text: string | null | undefined): string | null {
  return text === null || text === undefined || text === '' ? null : nfc(text);
}

/** A list that may be absent or null. */
export function listed<T>(list: readonly T[] | null | undefined): readonly T[] {
  return list ?? [];
}

/** The first of each run of items that `as` makes equal, in their order. */
export function distinct<T>(items: readonly T[], as: (item: T) => unknown): readonly T[] {
  return items.filter((item, at) => items.findIndex((other) => as(other) === as(item)) === at);
}

/** Order by code units, as sets are stored (docs/rules.md: Own properties). */
export function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
