import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = '/sys/fs/cgroup';

/** The files of a control group, in both versions of the kernel's interface. */
const VERSIONS = [
  {
    folder: join(ROOT, 'memory'),
    limit: 'memory.limit_in_bytes',
    most: 'memory.max_usage_in_bytes',
    kills: 'memory.oom_control',
  },
  { folder: ROOT, limit: 'memory.max', most: 'memory.peak', kills: 'memory.events' },
] as const;

/**
 * A control group of Linux. It limits the memory of its processes together, as a container does.
 */
export interface MemoryGroup {
  /** A command that joins the group and then runs the command that follows it. */
  readonly command: readonly string[];
  /** The most bytes that its processes and their cached files took. */
  readonly mostBytes: () => number;
  /** How many processes the kernel killed because the group was full. */
  readonly kills: () => number;
  readonly remove: () => void;
}

/** Makes a control group. This needs Linux and root. */
export const memoryGroup = (name: string, bytes: number): MemoryGroup => {
  const version = VERSIONS.find(({ folder, limit }) =>
    existsSync(join(folder, limit.startsWith('memory.limit') ? limit : 'cgroup.controllers')),
  );
  if (version === undefined || process.getuid?.() !== 0) {
    throw new Error('Limiting the memory of a process needs Linux with control groups, and root.');
  }
  const folder = join(version.folder, name);
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  mkdirSync(folder);
  try {
    writeFileSync(join(folder, version.limit), String(bytes));
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
  return {
    command: ['sh', '-c', 'echo $$ > "$0" && exec "$@"', join(folder, 'cgroup.procs')],
    mostBytes: () => Number(read(version.most)),
    kills: () => Number(/^oom_kill (\d+)$/m.exec(read(version.kills))?.[1] ?? 0),
    remove: () => rmdirSync(folder),
  };
};
