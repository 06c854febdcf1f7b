import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { fileOf } from '../../../src/kit/saved-query';
import { slides } from '../../../src/kit/slides';
import { builtSources } from '../../support/built-sources';
import { pythonEnvironment } from '../../support/python-environment';
import { oneOfEachTopic } from '../../support/one-of-each-topic';
import { aboutFirstWeek } from '../../support/saved-query-times';

const ROOT = join(__dirname, '../../..');

/** What a reader sees who clicks everything. */
interface Seen {
  readonly signedIn: string;
  /** How many links lead from the start page to the documentation of the interface. */
  readonly start: number;
  readonly docs: string;
  readonly style: string | null;
  readonly blocks: readonly { readonly text: string; readonly records: number | null }[];
  readonly queries: readonly { readonly name: string; readonly records: number | null }[];
  /** How many nodes the picture draws. */
  readonly picture: number;
}

const run = promisify(execFile);

/** Somebody who wants to look at what was clicked names a folder for pictures of it. */
const PICTURES = process.env.CLICK_PICTURES === undefined ? [] : [process.env.CLICK_PICTURES];

let dist: string;
let demo: ChildProcess;
let folder: string;
/** What the demo prints. */
let printed: readonly string[];
let seen: Seen;

/** All that the demo prints until it is up. */
const printedByDemo = async (): Promise<readonly string[]> => {
  const lines: string[] = [];
  for await (const line of createInterface({ input: demo.stdout as NodeJS.ReadableStream })) {
    lines.push(line);
    if (line.startsWith('Runs until')) return lines;
  }
  throw new Error(`The demo ended:\n${lines.join('\n')}`);
};

/** The links that the demo prints, by the words before them. */
const links = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    printed.flatMap((line) => {
      const [, name, link] = /^ {2}(\S+(?: \S+)*?) +(https?:\/\/\S+)/.exec(line) ?? [];
      return name === undefined || link === undefined ? [] : [[name, link]];
    }),
  );

/** The line of shell that the demo prints with this text in it. */
const shellLine = (text: string): string => {
  const found = printed.find((line) => line.startsWith('    ') && line.includes(text));
  if (found === undefined) throw new Error(`The demo prints no line with ${text}.`);
  return found.trim();
};

const settings = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  JAVA_HOME: process.env.JAVA_HOME,
  JAVA_TOOL_OPTIONS: process.env.JAVA_TOOL_OPTIONS,
  NEO4J_AOT_CACHE: process.env.NEO4J_AOT_CACHE,
  NEO4J_BOLT_PORT: '0',
  NEO4J_HTTP_PORT: '0',
  NEO4J_HEAP: '512m',
});

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
};

beforeAll(async () => {
  dist = builtSources();
  folder = await mkdtemp(join(tmpdir(), 'grantgraph-browser-'));
  demo = spawn(process.execPath, [join(dist, 'demo/demo.js')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...settings(), DATA_DIR: folder, PORT: '0' },
  });
  printed = await printedByDemo();
  const { stdout } = await run(
    process.execPath,
    [join(ROOT, 'scripts/click-everything.mjs'), JSON.stringify(links()), folder, ...PICTURES],
    {
      env: {
        ...process.env,
        CLICK_QUERIES: JSON.stringify(oneOfEachTopic().map(({ title }) => title)),
      },
    },
  );
  seen = JSON.parse(stdout) as Seen;
});

afterAll(async () => {
  await ended(demo);
  await rm(folder, { recursive: true });
});

test('the demo prints the links that a stranger opens', () => {
  expect(Object.keys(links())).toEqual(
    expect.arrayContaining(['Sign in', 'API', 'API docs', 'Browser', 'Guide', 'Picture']),
  );
});

test('the printed sign-in leads to the console, and the others to what they name', () => {
  expect(seen).toMatchObject({ signedIn: 'Overview', docs: 'Grantgraph: the HTTP interface' });
  expect(seen.start).toBeGreaterThan(0);
});

test('the printed picture draws something', () => {
  expect(seen.picture).toBeGreaterThan(10);
});

test('the printed line and the first push of README work together, and again', async () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, firstPush = ''] = /## A first push[^]*?```sh\n([^]*?)```/.exec(readme) ?? [];
  const once_ = `${shellLine('GRANTGRAPH_URL=')}\n${firstPush}`;
  const { stdout, stderr } = await run('sh', ['-e', '-c', `${once_}\n${once_}`], {
    cwd: ROOT,
    env: { PATH: process.env.PATH },
  });
  expect(stderr).toBe('');
  expect(stdout.match(/"unchanged":true/g)).toHaveLength(1);
});

test('one click takes the style', () => {
  expect(seen.style).toBe('node.IdpDomain');
});

test('every block of the guide shows rows', () => {
  const blocks = slides('').flatMap(({ queries }) => queries);
  // The style is the only block that is no query.
  expect(seen.blocks).toHaveLength(blocks.length - 1);
  expect(seen.blocks.filter(({ records }) => !records)).toEqual([]);
});

test('saved queries show their rows as they are', () => {
  const expected = oneOfEachTopic().map((query) => {
    const file = join(ROOT, 'cypher/queries', fileOf(query).replace(/\.cypher$/, '.rows.json'));
    const rows = JSON.parse(readFileSync(file, 'utf8')) as readonly unknown[];
    return [query.title, rows.length] as const;
  });
  const found = new Map(seen.queries.map(({ name, records }) => [name, records]));
  const ofTimes = oneOfEachTopic()
    .filter(aboutFirstWeek)
    .map(({ title }) => title);
  for (const [name, records] of found)
    if (ofTimes.includes(name)) expect(records).toBeGreaterThan(0);
  const others = (all: Iterable<readonly [string, unknown]>) =>
    Object.fromEntries([...all].filter(([name]) => !ofTimes.includes(name)));
  expect(others(found)).toEqual(others(expected));
});

describe('after the demo', () => {
  let service: ChildProcess;
  afterAll(() => ended(service));

  test('oaaclient pushes to the same graph as the demo prints it', async () => {
    await ended(demo);
    const start = shellLine('TLS=self-signed').replace(
      /npm start$/,
      `exec "${process.execPath}" "${join(dist, 'main.js')}"`,
    );
    expect(start).toContain('exec');
    service = spawn('sh', ['-c', start], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...settings(), LOG_FORMAT: 'json' },
    });
    for await (const line of createInterface({
      input: service.stdout as NodeJS.ReadableStream,
    })) {
      if (line.includes('"listening"')) break;
    }
    service.stdout?.resume();
    const programs = await pythonEnvironment('oaaclient', '1.2.0');
    const connector = `${shellLine('VEZA_URL=')}
"${join(programs, 'python')}" examples/connectors/python/connector.py examples/connectors/helpdesk-export.json`;
    const { stdout } = await run('sh', ['-e', '-c', connector], {
      cwd: ROOT,
      env: { PATH: process.env.PATH },
    });
    expect(stdout).not.toBe('');
  });
});
