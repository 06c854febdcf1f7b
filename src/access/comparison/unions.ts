import { Effort, type Pieces, STEPS } from '../pieces';
import { either, EMPTY, type Ordered, ordered } from './ordered';

/** How many numbers are ordered in one piece. */
const OF_PIECE = 8 * STEPS;

/** Brings numbers into order, each once, in pieces. */
export function* orderedInPieces(numbers: number[]): Pieces<Ordered> {
  if (numbers.length <= OF_PIECE) return ordered(numbers);
  const runs: Ordered[] = [];
  for (let begin = 0; begin < numbers.length; begin += OF_PIECE) {
    runs.push(ordered(numbers.slice(begin, begin + OF_PIECE)));
    yield;
  }
  return yield* union(runs);
}

/** What is in one of some lists. Two of them become one, until one is left. */
export function* union(lists: readonly Ordered[]): Pieces<Ordered> {
  let left = lists;
  const effort = new Effort();
  while (left.length > 1) {
    const halved: Ordered[] = [];
    for (let place = 0; place < left.length; place += 2) {
      const both = either(left[place] ?? EMPTY, left[place + 1] ?? EMPTY);
      halved.push(both);
      if (effort.isTired(both.length + 1)) yield;
    }
    left = halved;
  }
  return left[0] ?? EMPTY;
}
