/** Requests in work, also those whose client has left: a stop waits for them. */
export interface RunningWork {
  track<A>(work: Promise<A>): Promise<A>;
  /** Resolves when nothing is running. */
  settled(): Promise<void>;
}

/** Counts what is running. */
export const runningWork = (): RunningWork => {
  const running = new Set<Promise<unknown>>();
  return {
    track: async (work) => {
      running.add(work);
      try {
        return await work;
      } finally {
        running.delete(work);
      }
    },
    settled: async () => {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
};
