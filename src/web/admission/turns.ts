import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';

/** Whose task it is. */
export interface TurnOwner {
  /** The key that wants the work (`keyOf`). */
  readonly key: string;
  /** The data source that the task writes to, if only one task may do so at a time. */
  readonly dataSource?: string;
}

/** How many tasks may run at once, and how many may wait. */
export interface TurnLimits {
  readonly atOnce: number;
  /** How many tasks of one key may run at once. */
  readonly ofKey: number;
  /** How long a task may wait. */
  readonly patience?: Patience;
  /** How many tasks may wait. As many as come if unset. */
  readonly places?: WaitingPlaces;
}

/** How long a task waits for its turn; without limit if unset. */
export interface Patience {
  readonly seconds: number;
  /**
   * What a task that waited too long is answered (429): its key has too many running tasks, or there
   * are too many in all.
   */
  readonly keyBusy: string;
  readonly allBusy: string;
  /** The failure of such a task if another one writes to its data source. */
  readonly dataSourceBusy?: Failure;
}

/** How many tasks may wait. One key may have half of them. */
export interface WaitingPlaces {
  readonly most: number;
  /** The failure of a task that finds no place: all are in use, or those of its key. */
  readonly full: Failure;
  readonly keyFull: Failure;
}

/**
 * The share of one key in what all keys use: half, rounded up. A key makes data sources as it
 * likes, so shares that must hold are counted by key.
 */
export const keyShare = (ofAll: number): number => Math.ceil(ofAll / 2);

/** The key whose share a task uses. The keys of the settings and the service itself share one. */
export const keyOf = (by?: { readonly keyId: string | null }): string => by?.keyId ?? '';

const stillRunningOf = (outcome: E.Either<Failure, unknown>): Promise<void> | undefined =>
  E.isLeft(outcome) && outcome.left._tag === 'Unavailable'
    ? outcome.left.stillRunning?.ended
    : undefined;

interface Waiting {
  readonly owner: TurnOwner;
  readonly begin: () => void;
}

/** What one key has running, and when one of its tasks last began. */
interface Share {
  readonly running: number;
  readonly begun: number;
}

const NOTHING: Share = { running: 0, begun: 0 };

/**
 * Lets a limited number of tasks run at once. The others wait for their turn. The keys take turns:
 * next is a task of the key that has the fewest running, and among those of the key whose last task
 * began first.
 */
export class Turns {
  private readonly shares = new Map<string, Share>();
  private readonly written = new Set<string>();
  private total = 0;
  private begun = 0;
  private waiting: readonly Waiting[] = [];

  constructor(private readonly limits: TurnLimits) {}

  /**
   * Runs a task when its turn comes. The turn comes back when the task is done, also in Neo4j.
   */
  run<A>(owner: TurnOwner, task: TaskEither<Failure, A>): TaskEither<Failure, A> {
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

  /** How many tasks wait for their turn. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  private shareOf(key: string): Share {
    return this.shares.get(key) ?? NOTHING;
  }

  private isKeyBusy({ key }: TurnOwner): boolean {
    return this.shareOf(key).running >= this.limits.ofKey;
  }

  private isDataSourceBusy({ dataSource }: TurnOwner): boolean {
    return dataSource !== undefined && this.written.has(dataSource);
  }

  private hasTurn(owner: TurnOwner): boolean {
    return (
      this.total < this.limits.atOnce && !this.isKeyBusy(owner) && !this.isDataSourceBusy(owner)
    );
  }

  private enter({ key, dataSource }: TurnOwner): void {
    this.begun += 1;
    this.shares.set(key, { running: this.shareOf(key).running + 1, begun: this.begun });
    if (dataSource !== undefined) this.written.add(dataSource);
    this.total += 1;
  }

  private leave({ key, dataSource }: TurnOwner): void {
    const { running, begun } = this.shareOf(key);
    this.shares.set(key, { running: running - 1, begun });
    if (dataSource !== undefined) this.written.delete(dataSource);
    this.total -= 1;
    // One task may wait only for the key, and another one only for the data source.
    for (let next = this.next(); next !== null; next = this.next()) next.begin();
    this.forget(key);
  }

  /** The waiting task whose turn it is now. */
  private next(): Waiting | null {
    let next: Waiting | null = null;
    for (const one of this.waiting) {
      if (!this.hasTurn(one.owner)) continue;
      if (next === null || this.isBefore(one.owner.key, next.owner.key)) next = one;
    }
    return next;
  }

  private isBefore(key: string, other: string): boolean {
    const [mine, its] = [this.shareOf(key), this.shareOf(other)];
    return mine.running === its.running ? mine.begun < its.begun : mine.running < its.running;
  }

  private forget(key: string): void {
    const isWaiting = this.waiting.some(({ owner }) => owner.key === key);
    if (this.shareOf(key).running === 0 && !isWaiting) this.shares.delete(key);
  }

  /** The failure of a task for which there is no place to wait. */
  private noPlace({ key }: TurnOwner): Failure | null {
    const { places } = this.limits;
    if (places === undefined) return null;
    if (this.waiting.length >= places.most) return places.full;
    const ofKey = this.waiting.filter(({ owner }) => owner.key === key).length;
    return ofKey >= keyShare(places.most) ? places.keyFull : null;
  }

  private lateness(owner: TurnOwner, { dataSourceBusy, keyBusy, allBusy }: Patience): Failure {
    if (dataSourceBusy !== undefined && this.isDataSourceBusy(owner)) return dataSourceBusy;
    return { _tag: 'Exhausted', message: this.isKeyBusy(owner) ? keyBusy : allBusy };
  }

  /**
   * Resolves to `null` when the turn of the owner comes, and to a failure if it does not come in
   * time.
   */
  private turn(owner: TurnOwner): Promise<Failure | null> {
    if (this.hasTurn(owner)) {
      this.enter(owner);
      return Promise.resolve(null);
    }
    const noPlace = this.noPlace(owner);
    if (noPlace !== null) return Promise.resolve(noPlace);
    const { patience } = this.limits;
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
      const timer =
        patience &&
        setTimeout(() => {
          settle(this.lateness(owner, patience));
          this.forget(owner.key);
        }, patience.seconds * 1000);
      timer?.unref();
      this.waiting = [...this.waiting, mine];
    });
  }
}
