import { doublingPause } from '../../background';

/** The longest pause after failures, unless the timetable itself has longer ones. */
const LONGEST_SECONDS = 3600;
/** After what may pass, an import is tried again so soon. */
const SOON_SECONDS = 60;

/** Faults that the application may no longer have at the next try. */
const PASSING: ReadonlySet<string> = new Set(['UNREACHABLE', 'CUT', 'TOO_SLOW', 'BUSY']);

/** Whether the fault may pass. */
export const mayWait = (code: string): boolean => PASSING.has(code);

/**
 * After how many seconds the next import is due; null: by call only. Each failure in a row doubles the
 * pause, and chance spreads it, so that many imports do not come back at once.
 */
export const nextPause = (
  every: number | null,
  failures: number,
  passes: boolean,
  random: number,
): number | null => {
  if (every === null || failures === 0) return every;
  const first = passes ? Math.min(SOON_SECONDS, every) : every;
  const longest = Math.max(every, LONGEST_SECONDS);
  const pause = doublingPause(first, failures, longest);
  return Math.round(pause * (0.9 + random / 5));
};
