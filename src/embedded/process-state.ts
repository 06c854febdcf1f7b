import { readFile } from 'node:fs/promises';
import { hasCode } from '../error-code';

/** Whether a process of that id lives; one that has ended and only waits for its parent does not. */
export const isAlive = async (pid: number): Promise<boolean> => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // It lives, as another user's.
    if (!hasCode(error, 'EPERM')) return false;
  }
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name before the state stands in brackets and may itself hold any character.
  return !/\) [ZX] [^)]*$/.test(stat);
};
