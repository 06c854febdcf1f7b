import type { Lease, Written } from '../graph/lease';

/** What is written of one action. */
export type OneRecord = Pick<Written, 'at' | 'actions' | 'accounts' | 'events'>;

interface Waiting {
  readonly make: () => OneRecord;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Writes the records of a run in their order. What comes while a transaction is under way goes
 * together into the next one.
 */
export class Recorder {
  private waiting: Waiting[] = [];
  private isWriting = false;

  constructor(private readonly lease: Pick<Lease, 'write'>) {}

  /** Writes what `make` gives once its turn comes. */
  write(make: () => OneRecord): Promise<void> {
    return new Promise((done, failed) => {
      this.waiting.push({ make, done, failed });
      if (!this.isWriting) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isWriting = true;
    while (this.waiting.length > 0) {
      const some = this.waiting;
      this.waiting = [];
      try {
        const records = some.map(({ make }) => make());
        await this.lease.write({
          at: records.at(-1)?.at ?? '',
          actions: records.flatMap(({ actions }) => actions ?? []),
          accounts: records.flatMap(({ accounts }) => accounts ?? []),
          events: records.flatMap(({ events }) => events ?? []),
        });
        for (const { done } of some) done();
      } catch (error) {
        for (const { failed } of some) failed(error);
      }
    }
    this.isWriting = false;
  }
}
