/** Groups items by key. Groups and items keep their order. */
export const grouped = <K, A>(items: Iterable<A>, keyOf: (item: A) => K): Map<K, A[]> => {
  const groups = new Map<K, A[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
};
