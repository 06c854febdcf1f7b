/** Counts seconds for each step. A step that runs again adds to its time. */
export class Stopwatch {
  private readonly spent: Map<string, number>;

  constructor(before: Readonly<Record<string, number>>) {
    this.spent = new Map(Object.entries(before));
  }

  time<A>(step: string, work: () => A): A {
    const start = performance.now();
    try {
      return work();
    } finally {
      this.add(step, start);
    }
  }

  async timeAsync<A>(step: string, work: () => Promise<A>): Promise<A> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.add(step, start);
    }
  }

  /** Begins a step. The returned function ends the step; later calls do nothing. */
  begin(step: string): () => void {
    const start = performance.now();
    let isOpen = true;
    return () => {
      if (isOpen) this.add(step, start);
      isOpen = false;
    };
  }

  get seconds(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.spent);
  }

  private add(step: string, start: number): void {
    this.spent.set(step, (this.spent.get(step) ?? 0) + (performance.now() - start) / 1000);
  }
}

/** Times the tries of one transaction, of which each waits for its locks. */
export class TimedTries {
  private ended: () => void = () => undefined;

  constructor(private readonly watch: Pick<Stopwatch, 'begin'>) {}

  /** A try begins to wait for its locks. A commit before it failed. */
  readonly begins = (): void => this.begin('lock');

  /** The try has its locks. */
  readonly holds = (): void => this.ended();

  /** The work of the try is done. */
  readonly commits = (): void => this.begin('commit');

  /** The commit is done. */
  readonly done = (): void => this.ended();

  private begin(step: string): void {
    this.ended();
    this.ended = this.watch.begin(step);
  }
}
