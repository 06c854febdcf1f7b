import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';

/** How many tasks may run at once. */
export interface TurnLimits {
  readonly atOnce: number;
  /** How many tasks of one owner may run at once. An owner is a data source or a key. */
  readonly ofOwner: number;
  /** How many seconds a task waits for its turn. */
  readonly waitSeconds: number;
  /**
   * The failure of a task that waited too long: its owner has too many running tasks, or there are
   * too many in all.
   */
  readonly ownerBusy: Failure;
  readonly allBusy: Failure;
}

const stillRunningOf = (outcome: E.Either<Failure, unknown>): Promise<void> | undefined =>
  E.isLeft(outcome) && outcome.left._tag === 'Unavailable'
    ? outcome.left.stillRunning?.ended
    : undefined;

interface Waiting {
  readonly owner: string;
  readonly begin: () => void;
}

/**
 * Lets a limited number of tasks run at once. The others wait for their turn, first come, first
 * served.
 */
export class Turns {
  private readonly running = new Map<string, number>();
  private total = 0;
  private waiting: readonly Waiting[] = [];

  constructor(private readonly limits: TurnLimits) {}

  /**
   * Runs a task when the turn of its owner comes. The turn comes back when the task is done, also in
   * Neo4j.
   */
  run<A>(owner: string, task: TaskEither<Failure, A>): TaskEither<Failure, A> {
    return async () => {
      const late = await this.turn(owner);
      if (late !== null) return E.left(late);
      let stillRunning: Promise<void> | undefined;
      try {
        const outcome = await task();
        stillRunning = stillRunningOf(outcome);
        return outcome;
      } finally {
        // Neo4j still works for it, so its turn has not come back.
        if (stillRunning === undefined) this.leave(owner);
        else void stillRunning.finally(() => this.leave(owner));
      }
    };
  }

  /** How many tasks run. */
  get count(): number {
    return this.total;
  }

  private runningOf(owner: string): number {
    return this.running.get(owner) ?? 0;
  }

  private isBusy(owner: string): boolean {
    return this.runningOf(owner) >= this.limits.ofOwner;
  }

  private hasTurn(owner: string): boolean {
    return this.total < this.limits.atOnce && !this.isBusy(owner);
  }

  private enter(owner: string): void {
    this.running.set(owner, this.runningOf(owner) + 1);
    this.total += 1;
  }

  private leave(owner: string): void {
    const left = this.runningOf(owner) - 1;
    if (left === 0) this.running.delete(owner);
    else this.running.set(owner, left);
    this.total -= 1;
    this.waiting.find((other) => this.hasTurn(other.owner))?.begin();
  }

  /**
   * Resolves to `null` when the turn of the owner comes, and to a failure when that takes too long.
   */
  private turn(owner: string): Promise<Failure | null> {
    if (this.hasTurn(owner)) {
      this.enter(owner);
      return Promise.resolve(null);
    }
    const { waitSeconds, ownerBusy, allBusy } = this.limits;
    return new Promise((resolve) => {
      const settle = (late: Failure | null): void => {
        clearTimeout(timer);
        this.waiting = this.waiting.filter((other) => other !== mine);
        resolve(late);
      };
      const mine: Waiting = {
        owner,
        begin: () => {
          this.enter(owner);
          settle(null);
        },
      };
      const timer = setTimeout(
        () => settle(this.isBusy(owner) ? ownerBusy : allBusy),
        waitSeconds * 1000,
      );
      timer.unref();
      this.waiting = [...this.waiting, mine];
    });
  }
}
