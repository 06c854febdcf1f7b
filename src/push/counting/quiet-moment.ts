import { cpus } from 'node:os';

/** Milliseconds that the processors have spent so far: in all, and with nothing to do. */
interface Spent {
  readonly all: number;
  readonly idle: number;
}

const spentBy = (
  processors: readonly { readonly times: Readonly<Record<string, number>> }[],
): Spent => ({
  all: processors.reduce(
    (sum, { times }) => sum + Object.values(times).reduce((a, b) => a + b, 0),
    0,
  ),
  idle: processors.reduce((sum, { times }) => sum + (times.idle ?? 0), 0),
});

/**
 * Whether one processor had nothing to do since the question before. The first question is answered
 * with no. In a container these are the processors of the machine.
 */
export const idleProcessor = (processors: typeof cpus = cpus): (() => boolean) => {
  let last: Spent | null = null;
  return () => {
    const all = processors();
    const now = spentBy(all);
    const before = last;
    last = now;
    if (before === null || now.all === before.all) return false;
    return ((now.idle - before.idle) / (now.all - before.all)) * all.length >= 1;
  };
};

/** Decides whether background work may begin while pushes run. */
export interface QuietMoment {
  /** How many pushes run in this process, or wait for a thread. */
  readonly pushes: () => number;
  readonly isProcessorIdle: () => boolean;
  /** After this many seconds of pushes without a pause, the work begins nevertheless. */
  readonly patienceSeconds: number;
}

/**
 * Answers whether background work may begin: while no push runs in this process, or while a
 * processor has nothing to do. The answer is yes at the latest after `patienceSeconds` of no.
 */
export const quietMoment = (
  { pushes, isProcessorIdle, patienceSeconds }: QuietMoment,
  now: () => number = () => performance.now(),
): (() => boolean) => {
  let busySince: number | null = null;
  return () => {
    const isIdle = isProcessorIdle();
    const isQuiet = isIdle || pushes() === 0;
    busySince ??= now();
    if (!isQuiet && now() - busySince < patienceSeconds * 1000) return false;
    busySince = null;
    return true;
  };
};
