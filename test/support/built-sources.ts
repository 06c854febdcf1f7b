import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

let isBuilt = false;

/**
 * The folder of the sources as `npm run build` compiles them, for tests that start a process. A run of all tests builds
 * them before it begins, so that nothing is left to do here; a run of one test builds them when they have changed.
 */
export const builtSources = (): string => {
  if (!isBuilt) {
    execFileSync(process.execPath, [join(ROOT, 'scripts/run.mjs'), 'build'], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    isBuilt = true;
  }
  return join(ROOT, 'dist');
};
