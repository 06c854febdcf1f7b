import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CACHE = join(__dirname, '../../node_modules/.cache');
/** Less than a test may take, so that what fails says why. */
const INSTALL_MILLISECONDS = 300_000;

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/**
 * One version of a package as it is on PyPI, in an environment of its own; gives the folder of its
 * programs. `more` are other packages that it needs there. Later runs find it in the cache. Of two runs that
 * install it at the same time each has its own, and one of them stays in the cache.
 */
export const pythonEnvironment = async (
  name: string,
  version: string,
  more: readonly string[] = [],
): Promise<string> => {
  const installed = join(CACHE, name, `${version}-installed`);
  if (await exists(installed)) return join(installed, 'bin');
  await mkdir(join(CACHE, name), { recursive: true });
  const folder = await mkdtemp(join(CACHE, name, `${version}-`));
  const programs = join(folder, 'bin');
  try {
    await run('python3', ['-m', 'venv', '--without-pip', folder]);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw new Error('These tests need Python 3 with its module venv, as `python3` on the path.', {
      cause: error,
    });
  }
  const python = join(programs, 'python');
  const install = (program: string, ...options: readonly string[]) =>
    run(
      program,
      [
        '-m',
        'pip',
        ...options,
        'install',
        '--quiet',
        '--disable-pip-version-check',
        `${name}==${version}`,
        ...more,
      ],
      { timeout: INSTALL_MILLISECONDS },
    );
  try {
    await install('python3', '--python', python);
  } catch {
    // The pip of this machine is absent or too old: a pip in the environment takes twice as long.
    await run(python, ['-m', 'ensurepip']);
    await install(python);
  }
  // Only a whole installation is found again.
  await symlink(folder, `${folder}-whole`);
  await rename(`${folder}-whole`, installed);
  return programs;
};
