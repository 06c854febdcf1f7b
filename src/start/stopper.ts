import { errorFields, type Log } from '../log';

/** Stops everything that was started, in the reverse order. */
export interface Stopper {
  readonly add: (stop: () => Promise<void>) => void;
  /** Stops everything, even if one of the things fails to stop. */
  readonly stop: () => Promise<void>;
}

export const stopper = (log: Log): Stopper => {
  const stops: (() => Promise<void>)[] = [];
  return {
    add: (stop) => stops.unshift(stop),
    stop: async () => {
      for (const stop of stops.splice(0)) {
        await stop().catch((error: unknown) =>
          log.error('the service could not stop one of its parts', errorFields(error)),
        );
      }
    },
  };
};
