import { setImmediate } from 'node:timers/promises';

import type { Pieces } from '../../access/comparison/comparison';

/** How long one turn of an answer holds the thread, about. */
const TURN_MS = 20;

/** The work needs longer than it may. */
export class TooLong extends Error {}

/**
 * Does work in pieces, and gives the thread to others in between. Calls `isValid` after each pause:
 * if what the work reads has changed, it gives `null`. Throws `TooLong` after `latest`.
 */
export const inPieces = async <A>(
  work: Pieces<A>,
  isValid: () => boolean,
  latest: number,
  turnMs = TURN_MS,
): Promise<A | null> => {
  for (;;) {
    const begun = performance.now();
    if (begun > latest) throw new TooLong();
    do {
      const piece = work.next();
      if (piece.done === true) return piece.value;
    } while (performance.now() - begun < turnMs);
    await setImmediate();
    if (!isValid()) return null;
  }
};
