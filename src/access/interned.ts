/** Lists of numbers, each once and by a number. */
export class Interned {
  private readonly lists: (readonly number[])[] = [];
  private readonly byHash = new Map<number, number[]>();
  /** How many numbers the lists have in all. */
  size = 0;

  /** The number of a list, which it has from now on. */
  add(list: readonly number[]): number {
    const hash = hashOf(list);
    const known = this.byHash.get(hash);
    const same = known?.find((number) => isSame(this.lists[number] as readonly number[], list));
    if (same !== undefined) return same;
    const number = this.lists.length;
    this.lists.push(list);
    this.size += list.length + 1;
    if (known === undefined) this.byHash.set(hash, [number]);
    else known.push(number);
    return number;
  }

  /** The list of a number. */
  values(number: number): readonly number[] {
    return this.lists[number] as readonly number[];
  }
}

const PRIME = 0x01000193;

const hashOf = (list: readonly number[]): number => {
  let hash = list.length;
  for (const number of list) {
    hash = Math.imul(hash ^ (number | 0), PRIME);
    hash = Math.imul(hash ^ Math.floor(number / 0x100000000), PRIME);
    hash ^= hash >>> 15;
  }
  return hash;
};

const isSame = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((number, place) => number === b[place]);
