import { NONE } from '../../access/access-graph';
import type {
  ChangedPair,
  Comparison,
  Pieces,
  PrincipalOrder,
} from '../../access/comparison/comparison';
import { Effort, inOrder } from '../../access/pieces';
import { isOfHumans } from '../../model/access-narrowing';
import { type Asked, humanBetween, isPerson } from './changed-people';

/** Ends each part of a place. No key has it. */
const END = '\n';

/** Whether a text is a place in a list that has people first, and not the key of a principal. */
export const isPlaceOfPeopleFirst = (text: string): boolean => /^[0-9]\n/.test(text);

/**
 * The text by which a list orders a principal that has people first: then users, identities and
 * accounts that are no person's, then all others. All that is one human's is together, and the human
 * comes first. In each part those come first who have `isEarlier`.
 */
const placeIn =
  (times: Asked, isEarlier: (head: number) => boolean) =>
  (principal: number): string => {
    const { graph } = times;
    const { head, rank } = headOf(times, principal);
    const part = 2 * rank + (isEarlier(head) ? 0 : 1);
    const own = principal === head ? 0 : 1;
    return [part, graph.key(head), own, graph.key(principal)].join(END);
  };

/** Whose a principal is, or itself, and in which part of the list that comes. */
const headOf = (
  times: Asked,
  principal: number,
): { readonly head: number; readonly rank: number } => {
  const human = humanBetween(times, principal);
  const head = human === NONE ? principal : human;
  if (human !== NONE && isPerson(times, human)) return { head, rank: 0 };
  return { head, rank: isOfHumans(times.graph.kind(head)?.label) ? 1 : 2 };
};

const NOBODY = (): boolean => false;

/** The text by which a list that has people first orders a principal. */
export const placeOfPeopleFirst = (times: Asked): PrincipalOrder['textOf'] =>
  placeIn(times, NOBODY);

/** All whose access changed, people first. */
export const peopleFirst = (times: Asked, { principals }: Comparison): Pieces<readonly number[]> =>
  inOrder(principals, placeOfPeopleFirst(times));

/** All whose access changed: people first, and in each part those who lost something. */
export function* losersFirst(times: Asked, comparison: Comparison): Pieces<PrincipalOrder> {
  const losers = new Set<number>();
  yield* comparison.each((principal, _, lost) => {
    if (lost > 0) losers.add(headOf(times, principal).head);
  });
  const textOf = placeIn(times, (head) => losers.has(head));
  return { principals: yield* inOrder(comparison.principals, textOf), textOf };
}

/**
 * The rows of a page that has people first. It ends between two of them, unless the first one has more
 * rows than the page has room for.
 */
export function* withoutCut(
  times: Asked,
  pairs: readonly ChangedPair[],
  size: number,
): Pieces<readonly ChangedPair[]> {
  const next = pairs[size];
  if (next === undefined) return pairs;
  const { head } = headOf(times, next.principal);
  const effort = new Effort();
  for (let end = size; end > 0; end -= 1) {
    if (effort.isTired(1)) yield;
    const { principal } = pairs[end - 1] ?? next;
    const isTheirs = principal === next.principal || headOf(times, principal).head === head;
    if (!isTheirs) return pairs.slice(0, end);
  }
  return pairs.slice(0, size);
}

/** Whose last row of a page is not the last of theirs, and how many follow; `null`: nobody's. */
export function* restBehind(
  times: Asked,
  comparison: Comparison,
  order: PrincipalOrder,
  last: ChangedPair,
): Pieces<{ readonly head: number; readonly more: number } | null> {
  const { head } = headOf(times, last.principal);
  const more = yield* comparison.countBehind(
    [order.textOf(last.principal), times.graph.key(last.target)],
    (principal) => headOf(times, principal).head === head,
    order,
  );
  return more === 0 ? null : { head, more };
}
