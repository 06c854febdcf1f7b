import { join } from 'node:path';

import { startChild } from './child';
import type { ServiceProcess } from './service-process';

/** The times of small requests by path, in milliseconds. */
export interface Probe {
  readonly failed: number;
  readonly took: Readonly<Record<string, readonly number[]>>;
}

const PAUSE_MS = 10;

/**
 * Starts to send small requests from another process. The result is a function that stops this and
 * gives the times.
 */
export const startProbe = ({ address, apiKey }: ServiceProcess): (() => Promise<Probe>) => {
  const prober = startChild(join(__dirname, 'prober.js'), [address, apiKey, String(PAUSE_MS)]);
  return async () => (await prober.stop()) as Probe;
};

/** The quantile of these values. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? NaN;
};
