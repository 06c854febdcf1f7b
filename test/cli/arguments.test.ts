/** @more commands */

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { builtSources } from '../support/built-sources';
import { sized } from '../support/test-size';

// Found in the field: `--most abc` listed everything, and `| head` ended with a stack of Node.

const PROGRAM = join(builtSources(), 'cli/grantgraph.js');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'arguments-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const ran = (
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const options = {
      // What a command writes to is not in the folder of the sources.
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        PROGRAM,
        GRANTGRAPH_API_KEY: 'a-key',
        // Nobody listens here.
        GRANTGRAPH_URL: 'http://127.0.0.1:65501',
        ...env,
      },
    };
    execFile(program, [...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  ran(process.execPath, [PROGRAM, ...args], env);

const STACK = /node:internal|\n\s+at |Unhandled|TypeError|EPIPE/;

/** The words of a line as a shell reads them. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );

interface Told {
  readonly name: string;
  /** The arguments of its first example that calls the service. */
  readonly example: readonly string[];
  readonly options: readonly { readonly name: string; readonly type: string }[];
}

/** What the help of a command says; `null` if it does not call the service. */
const toldBy = async (name: string): Promise<Told | null> => {
  const { stdout } = await run([name, '--help']);
  if (!stdout.includes('--url ')) return null;
  const [, ...lines] = (stdout.split('\nExamples:\n')[1] ?? '').split(/^ {2}grantgraph /m);
  // One that follows events waits for a service that comes.
  const example = wordsOf((lines[0] ?? '').split(/ {2}/, 1).join()).filter(
    (word) => word !== '--follow',
  );
  const options = [...stdout.matchAll(/^ {2,}--([\w-]+) .*\[(string|number|array)\]/gm)].map(
    ([, option = '', type = '']) => ({ name: option, type }),
  );
  return { name, example, options };
};

let commands: readonly Told[];

beforeAll(async () => {
  const { stdout } = await run(['--help']);
  const names = [...stdout.matchAll(/^ {2}grantgraph ([\w-]+)/gm)].map(([, name = '']) => name);
  const told = await Promise.all([...new Set(names)].map(toldBy));
  commands = told.flatMap((one) => one ?? []);
  expect(commands.length).toBeGreaterThan(15);
});

test('each example of a command is one line, and fits the command', async () => {
  for (const { name, example } of commands) {
    expect([name, example[0]]).toEqual([name, name]);
    const { code, stderr } = await run(example);
    // A file of the example does not exist here.
    expect([example, code, stderr]).toEqual([
      example,
      expect.any(Number) as number,
      expect.stringMatching(/^Nobody answers|ENOENT|no file/) as string,
    ]);
  }
});

const BAD: Readonly<Record<string, readonly string[]>> = {
  number: ['abc', '0', '1.5'],
  string: [''],
  array: [''],
};

test('a value that no option can have is refused before the service is called', async () => {
  const wrong: unknown[] = [];
  const most = sized(1, 100);
  for (const { example, options } of commands) {
    const tried = ['number', 'string', 'array'].flatMap((type) =>
      options
        // An empty value next to others of a list says nothing.
        .filter((option) => option.type === type && !example.includes(`--${option.name}`))
        .slice(0, most),
    );
    for (const { name, type } of tried) {
      for (const value of (BAD[type] ?? []).slice(0, most)) {
        const args = [...example, `--${name}=${value}`];
        const { code, stderr } = await run(args);
        if (code !== 2 || STACK.test(stderr) || stderr.includes('Nobody answers')) {
          wrong.push([args, code, stderr]);
        }
      }
    }
  }
  expect(wrong).toEqual([]);
});

test.each([
  [['access', 'ann', '--at', 'yesterday'], 'at: expected an instant'],
  [['keys', 'rotate', 'x', '--valid-until', 'soon'], 'valid-until: expected an instant'],
  [['keys', 'rotate', 'x', '--scopes', 'push'], 'does not accept scopes'],
  [['keys', 'create', 'x', '--scopes', 'pull'], 'scopes'],
  [['pushes', '--provider', 'a', '--provider', 'b', '--data-source', 'c'], 'more than once'],
  [['find', 'ann', '--most'], 'most'],
  [['find', 'ann', '--url', 'ht!tp'], 'no address'],
  [['find', 'ann', '--key', 'kéy'], 'no key has'],
  [['find', '-ann'], 'begins with a dash follows --'],
  [['export', '/no/such/folder/file.csv'], 'no folder'],
  [['query', 'no-such-file.cypher'], 'no file'],
] as const)('%j is refused, and says why', async (args, why) => {
  const { code, stderr } = await run(args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(why) as string]);
});

test.each([
  [['find', '--', '-ann']],
  [['access', '--', '--ann']],
  [['access', '--', '--']],
  [['keys', 'create', '--scopes', 'push', 'read', '--', '-a key']],
  [['keys', '--', 'rotate', '-x']],
  [['pushes', '--provider=-a', '--data-source=--b']],
  [['access', 'Ünïcødé 名前 🙂 " \' \\ $(x) `y` %s']],
] as const)('names of any letters are names: %j', async (args) => {
  expect(await run(args)).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^Nobody answers/) as string,
  });
});

test.each([
  '"$NODE" "$PROGRAM" --help | head -n 1',
  '"$NODE" "$PROGRAM" --help | true',
  '"$NODE" "$PROGRAM" find x 2>&1 | true',
  '"$NODE" "$PROGRAM" --help >&-',
])('a reader that leaves ends a command quietly: %s', async (line) => {
  const { code, stderr } = await ran('bash', ['--norc', '-c', `set -o pipefail; ${line}`], {
    NODE: process.execPath,
  });
  expect([[0, 3, 141].includes(code), stderr]).toEqual([true, '']);
});
