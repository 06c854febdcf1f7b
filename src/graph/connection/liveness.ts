import { setTimeout as sleep } from 'node:timers/promises';

import type { Driver } from 'neo4j-driver';

import { isConnectivity, NoAnswer } from './failure';

/** Signs in at Neo4j on a new connection each time, of which there is never more than one. */
export type Pulse = Pick<Driver, 'getServerInfo' | 'close'>;

/**
 * Whether Neo4j answers at all. A Neo4j that works long still answers a sign-in beside its work; one that hangs does
 * not. Then the service gives up all who wait, and sends nobody new until Neo4j answers again.
 */
export class Liveness {
  private asked: Promise<boolean> | null = null;
  private readonly ended = new AbortController();
  private silent = false;

  constructor(
    private readonly pulse: Pulse,
    /** After how much silence those who wait are given up. */
    readonly silenceSeconds: number,
    /** Told when nothing is to be hoped for from the connections that stand. */
    private readonly onSilence: () => void,
  ) {}

  /** Whether Neo4j was silent, and has not answered since. */
  get isSilent(): boolean {
    return this.silent;
  }

  /**
   * Does work that needs Neo4j. Rejects with `NoAnswer` when Neo4j falls silent meanwhile, or the work takes longer
   * than it ever may. The signal tells the work that nobody waits for it any longer.
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

  /** Whether Neo4j answers; asked once for all who wonder at a time. */
  answers(): Promise<boolean> {
    this.asked ??= this.ask().finally(() => {
      this.asked = null;
    });
    return this.asked;
  }

  /** Asks no more. */
  end(): Promise<void> {
    this.ended.abort();
    return this.pulse.close();
  }

  private async untilGivenUp(mostSeconds: number, signal: AbortSignal): Promise<never> {
    const deadline = performance.now() + mostSeconds * 1000;
    for (;;) {
      const left = deadline - performance.now();
      await sleep(Math.max(0, Math.min(this.half, left)), undefined, { signal, ref: false });
      const answered = this.answers();
      if (performance.now() >= deadline || !(await answered)) throw new NoAnswer();
    }
  }

  private async ask(): Promise<boolean> {
    const isThere = await this.beats();
    if (isThere || this.ended.signal.aborted) return isThere;
    if (!this.silent) {
      this.silent = true;
      this.onSilence();
      void this.listen();
    }
    return false;
  }

  /** Asks until there is an answer. */
  private async listen(): Promise<void> {
    const { signal } = this.ended;
    while (!signal.aborted && !(await this.beats())) {
      await sleep(Math.min(this.half, 1_000), undefined, { signal, ref: false }).catch(
        () => undefined,
      );
    }
    this.silent = false;
  }

  private beats(): Promise<boolean> {
    const answer = this.pulse.getServerInfo().then(
      () => true,
      // A refused sign-in is an answer too.
      (error: unknown) => !isConnectivity(error),
    );
    return Promise.race([answer, sleep(this.half, false, { ref: false })]);
  }

  /** Milliseconds: the service notices silence in one half, and proves it in the other. */
  private get half(): number {
    return (this.silenceSeconds * 1000) / 2;
  }
}
