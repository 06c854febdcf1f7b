/** The list at a key of a map, which is made when it is first needed. */
export const listAt = <K, V>(lists: Map<K, V[]>, key: K): V[] => {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const made: V[] = [];
  lists.set(key, made);
  return made;
};

/** Groups items by key. Groups and items keep their order. */
export const grouped = <K, A>(items: Iterable<A>, keyOf: (item: A) => K): Map<K, A[]> => {
  const groups = new Map<K, A[]>();
  for (const item of items) listAt(groups, keyOf(item)).push(item);
  return groups;
};
