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
import { oneOfEachTopic } from '../../support/one-of-each-topic';
import { aboutFirstWeek } from '../../support/saved-query-times';

const ROOT = join(__dirname, '../../..');

/** What a reader sees who clicks everything. */
interface Seen {
  readonly style: string | null;
  readonly blocks: readonly { readonly text: string; readonly records: number | null }[];
  readonly queries: readonly { readonly name: string; readonly records: number | null }[];
}

let demo: ChildProcess;
let folder: string;
let seen: Seen;

/** The link of the guide, as the demo prints it once it is up. */
const guideLink = async (): Promise<string> => {
  const lines: string[] = [];
  for await (const line of createInterface({ input: demo.stdout as NodeJS.ReadableStream })) {
    lines.push(line);
    const [, link] = /^ *Guide +(\S+)/.exec(line) ?? [];
    if (link !== undefined) return link;
  }
  throw new Error(`The demo printed no link of a guide:\n${lines.join('\n')}`);
};

beforeAll(async () => {
  const dist = builtSources();
  folder = await mkdtemp(join(tmpdir(), 'grantgraph-browser-'));
  demo = spawn(process.execPath, [join(dist, 'demo/demo.js')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      JAVA_HOME: process.env.JAVA_HOME,
      JAVA_TOOL_OPTIONS: process.env.JAVA_TOOL_OPTIONS,
      NEO4J_AOT_CACHE: process.env.NEO4J_AOT_CACHE,
      DATA_DIR: folder,
      PORT: '0',
      NEO4J_BOLT_PORT: '0',
      NEO4J_HTTP_PORT: '0',
      NEO4J_HEAP: '512m',
    },
  });
  const link = await guideLink();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'scripts/click-everything.mjs'), link, folder],
    {
      env: {
        ...process.env,
        CLICK_QUERIES: JSON.stringify(oneOfEachTopic().map(({ title }) => title)),
      },
    },
  );
  seen = JSON.parse(stdout) as Seen;
}, 400_000);

afterAll(async () => {
  demo.kill('SIGTERM');
  if (demo.exitCode === null) await once(demo, 'exit');
  await rm(folder, { recursive: true });
}, 60_000);

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
