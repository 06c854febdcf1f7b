import { errorFields, type Log } from '../log';

export const stopper = (log: Log) => {
  const stops: (() => Promise<void>)[] = [];
  return {
    add: (stop: () => Promise<void>): void => {
      stops.unshift(stop);
    },
    /** Stops everything, even if one of the things fails to stop. */
    stop: async (): Promise<void> => {
      for (const stop of stops.splice(0)) {
        await stop().catch((error: unknown) =>
          log.error('the service could not stop one of its parts', errorFields(error)),
        );
      }
    },
  };
};

/** Stops everything that was started, in the reverse order. */
export type Stopper = ReturnType<typeof stopper>;
