type Item = Record<string, unknown>;

/** A resource in the tree of a payload, with those above it, outermost first. */
export interface Branch {
  readonly above: readonly Item[];
  readonly item: Item;
}

/** The items of one of a payload's lists, or the one that stands without a list; none when it is not there. */
export function itemsOf(of: unknown, field: string): readonly Item[] {
  const list = (of as Item | undefined)?.[field];
  if (Array.isArray(list)) return list as Item[];
  return field === 'system' && typeof list === 'object' && list !== null ? [list as Item] : [];
}

/** All resources of an application, at any depth. */
export function branchesOf(application: Item): readonly Branch[] {
  const inside = (above: readonly Item[], list: readonly Item[]): readonly Branch[] =>
    list.flatMap((item) => [
      { above, item },
      ...inside([...above, item], itemsOf(item, 'sub_resources')),
    ]);
  return inside([], itemsOf(application, 'resources'));
}

/** The texts that may mean an item: its ids and its name. */
export function textsOf(item: Item): readonly string[] {
  const { identity, unique_id, id, name } = item;
  return [identity, unique_id, id, name].filter(
    (text) => typeof text === 'string' && text !== '',
  ) as string[];
}

/** The texts that may mean a resource: also its path by names. */
export function textsOfBranch({ above, item }: Branch): readonly string[] {
  const path = [...above, item].map(({ name }) => String(name)).join('.');
  return [...textsOf(item), path];
}

/** One of several, by number; undefined when there is none. */
export function chosen<T>(among: readonly T[], n: number): T | undefined {
  return among[n % Math.max(among.length, 1)];
}

/** Another number for another decision. */
export function mixed(n: number, salt: number): number {
  return ((n + 1) * (salt * 2 + 7919)) % 10_007;
}
