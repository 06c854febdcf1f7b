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
  /** How many runs had begun when each key last began. */
  private readonly begun = new Map<string, number>();
  private runs = 0;
  private readonly stopping = new AbortController();

  constructor(private readonly timed: Timed<A>) {}

  /**
   * Begins what is due, as far as there is room. What began longest ago comes first, so runs that are due again at
   * once, such as those that fail, hold up no others.
   */
  readonly round = async (isStopping: () => boolean): Promise<void> => {
    const { atOnce, due, keyOf, run } = this.timed;
    if (this.running.size >= atOnce || this.stopping.signal.aborted) return;
    const last = (each: A): number => this.begun.get(keyOf(each)) ?? 0;
    for (const each of (await due(atOnce)).toSorted((a, b) => last(a) - last(b))) {
      if (isStopping() || this.running.size >= atOnce) return;
      const key = keyOf(each);
      if (this.running.has(key)) continue;
      this.begun.set(key, (this.runs += 1));
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
