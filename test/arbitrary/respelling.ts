import { holdsProperties } from '../mirror/spelling';

/** Lists whose order is a value (docs/rules.md: Values). */
const ordered = new Set(['department']);

/** The same payload with its lists in another order: it says the same (docs/rules.md: Values). */
export function reordered(value: unknown, seed: number): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => reordered(item, seed));
    const rank = (at: number): number => ((at + 1) * (seed + 7919)) % 10007;
    return items
      .map((item, at) => ({ item, rank: rank(at) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ item }) => item);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inside]) => [
      field,
      ordered.has(field.toLowerCase()) || holdsProperties(field.toLowerCase())
        ? inside
        : reordered(inside, seed),
    ]),
  );
}

/**
 * The same payload with its texts, and names of properties, in NFD: both are stored in NFC (docs/rules.md: Values, Property
 * names). Values of properties stay as they are.
 */
export function decomposed(value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFD');
  if (Array.isArray(value)) return value.map(decomposed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inside]) => [
      field,
      holdsProperties(field) ? withNamesDecomposed(inside) : decomposed(inside),
    ]),
  );
}

function withNamesDecomposed(properties: unknown): unknown {
  if (typeof properties !== 'object' || properties === null) return properties;
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name.normalize('NFD'), value]),
  );
}

/** The same payload with some fields in another case, which is accepted (docs/rules.md: Problems). */
export function recased(value: unknown, seed: number): unknown {
  let fields = seed;
  const walk = (json: unknown): unknown => {
    if (Array.isArray(json)) return json.map(walk);
    if (typeof json !== 'object' || json === null || Object.values(json).includes('parent')) {
      return json;
    }
    return Object.fromEntries(
      Object.entries(json).map(([field, inside]) => {
        fields += 1;
        const spelling = fields % 5 === 0 ? field.charAt(0).toUpperCase() + field.slice(1) : field;
        return [spelling, holdsProperties(field) ? inside : walk(inside)];
      }),
    );
  };
  return walk(value);
}
