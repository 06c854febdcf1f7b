import type { Problem, ProblemList } from '../problem';
import { stepsOf } from './pointer';

/**
 * The positions of keys in the objects of a payload. Each object's positions are computed once,
 * when a problem needs them.
 */
class Places {
  private readonly known = new WeakMap<object, Map<string, number>>();

  /**
   * The place to which the pointer leads, as one number for each step. A missing key sorts after
   * all keys that exist.
   */
  of(payload: unknown, pointer: string): readonly number[] {
    let at: unknown = payload;
    return stepsOf(pointer).map((step) => {
      if (typeof at !== 'object' || at === null) return 0;
      const holder: object = at;
      if (!Object.hasOwn(holder, step)) {
        at = undefined;
        return Infinity;
      }
      at = (holder as Record<string, unknown>)[step];
      return Array.isArray(holder) ? Number(step) : (this.in(holder).get(step) ?? Infinity);
    });
  }

  private in(holder: object): Map<string, number> {
    const known = this.known.get(holder);
    if (known !== undefined) return known;
    const places = new Map(Object.keys(holder).map((key, place) => [key, place]));
    this.known.set(holder, places);
    return places;
  }
}

const compare = (a: readonly number[], b: readonly number[]): number => {
  for (let i = 0; i < a.length && i < b.length; i += 1) {
    const [left, right] = [a[i] as number, b[i] as number];
    if (left !== right) return left - right;
  }
  return a.length - b.length;
};

/**
 * Sorts items that have pointers into payload order. Items with the same place keep their order.
 */
export const inPayloadOrder = <A extends { readonly pointer: string }>(
  payload: unknown,
  items: Iterable<A>,
): readonly A[] => {
  const places = new Places();
  return [...items]
    .map((item) => ({ item, place: places.of(payload, item.pointer) }))
    .sort((a, b) => compare(a.place, b.place))
    .map(({ item }) => item);
};

/**
 * Sorts problems into payload order and drops those that repeat a pointer and code. All pointers
 * must spell keys alike (docs/rules.md: Problems).
 */
export const sortProblems = (
  payload: unknown,
  problems: readonly Problem[],
): readonly Problem[] => {
  const distinct = new Map(
    problems.map((problem) => [`${problem.code} ${problem.pointer}`, problem]),
  );
  return inPayloadOrder(payload, distinct.values());
};

/** Merges the problems of several checks into one list in payload order. */
export const mergeProblems = (payload: unknown, lists: readonly ProblemList[]): ProblemList => {
  const given = lists.flatMap(({ problems }) => problems);
  const problems = sortProblems(payload, given);
  const unlisted = lists.reduce((sum, list) => sum + list.total - list.problems.length, 0);
  return { problems, total: problems.length + unlisted };
};
