/** Does some work for each item, so many at a time; each lane has its number from 0. After a failure no more is begun, and what runs ends first. */
export const inLanes = async <A>(
  items: Iterable<A>,
  lanes: number,
  work: (item: A, lane: number) => Promise<void>,
): Promise<void> => {
  const left = items[Symbol.iterator]();
  let hasFailed = false;
  const run = async (lane: number): Promise<void> => {
    while (!hasFailed) {
      const next = left.next();
      if (next.done === true) return;
      try {
        await work(next.value, lane);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: lanes }, (_, lane) => run(lane)));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
};

/** Has works that are given to it run one behind the other, whoever gives them. */
export const oneAtATime = (): (<A>(work: () => Promise<A>) => Promise<A>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
};
