/** The requests that the service works on, even if their client has left. A stop waits for them. */
export interface RunningWork {
  track<A>(work: Promise<A>): Promise<A>;
  /** Resolves once no work is running. */
  settled(): Promise<void>;
}

/** Keeps track of running work. */
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
