import type { Retention } from '../../graph/records/retention';

/** For how many days the graph keeps events and pushes; 0 means for ever. */
export interface Keeping {
  readonly eventDays: number;
  readonly pushDays: number;
}

/** Removes events and records of pushes that are too old, in small steps. */
export const removeWhatIsOld = async (
  retention: Retention,
  { eventDays, pushDays }: Keeping,
  isStopping: () => boolean,
): Promise<void> => {
  if (eventDays > 0) while (!isStopping() && (await retention.removeSomeEvents(eventDays)));
  if (pushDays > 0) while (!isStopping() && (await retention.removeSomePushes(pushDays)));
};
