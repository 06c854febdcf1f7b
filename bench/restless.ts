import { changeOf } from './changes';
import type { Connector } from './connector';
import type { Filling } from './large-graph';
import { Random } from './random';

/** Pushes that run while others ask questions. */
export interface Restlessness {
  /** Stops the pushes. Gives their number and their average seconds. */
  stop(): Promise<{ readonly pushes: number; readonly seconds: number }>;
}

/** About one in a hundred rows. */
const CHANGED_ROWS = 250;

/**
 * Pushes a whole application again and again, each time with about a hundredth of its rows changed.
 * Leaves it as it was.
 */
export const beginRestlessness = async (
  connector: Connector,
  { source, payload }: Filling,
): Promise<Restlessness> => {
  const { whole } = changeOf(payload, CHANGED_ROWS, 'restless', new Random(CHANGED_ROWS));
  const pushes = [
    await connector.prepare(source, whole),
    await connector.prepare(source, payload),
  ] as const;
  let isStopping = false;
  const took: number[] = [];
  const running = (async (): Promise<void> => {
    while (!isStopping) {
      for (const push of pushes) took.push((await connector.push(push)).seconds);
    }
  })();
  // `stop` reports a failure.
  running.catch(() => undefined);
  return {
    stop: async () => {
      isStopping = true;
      await running;
      return {
        pushes: took.length,
        seconds: took.reduce((sum, each) => sum + each, 0) / took.length,
      };
    },
  };
};
