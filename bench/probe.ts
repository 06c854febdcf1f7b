import { join } from 'node:path';

import { startChild } from './child';
import type { ServiceProcess } from './service-process';

/** How long small requests of another client took, by path, in milliseconds. */
export interface Probe {
  readonly failed: number;
  readonly took: Readonly<Record<string, readonly number[]>>;
}

const PAUSE_MS = 10;

/** Begins to ask for small things in another process; what it gives ends that and tells how long each took. */
export const startProbe = ({ address, apiKey }: ServiceProcess): (() => Promise<Probe>) => {
  const prober = startChild(join(__dirname, 'prober.js'), [address, apiKey, String(PAUSE_MS)]);
  return async () => (await prober.stop()) as Probe;
};

/** The value below which a share of all values are. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? NaN;
};
