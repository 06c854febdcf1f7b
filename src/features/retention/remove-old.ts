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
  if (eventDays > 0) while (!isStopping() && (await retention.removeSomeEvents(eventDays)));
  if (pushDays > 0) while (!isStopping() && (await retention.removeSomePushes(pushDays)));
  if (pushDays > 0) while (!isStopping() && (await retention.removeSomeActions(pushDays)));
  if (historyDays === undefined) return;
  while (!isStopping() && (await retention.removeSomeHistory(historyDays)));
};
