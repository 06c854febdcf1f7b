/** What a timetable runs, one run at a time of each key. */
export interface Timed<A> {
  /** How many run at once in this process. */
  readonly atOnce: number;
  /** What is due, the most urgent first; no more than `most` are needed. */
  readonly due: (most: number) => Promise<readonly A[]>;
  readonly keyOf: (due: A) => string;
  /** Runs one. It logs its own failures. The signal is aborted when the service stops. */
  readonly run: (due: A, stopping: AbortSignal) => Promise<void>;
}

/**
 * Runs what is due at applications: imports and policies. A long run holds up no others, as long as
 * there is room. Other processes have timetables of their own; leases keep them apart.
 */
export class Timetable<A> {
  private readonly running = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(private readonly timed: Timed<A>) {}

  /** Begins what is due, as far as there is room. */
  readonly round = async (isStopping: () => boolean): Promise<void> => {
    const { atOnce, due, keyOf, run } = this.timed;
    if (this.running.size >= atOnce || this.stopping.signal.aborted) return;
    for (const each of await due(atOnce)) {
      if (isStopping() || this.running.size >= atOnce) return;
      const key = keyOf(each);
      if (this.running.has(key)) continue;
      const done = run(each, this.stopping.signal).finally(() => this.running.delete(key));
      this.running.set(key, done);
    }
  };

  /** Stops what runs: no step begins any more, and one that has begun ends. */
  readonly stop = async (): Promise<void> => {
    this.stopping.abort();
    await this.settled();
  };

  /** Resolves when nothing runs. */
  readonly settled = async (): Promise<void> => {
    await Promise.all(this.running.values());
  };
}
