import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { pythonEnvironment } from '../support/python-environment';
import type { ServiceProcess } from './service-process';

const run = promisify(execFile);
const SCRIPTS = join(__dirname, 'python');

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
  const python = join(await pythonEnvironment('oaaclient', version), 'python');
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
