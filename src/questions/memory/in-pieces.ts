import type { Pieces } from '../../access/pieces';

/** How long all answers together hold the thread in one turn of the event loop, about. */
const TURN_MS = 20;

/** The work needs longer than it may. */
export class TooLong extends Error {}

/** Does some of the work, and returns whether it is done. It stops at the time of the argument. */
type Slice = (until: number) => boolean;

/**
 * Gives all answers of the process turns on its one thread. In each turn of the event loop the
 * answers share the same milliseconds, however many they are: those that begin one half, and those
 * that go on the rest.
 */
class Turns {
  private readonly beginning: Slice[] = [];
  private readonly going: Slice[] = [];
  private used = 0;
  private isPlanned = false;

  /** Does the work: at once, if nobody waits and something is left of this turn. */
  start(slice: Slice): void {
    if (this.beginning.length === 0 && this.used < TURN_MS / 2) this.run(slice, TURN_MS / 2);
    else this.beginning.push(slice);
    this.plan();
  }

  /** Runs each slice at most once, until the answers have used so many milliseconds of the turn. */
  private runAll(slices: Slice[], most: number): void {
    for (let left = slices.length; left > 0 && this.used < most; left -= 1) {
      this.run(slices.shift() as Slice, most);
    }
  }

  private run(slice: Slice, most: number): void {
    const begun = performance.now();
    const isDone = slice(begun + most - this.used);
    this.used += performance.now() - begun;
    if (!isDone) this.going.push(slice);
  }

  private plan(): void {
    if (this.isPlanned) return;
    this.isPlanned = true;
    setImmediate(() => {
      this.isPlanned = false;
      this.used = 0;
      this.runAll(this.beginning, TURN_MS / 2);
      this.runAll(this.going, TURN_MS);
      this.runAll(this.beginning, TURN_MS);
      if (this.beginning.length + this.going.length > 0) this.plan();
    });
  }
}

const turns = new Turns();

/**
 * Does work in pieces, and gives the thread to others in between. Calls `isValid` before it goes on:
 * if what the work reads has changed, it gives `null`. Throws `TooLong` after `latest`.
 */
export const inPieces = <A>(
  work: Pieces<A>,
  isValid: () => boolean,
  latest: number,
  turnMs = TURN_MS,
): Promise<A | null> =>
  new Promise((resolve, reject) => {
    turns.start((until) => {
      try {
        const begun = performance.now();
        if (begun > latest) throw new TooLong();
        if (!isValid()) {
          resolve(null);
          return true;
        }
        const end = Math.min(until, begun + turnMs);
        do {
          const piece = work.next();
          if (piece.done === true) {
            resolve(piece.value);
            return true;
          }
        } while (performance.now() < end);
        return false;
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
        return true;
      }
    });
  });
