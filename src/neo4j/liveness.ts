import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

import type { Driver } from 'neo4j-driver';

import { isConnectivity, NoAnswer } from './failure';

/** Signs in at Neo4j, each time on a new connection. There is never more than one. */
export type Pulse = Pick<Driver, 'getServerInfo' | 'close'>;

/**
 * Checks whether Neo4j answers at all. While Neo4j works on a long statement, it still answers a
 * sign-in; a Neo4j that hangs does not. If Neo4j hangs, the service gives up all waiting work and
 * starts no new work until Neo4j answers again.
 */
export class Liveness {
  private asked: Promise<boolean> | null = null;
  private readonly ended = new AbortController();
  private silent = false;

  constructor(
    private readonly pulse: Pulse,
    /** The service gives up waiting work after this many seconds of silence. */
    readonly silenceSeconds: number,
    /** Called when the existing connections are of no more use. */
    private readonly onSilence: () => void,
  ) {}

  /** Whether Neo4j fell silent and has not answered since. */
  get isSilent(): boolean {
    return this.silent;
  }

  /**
   * Runs work that needs Neo4j. Rejects with `NoAnswer` if Neo4j becomes silent during the work, or
   * if the work lasts longer than `mostSeconds`. The signal shows the work that nobody waits for it
   * any more.
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

  /** Whether Neo4j answers. Callers at the same time share one sign-in. */
  answers(): Promise<boolean> {
    this.asked ??= this.ask().finally(() => {
      this.asked = null;
    });
    return this.asked;
  }

  /** Stops all checks. */
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

  /** Signs in again and again until Neo4j answers. */
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
    // After a pause of this process, the answer may be there, but not read yet.
    const late = sleep(this.half, undefined, { ref: false }).then(() => setImmediate(false));
    return Promise.race([answer, late]);
  }

  /**
   * Half of the silence, in milliseconds. The service waits for the first half, and checks with a
   * sign-in during the second.
   */
  private get half(): number {
    return (this.silenceSeconds * 1000) / 2;
  }
}
