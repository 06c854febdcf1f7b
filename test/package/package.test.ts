/** @more commands */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { type Ended, execute } from '../connectors/python-client';
import {
  type InstalledPackage,
  installPackage,
  plainEnvironment,
} from '../support/installed-package';

const FIRST_PUSH = join(__dirname, '../../examples/first-push.json');

let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installPackage();
});
afterAll(() => installed.remove());

const npx = (...args: readonly string[]): Promise<Ended> =>
  installed.run('npx', '--no-install', 'grantgraph', ...args);

test('npx grantgraph runs the commands that need no service', async () => {
  const help = await npx('--help');
  expect(help).toMatchObject({ code: 0 });
  expect(help.stdout).toContain('grantgraph push <file>');
  const good = await npx('validate', FIRST_PUSH, '--template', 'application');
  expect(good).toMatchObject({ code: 0, stdout: 'The payload is valid.\n' });
  const wrong = await npx('validate', FIRST_PUSH, '--template', 'hris');
  expect(wrong.code).toBe(1);
  expect(wrong.stdout).toMatch(/\n2 +19 +UNKNOWN_FIELD/);
});

test('serve finds the manual and the saved queries of the package', async () => {
  const child = spawn(join(installed.bin, 'grantgraph'), ['serve'], {
    cwd: installed.folder,
    env: {
      ...plainEnvironment(),
      PORT: '0',
      API_KEY: 'YS1rZXktb2YtdGVzdHM6dGVzdA==',
      LOG_FORMAT: 'json',
      // Pages come without the graph, so nobody needs to answer there.
      NEO4J_URI: 'bolt://127.0.0.1:9',
      NEO4J_PASSWORD: 'nobody-answers',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    const address = await addressOf(child);
    const page = await fetch(`${address}/manual/operating`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('NEO4J_URI')]);
    const queries = await fetch(`${address}/kit/queries.zip`);
    expect(queries.status).toBe(200);
    expect((await queries.arrayBuffer()).byteLength).toBeGreaterThan(10_000);
  } finally {
    child.kill('SIGTERM');
  }
  expect(await ended).toEqual([0, null]);
});

test('serve --help lists the settings', async () => {
  expect((await npx('serve', '--help')).stdout).toMatch(/ {2}NEO4J_URI\n/);
});

test('every command teaches by examples', async () => {
  const { stdout } = await npx('--get-yargs-completions', 'grantgraph', '');
  const commands = stdout.split('\n').filter((name) => /^[a-z-]+$/.test(name));
  expect(commands).toEqual(expect.arrayContaining(['serve', 'push', 'providers', 'keys']));
  const taught = commands.filter((name) => name !== 'completion');
  const helps = await Promise.all(
    taught.map(
      async (name) =>
        (await installed.run(join(installed.bin, 'grantgraph'), name, '--help')).stdout,
    ),
  );
  expect(taught.filter((_, at) => !helps[at]?.includes('Examples:'))).toEqual([]);
});

test('bash completes commands, options and values', async () => {
  const completed = async (...words: readonly string[]): Promise<readonly string[]> => {
    const script = `source <(grantgraph completion)
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _grantgraph_yargs_completions
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const args = ['-c', script, 'bash', ...words];
    const { stdout } = await execute('bash', args, {
      ...plainEnvironment(),
      SHELL: '/bin/bash',
      PATH: `${installed.bin}:${plainEnvironment().PATH}`,
    });
    return stdout.trim().split('\n');
  };
  expect(await completed('grantgraph', 'val')).toEqual(['validate']);
  expect(await completed('grantgraph', 'push', 'x.json', '--confirm')).toEqual([
    '--confirm-removal',
  ]);
  expect(await completed('grantgraph', 'push', 'x.json', '--template', 'i')).toEqual([
    'identity_provider',
  ]);
});

test('zsh gets a script of its own, with a description for each command', async () => {
  const zsh = (...args: readonly string[]): Promise<Ended> =>
    execute(join(installed.bin, 'grantgraph'), args, { ...plainEnvironment(), SHELL: '/bin/zsh' });
  expect((await zsh('completion')).stdout).toMatch(/^#compdef grantgraph\n/);
  const { stdout } = await zsh('--get-yargs-completions', 'grantgraph', 'val');
  expect(stdout).toContain('validate:Check a payload without a service\n');
});

async function addressOf(child: ChildProcess & { stdout: NodeJS.ReadableStream }): Promise<string> {
  for await (const line of createInterface({ input: child.stdout })) {
    const [, address] = /"address":"(http:[^"]+)"/.exec(line) ?? [];
    if (address !== undefined) {
      child.stdout.resume();
      return address;
    }
  }
  throw new Error('The service did not start.');
}
