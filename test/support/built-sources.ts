import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

const built = new Set<string>();

/**
 * The folder of the compiled sources, for tests that start a process. A run of all tests compiles them before it begins,
 * so that nothing is left to do here; a run of one test does so when they have changed. With `build` there are
 * declarations too.
 */
export const builtSources = (how: 'build' | 'build:quickly' = 'build:quickly'): string => {
  if (!built.has(how)) {
    execFileSync(process.execPath, [join(ROOT, 'scripts/run.mjs'), how], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    built.add(how);
  }
  return join(ROOT, 'dist');
};
