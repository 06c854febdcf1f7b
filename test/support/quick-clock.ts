import type { Clock } from '../../src/scim/client/requests/exchange';

/** A clock on which waiting takes no time, and which tells how long was waited. */
export interface QuickClock extends Clock {
  readonly waits: readonly number[];
}

/** Makes a clock that goes on only when somebody waits. */
export const quickClock = (): QuickClock => {
  let now = Date.parse('2026-11-25T12:00:00Z');
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    sleep: (milliseconds) => {
      waits.push(milliseconds);
      now += milliseconds;
      return Promise.resolve();
    },
    random: () => 0.5,
  };
};
