import type { Ordered } from './ordered';

// Tests run where each look at a global costs as much as a hundred steps.
const { imul } = Math;

/** Lists of numbers, each once and by a number. */
export class Interned {
  private readonly lists: Ordered[] = [];
  /** By hash: the newest list that has it. `nexts` has the one before each. */
  private readonly firsts = new Map<number, number>();
  private readonly nexts: number[] = [];
  /** How many numbers the lists have in all. */
  size = 0;

  /** The number of a list, which it has from now on. */
  add(list: Ordered): number {
    const hash = hashOf(list);
    const first = this.firsts.get(hash) ?? NONE;
    for (let number = first; number !== NONE; number = this.nexts[number] as number) {
      if (isSame(this.lists[number] as Ordered, list)) return number;
    }
    const number = this.lists.length;
    this.lists.push(list);
    this.nexts.push(first);
    this.firsts.set(hash, number);
    this.size += list.length + 1;
    return number;
  }

  /** The list of a number. */
  values(number: number): Ordered {
    return this.lists[number] as Ordered;
  }
}

const NONE = -1;
const PRIME = 0x01000193;
/** Numbers may be larger than 32 bits. */
const WORD = 0x1_0000_0000;

const hashOf = (list: Ordered): number => {
  let hash = list.length;
  for (const number of list) {
    hash = imul(hash ^ number, PRIME);
    if (number >= WORD) hash = imul(hash ^ (number / WORD), PRIME);
    hash ^= hash >>> 15;
  }
  return hash;
};

const isSame = (a: Ordered, b: Ordered): boolean => {
  if (a.length !== b.length) return false;
  for (let place = 0; place < a.length; place += 1) if (a[place] !== b[place]) return false;
  return true;
};
