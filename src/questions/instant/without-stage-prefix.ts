/** Takes the prefix of staged keys off all texts of an answer. */
export const withoutStagePrefix = (value: unknown, prefix: string): unknown => {
  if (typeof value === 'string')
    return value.startsWith(prefix) ? value.slice(prefix.length) : value;
  if (Array.isArray(value)) return value.map((each) => withoutStagePrefix(each, prefix));
  // Other objects, such as times, hold no keys.
  if (value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value as object).map(([name, each]) => [name, withoutStagePrefix(each, prefix)]),
  );
};
