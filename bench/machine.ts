import { readFile } from 'node:fs/promises';
import { arch, cpus, loadavg, platform, totalmem } from 'node:os';

const MEBIBYTE = 1024 ** 2;

/** The machine on which the bench runs. */
export const machine = () => ({
  processors: cpus().length,
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  memoryMib: Math.round(totalmem() / MEBIBYTE),
  system: `${platform()} ${arch()}`,
  node: process.version,
});

/**
 * The average number of processes that wanted to run in the last minute. If it is far above what
 * the bench needs, the figures say little.
 */
export const load = (): number => Math.round((loadavg()[0] ?? 0) * 100) / 100;

const statusMebibytes = async (pid: number | null, field: string): Promise<number | null> => {
  if (pid === null) return null;
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  return kibibytes === undefined ? null : Math.round(Number(kibibytes) / 1024);
};

/** The most memory that a process ever held, in MiB; `null` if the system does not tell it. */
export const peakMemory = (pid: number | null): Promise<number | null> =>
  statusMebibytes(pid, 'VmHWM');

/** The memory that a process holds now, in MiB; `null` if the system does not tell it. */
export const memory = (pid: number | null): Promise<number | null> => statusMebibytes(pid, 'VmRSS');

// Linux gives the times of processes in hundredths of a second on every machine.
const TICKS_PER_SECOND = 100;

/**
 * The processor seconds of a process so far; `null` if the system does not tell it. Other load on
 * the machine hardly changes this figure.
 */
export const processorSeconds = async (pid: number | null): Promise<number | null> => {
  if (pid === null) return null;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field is the name of the program in brackets, and may hold any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isNaN(ticks) ? null : ticks / TICKS_PER_SECOND;
};
