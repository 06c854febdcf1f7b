import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';
import type { Handle } from '../exchange/handle';
import { callerOf } from './caller';

/** How many questions may run at once. */
export interface QuestionLimits {
  readonly questionsAtOnce: number;
  readonly questionsOfKey: number;
  /** How long a question waits for its turn. */
  readonly questionWaitSeconds: number;
}

interface Waiting {
  readonly key: string;
  readonly begin: () => void;
}

/** Lets some questions run, of each key and in all, and the others wait for a short while: slow questions of one key do not stop those of others. */
export class QuestionRoom {
  private readonly running = new Map<string, number>();
  private total = 0;
  private waiting: readonly Waiting[] = [];

  constructor(private readonly limits: QuestionLimits) {}

  /** Runs a question of a key when it is its turn. */
  run<A>(key: string, question: TaskEither<Failure, A>): TaskEither<Failure, A> {
    return async () => {
      const late = await this.turn(key);
      if (late !== null) return E.left(late);
      try {
        return await question();
      } finally {
        this.leave(key);
      }
    };
  }

  private runningOf(key: string): number {
    return this.running.get(key) ?? 0;
  }

  private hasRoom(key: string): boolean {
    const { questionsAtOnce, questionsOfKey } = this.limits;
    return this.total < questionsAtOnce && this.runningOf(key) < questionsOfKey;
  }

  private enter(key: string): void {
    this.running.set(key, this.runningOf(key) + 1);
    this.total += 1;
  }

  private leave(key: string): void {
    const left = this.runningOf(key) - 1;
    if (left === 0) this.running.delete(key);
    else this.running.set(key, left);
    this.total -= 1;
    this.waiting.find((other) => this.hasRoom(other.key))?.begin();
  }

  /** Resolves when it is its turn; to a failure when that is too late. */
  private turn(key: string): Promise<Failure | null> {
    if (this.hasRoom(key)) {
      this.enter(key);
      return Promise.resolve(null);
    }
    return new Promise((resolve) => {
      const settle = (late: Failure | null): void => {
        clearTimeout(timer);
        this.waiting = this.waiting.filter((other) => other !== mine);
        resolve(late);
      };
      const mine: Waiting = {
        key,
        begin: () => {
          this.enter(key);
          settle(null);
        },
      };
      const timer = setTimeout(
        () => settle(this.full(key)),
        this.limits.questionWaitSeconds * 1000,
      );
      timer.unref();
      this.waiting = [...this.waiting, mine];
    });
  }

  private full(key: string): Failure {
    const { questionsAtOnce, questionsOfKey } = this.limits;
    const message =
      this.runningOf(key) >= questionsOfKey
        ? `The key has ${questionsOfKey} questions running; ask again when one is answered.`
        : `The service has ${questionsAtOnce} questions running; ask again later.`;
    return { _tag: 'Exhausted', message };
  }
}

/** Makes handlers of questions, each of which waits for its turn among those of its key. */
export const questionHandler =
  (handle: Handle, room: QuestionRoom): Handle =>
  (work) =>
    handle((req, res) => room.run(callerOf(res).keyId ?? '', work(req, res)));
