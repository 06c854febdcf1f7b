import type { Retention } from './retention';

/** For how many days the graph stores events and pushes; 0 means for ever. */
export interface Keeping {
  readonly eventDays: number;
  readonly pushDays: number;
  /** For how many days it stores facts that ended; 0 means not at all, unset for ever. */
  readonly historyDays?: number | undefined;
}

/** Removes events, records of pushes and ended facts that are too old, in small steps. */
export const removeWhatIsOld = async (
  retention: Retention,
  { eventDays, pushDays, historyDays }: Keeping,
  isStopping: () => boolean,
): Promise<void> => {
  const until = async (remove: () => Promise<boolean>): Promise<void> => {
    while (!isStopping() && (await remove()));
  };
  if (eventDays > 0) await until(() => retention.removeSomeRecords('eventDays', eventDays));
  if (pushDays > 0) await until(() => retention.removeSomePushes(pushDays));
  if (pushDays > 0) await until(() => retention.removeSomeRecords('pushDays', pushDays));
  if (historyDays === undefined) return;
  await until(() => retention.removeSomeRecords('historyDays', historyDays));
};
