import { setImmediate } from 'node:timers/promises';

/** Resolves when the clock shows another millisecond, so that an instant lies between what was and what comes. */
export const nextMillisecond = async (): Promise<void> => {
  const now = Date.now();
  while (Date.now() === now) await setImmediate();
};
