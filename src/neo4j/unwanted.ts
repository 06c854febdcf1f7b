import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';

/** Nobody wants the answer of a transaction any more. */
export class Unwanted extends Error {
  constructor() {
    super('nobody wants the answer');
  }
}

const wanted = new AsyncLocalStorage<AbortSignal>();

/**
 * Runs the work of a question. Once the signal is aborted, the transactions that it has on the
 * connections of questions end, and no further one begins. What others need in addition, such as
 * events, is on other connections and goes on.
 */
export const whileWanted = <A>(unwanted: AbortSignal, work: () => Promise<A>): Promise<A> => {
  // A page asks many questions, each of which listens until its answer is there.
  setMaxListeners(0, unwanted);
  return wanted.run(unwanted, work);
};

/** Aborted when nobody wants the answer of the present question any more. */
export const unwantedNow = (): AbortSignal | undefined => wanted.getStore();
