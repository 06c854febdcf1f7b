import { readFile } from 'node:fs/promises';
import { hasCode } from '../error-code';

/** Whether a process with this id is alive. A zombie, which only waits for its parent, is not. */
export const isAlive = async (pid: number): Promise<boolean> => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process is alive and belongs to another user.
    if (!hasCode(error, 'EPERM')) return false;
  }
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the process is written in brackets before its state, and may hold any character.
  return !/\) [ZX] [^)]*$/.test(stat);
};
