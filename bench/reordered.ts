import type { Random } from './random';

/**
 * The same content with every list in another order, except lists in custom properties: their order
 * means something (docs/rules.md: Values).
 */
export const reordered = <A>(value: A, random: Random): A => {
  const walk = (part: unknown): unknown => {
    if (Array.isArray(part)) return random.shuffled(part).map(walk);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(
      Object.entries(part).map(([name, inner]) => [
        name,
        name === 'custom_properties' ? inner : walk(inner),
      ]),
    );
  };
  return walk(value) as A;
};
