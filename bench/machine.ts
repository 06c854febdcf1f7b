import { readFile } from 'node:fs/promises';
import { arch, cpus, loadavg, platform, totalmem } from 'node:os';

const MEBIBYTE = 1024 ** 2;

/** What the figures were taken on. */
export const machine = () => ({
  processors: cpus().length,
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  memoryMib: Math.round(totalmem() / MEBIBYTE),
  system: `${platform()} ${arch()}`,
  node: process.version,
});

/** Processes that want to run, on average over the last minute: far above what the bench itself needs, figures say little. */
export const load = (): number => Math.round((loadavg()[0] ?? 0) * 100) / 100;

const statusMebibytes = async (pid: number | null, field: string): Promise<number | null> => {
  if (pid === null) return null;
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  return kibibytes === undefined ? null : Math.round(Number(kibibytes) / 1024);
};

/** The most memory that a process ever held, in MiB; `null` where the system does not tell or the process is elsewhere. */
export const peakMemory = (pid: number | null): Promise<number | null> =>
  statusMebibytes(pid, 'VmHWM');

/** The memory that a process holds now, likewise. */
export const memory = (pid: number | null): Promise<number | null> => statusMebibytes(pid, 'VmRSS');

// Linux tells processes' times in hundredths of a second, whatever its own clock does.
const TICKS_PER_SECOND = 100;

/** Seconds that processors have worked for a process so far: what a busy machine does not distort. `null` where the system does not tell. */
export const processorSeconds = async (pid: number | null): Promise<number | null> => {
  if (pid === null) return null;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field is a name in brackets, which may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isNaN(ticks) ? null : ticks / TICKS_PER_SECOND;
};
