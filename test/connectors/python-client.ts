import { execFile } from 'node:child_process';
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { ServiceProcess } from './service-process';

const run = promisify(execFile);
const CACHE = join(__dirname, '../../node_modules/.cache/oaaclient');
const SCRIPTS = join(__dirname, 'python');
const INSTALL_MILLISECONDS = 180_000;

/** One version of the Python client as it is on PyPI, in an environment of its own. */
export interface PythonClient {
  readonly version: string;
  /** Runs a script with it against a service, as its users do. */
  run(service: ServiceProcess, script: string, ...args: readonly string[]): Promise<Ended>;
  /** Runs a script of test/connectors/python, and reads the JSON that it prints. */
  ask(service: ServiceProcess, script: string, ...args: readonly string[]): Promise<unknown>;
  /** A module of the client as a program of its own. */
  runModule(service: ServiceProcess, module: string, ...args: readonly string[]): Promise<Ended>;
}

/** How a program ended, and what it printed. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Installs a version of the client once; later runs find it in the cache. */
export const pythonClient = async (version: string): Promise<PythonClient> => {
  const python = await installed(version);
  const start = (
    { address, apiKey, certificate }: ServiceProcess,
    args: readonly string[],
  ): Promise<Ended> =>
    execute(python, args, {
      PATH: process.env.PATH,
      VEZA_URL: address,
      VEZA_API_KEY: apiKey,
      REQUESTS_CA_BUNDLE: certificate,
      // A test that fails must not wait for ten retries.
      OAA_API_RETRIES: '1',
      PYTHONUNBUFFERED: '1',
      PYTHONDONTWRITEBYTECODE: '1',
    });
  return {
    version,
    run: (service, script, ...args) => start(service, [script, ...args]),
    ask: async (service, script, ...args) => {
      const { code, stdout, stderr } = await start(service, [join(SCRIPTS, script), ...args]);
      if (code !== 0) throw new Error(`${script} ended with ${code}:\n${stderr}${stdout}`);
      return JSON.parse(stdout) as unknown;
    },
    runModule: (service, module, ...args) => start(service, ['-m', module, ...args]),
  };
};

/** Runs a program to its end, whichever that is. */
export const execute = async (
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Ended> => {
  try {
    const { stdout, stderr } = await run(program, args, { env, maxBuffer: 64 * 1024 ** 2 });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const {
      code,
      stdout = '',
      stderr = '',
    } = error as Partial<Omit<Ended, 'code'>> & {
      readonly code?: number | string;
    };
    if (typeof code !== 'number') throw error;
    return { code, stdout, stderr };
  }
};

async function installed(version: string): Promise<string> {
  const folder = join(CACHE, version);
  const python = join(folder, 'bin', 'python');
  const stamp = join(folder, '.installed');
  if (await exists(stamp)) return python;
  await mkdir(CACHE, { recursive: true });
  await rm(folder, { recursive: true, force: true });
  try {
    await run('python3', ['-m', 'venv', folder]);
  } catch (error) {
    throw new Error('These tests need Python 3 with its module venv, as `python3` on the path.', {
      cause: error,
    });
  }
  await run(
    python,
    ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `oaaclient==${version}`],
    { timeout: INSTALL_MILLISECONDS },
  );
  // Only a whole installation is found again.
  await writeFile(`${stamp}.new`, '');
  await rename(`${stamp}.new`, stamp);
  return python;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
