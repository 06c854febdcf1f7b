import type { Problem, ProblemList } from '../problem';
import { stepsOf } from './pointer';

/** The places of a payload's keys in their objects, looked up once for each object that a problem is in. */
class Places {
  private readonly known = new WeakMap<object, Map<string, number>>();

  /** Where the pointer leads, as a number for each step; what is missing comes after what is there. */
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

/** Things that are said of places in a payload, in payload order; equal places stay as they come. */
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

/** Problems in payload order, each pointer and code once; both have the same spelling of keys (docs/rules.md: Problems). */
export const sortProblems = (
  payload: unknown,
  problems: readonly Problem[],
): readonly Problem[] => {
  const distinct = new Map(
    problems.map((problem) => [`${problem.code} ${problem.pointer}`, problem]),
  );
  return inPayloadOrder(payload, distinct.values());
};

/** The problems of several checks as one list in payload order. */
export const mergeProblems = (payload: unknown, lists: readonly ProblemList[]): ProblemList => {
  const given = lists.flatMap(({ problems }) => problems);
  const problems = sortProblems(payload, given);
  const unlisted = lists.reduce((sum, list) => sum + list.total - list.problems.length, 0);
  return { problems, total: problems.length + unlisted };
};
