import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { type Ended, execute } from '../connectors/python-client';
import { builtSources } from './built-sources';

const ROOT = join(__dirname, '../..');

/** The package as its users have it: packed, and installed in an empty folder. */
export interface InstalledPackage {
  readonly folder: string;
  /** The folder of its commands. */
  readonly bin: string;
  /** Runs a program in the folder. */
  run(program: string, ...args: readonly string[]): Promise<Ended>;
  remove(): Promise<void>;
}

/** The variables that a program needs which runs alone; none of the service's own. */
export const plainEnvironment = (): NodeJS.ProcessEnv => {
  const npm = Object.entries(process.env).filter(([name]) => /^(HOME|npm_config_.*)$/i.test(name));
  return { ...Object.fromEntries(npm), PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
};

/**
 * Packs and installs the package with npm. Its dependencies come from npm's cache, or else from the
 * registry, so this takes some ten seconds.
 */
export const installPackage = async (): Promise<InstalledPackage> => {
  builtSources('build');
  const folder = await mkdtemp(join(tmpdir(), 'grantgraph-package-'));
  const runIn = (where: string, program: string, ...args: readonly string[]): Promise<Ended> =>
    execute('env', ['-C', where, program, ...args], plainEnvironment());
  const npm = async (where: string, ...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runIn(
      where,
      'npm',
      ...args,
      '--ignore-scripts',
      '--loglevel=error',
    );
    if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}:\n${stderr}`);
    return stdout.trim();
  };
  const file = await npm(ROOT, 'pack', '--pack-destination', folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await npm(folder, 'install', `./${file}`, '--prefer-offline', '--no-audit', '--no-fund');
  return {
    folder,
    bin: join(folder, 'node_modules/.bin'),
    run: (program, ...args) => runIn(folder, program, ...args),
    remove: () => rm(folder, { recursive: true }),
  };
};
