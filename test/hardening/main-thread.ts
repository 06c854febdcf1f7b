import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

import type { ServiceProcess } from '../connectors/service-process';
import { inQuiet } from '../support/quiet-time';

/** How long a tick of processor time is, in milliseconds. */
const TICK = 10;

/** The longest block since this was last asked, in milliseconds. `test/support/longest-block.cjs` measures it. */
const longestBlock = async (service: ServiceProcess): Promise<number> => {
  const before = service.printed().length;
  process.kill(service.pid, 'SIGUSR2');
  for (;;) {
    const found = /longest block (\d+) ms/.exec(service.printed().slice(before));
    if (found !== null) return Number(found[1]);
    await setTimeout(5);
  }
};

/** Processor time of the main thread so far, which other programs of the machine do not lengthen. */
const spent = async ({ pid }: ServiceProcess): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/task/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK;
};

/**
 * Does something, and says for how many milliseconds the main thread of a service was held meanwhile: the
 * longest block, or all processor time of that thread if it is less. Counted as on a quiet machine.
 */
export const whileWatched = async <A>(
  service: ServiceProcess,
  work: () => Promise<A>,
): Promise<{ readonly value: A; readonly block: number }> => {
  await longestBlock(service);
  const before = await spent(service);
  const value = await work();
  const took = (await spent(service)) - before;
  return { value, block: Math.round(inQuiet(Math.min(took, await longestBlock(service)))) };
};
