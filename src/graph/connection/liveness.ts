import { setTimeout as sleep } from 'node:timers/promises';

import { greets, isOneServer } from './greeting';

/** Neo4j says nothing any more: what it did with what it was told last is not known. */
export class NoAnswer extends Error {
  constructor() {
    super('Neo4j does not answer.');
  }
}

/**
 * Whether Neo4j answers at all. What takes long is told from what hangs by a greeting beside it: as long as Neo4j greets, it is at work. Once it does
 * not, all who wait are given up, and nobody new is sent to it until it greets again.
 */
export class Liveness {
  private asked: Promise<boolean> | null = null;
  private readonly ended = new AbortController();
  private silent = false;

  constructor(
    private readonly uri: string,
    /** After how much silence those who wait are given up. */
    readonly silenceSeconds: number,
    /** Told when nothing is to be hoped for from the connections that stand. */
    private readonly onSilence: () => void,
  ) {}

  /** Whether Neo4j was silent, and has not greeted since. */
  get isSilent(): boolean {
    return this.silent;
  }

  /**
   * Does what Neo4j is needed for; rejects with `NoAnswer` when Neo4j falls silent meanwhile, or the work takes longer than it ever may. The
   * work is told by the signal that nobody waits for it any longer.
   */
  async guard<A>(mostSeconds: number, work: (given: AbortSignal) => Promise<A>): Promise<A> {
    if (this.silent) throw new NoAnswer();
    const done = new AbortController();
    try {
      return await Promise.race([work(done.signal), this.untilGivenUp(mostSeconds, done.signal)]);
    } finally {
      done.abort();
    }
  }

  /** Whether Neo4j greets; asked once for all who wonder at a time. */
  greets(): Promise<boolean> {
    this.asked ??= this.ask().finally(() => {
      this.asked = null;
    });
    return this.asked;
  }

  /** Asks no more. */
  end(): void {
    this.ended.abort();
  }

  private async untilGivenUp(mostSeconds: number, signal: AbortSignal): Promise<never> {
    const deadline = performance.now() + mostSeconds * 1000;
    for (;;) {
      const left = deadline - performance.now();
      await sleep(Math.max(0, Math.min(this.half, left)), undefined, { signal, ref: false });
      const greeting = this.greets();
      if (performance.now() >= deadline || !(await greeting)) throw new NoAnswer();
    }
  }

  private async ask(): Promise<boolean> {
    // Of a cluster others may answer than the one whose address is known.
    const isThere = !isOneServer(this.uri) || (await greets(this.uri, this.half));
    if (isThere || this.ended.signal.aborted) return isThere;
    if (!this.silent) {
      this.silent = true;
      this.onSilence();
      void this.listen();
    }
    return false;
  }

  /** Greets until there is an answer. */
  private async listen(): Promise<void> {
    const { signal } = this.ended;
    while (!signal.aborted && !(await greets(this.uri, this.half))) {
      await sleep(Math.min(this.half, 1_000), undefined, { signal, ref: false }).catch(
        () => undefined,
      );
    }
    this.silent = false;
  }

  /** Milliseconds: silence is noticed by one half, and proven in the other. */
  private get half(): number {
    return (this.silenceSeconds * 1000) / 2;
  }
}
