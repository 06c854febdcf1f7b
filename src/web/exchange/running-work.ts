/** Keeps track of running work. */
export const runningWork = () => {
  const running = new Set<Promise<unknown>>();
  return {
    track: async <A>(work: Promise<A>): Promise<A> => {
      running.add(work);
      try {
        return await work;
      } finally {
        running.delete(work);
      }
    },
    /** Resolves once no work is running. */
    settled: async (): Promise<void> => {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
};

/** The requests that the service works on, even if their client has left. A stop waits for them. */
export type RunningWork = ReturnType<typeof runningWork>;
