/** @more commands */

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { type ServiceProcess, startServiceProcess } from '../connectors/service-process';
import { builtSources } from '../support/built-sources';
import { clearGraph, testDriver, testNeo4j } from '../support/neo4j';

/*
 * Each block of the docs that uses the command line, as somebody pastes it, twice, with the command as it is built.
 * What the service must not do again is refused with a sentence.
 */

const ROOT = join(__dirname, '../..');

const page = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

const blocksOf = (text: string, language: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^ *\`\`\`${language}\\n([^]*?)^ *\`\`\``, 'gm'))].map(
    ([, block = '']) => block,
  );

/** The lines of a block that use the command and end by themselves, without places for one's own values. */
const commandsOf = (block: string): string =>
  block
    .replace(/ \\\n\s*/g, ' ')
    .replaceAll('node dist/cli/grantgraph.js', 'grantgraph')
    .split('\n')
    .filter((line) => /^ *grantgraph /.test(line) && !/…|--follow/.test(line.split(' #')[0] ?? ''))
    .join('\n');

const pages = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)]
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => {
    const commands = blocksOf(page(name), 'sh')
      .map(commandsOf)
      .filter((each) => each !== '');
    return commands.length === 0 ? [] : [[name, commands] as const];
  });

/** The first block of a page in a language that has a text in it. */
const fileOf = (name: string, language: string, text: string): string => {
  const found = blocksOf(page(name), language).find((block) => block.includes(text));
  if (found === undefined) throw new Error(`${name} has no block with ${text}`);
  return found;
};

/** What the reader has in people.json. */
const PEOPLE = {
  name: 'Directory',
  idp_type: 'directory',
  domains: [{ name: 'example.org' }],
  users: [{ name: 'ann@example.org', email: 'ann@example.org', identity: 'ann@example.org' }],
};

let service: ServiceProcess;
let folder: string;

const run = (script: string, cwd: string) => {
  const neo4j = testNeo4j();
  return promisify(execFile)('sh', ['-c', script], {
    cwd,
    env: {
      PATH: process.env.PATH,
      NODE: process.execPath,
      PROGRAM: join(builtSources(), 'cli/grantgraph.js'),
      GRANTGRAPH_URL: service.address,
      GRANTGRAPH_API_KEY: service.apiKey,
      NEO4J_URI: neo4j.uri,
      NEO4J_USER: neo4j.user,
      NEO4J_PASSWORD: neo4j.password,
      NEO4J_DATABASE: neo4j.database,
    },
  });
};

beforeAll(async () => {
  const driver = testDriver();
  await clearGraph(driver);
  await driver.close();
  service = await startServiceProcess({ TLS: '', SCIM_HOSTS: 'wiki.example.org' });
  folder = await mkdtemp(join(tmpdir(), 'grantgraph-pasted-'));
  const files = {
    'people.json': JSON.stringify(PEOPLE),
    'accounts.csv': fileOf('docs/connectors.md', 'csv', 'last_login_at'),
    'staff.csv': 'login,manager\nann,\nbob,ann\n',
    'connection.json': fileOf('docs/provisioning.md', 'json', '"base_url"').replace(
      '…',
      'a-token-of-the-wiki',
    ),
    'policy.json': fileOf('docs/provisioning.md', 'json', '"Everybody in IT"'),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const firstPush = blocksOf(page('README.md'), 'sh').find((each) =>
    each.includes('first-push.json'),
  );
  const wiki = { name: 'Wiki', custom_template: 'application' };
  const lifecycle = { external_lifecycle_management_type: 'SCIM', provisioning: true };
  await run(`${firstPush ?? ''}\npost "$api" '${JSON.stringify({ ...wiki, ...lifecycle })}'`, ROOT);
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

/** A stack of Node, or a value that is missing. */
const STACK = /^ +at |node:internal|\b\w*Error\b(?!Answer)|\bundefined\b/m;

interface Ended {
  readonly line: string;
  readonly code: number;
  readonly said: string;
}

/** Runs each line of a block, and the block again. */
const twice = async (block: string): Promise<readonly Ended[]> => {
  const own = `grantgraph() {
    "$NODE" "$PROGRAM" "$@" > out 2> err
    echo "$? $*" >> ended; sed 's/^/said: /' err out >> ended
  }`;
  await writeFile(join(folder, 'ended'), '');
  expect(await run(`${own}\n${block}\n${block}`, folder)).toEqual({ stdout: '', stderr: '' });
  const ended = await readFile(join(folder, 'ended'), 'utf8');
  return ended.split(/^(?=\d+ )/m).map((each) => {
    const [, code = '', line = '', said = ''] = /^(\d+) (.*)\n([^]*)$/.exec(each) ?? [];
    return { line, code: Number(code), said: said.replace(/^said: /gm, '') };
  });
};

/** What a line may be refused for: by the second time, or since the reader has another company. */
const REFUSED = [
  /^\S+ exists already: name a new file\.$/m,
  /lies before the history, which begins at/,
  /^No user is called "ann@halden\.example"\.$/m,
  /no identity provider or HR system has the data source "halden\.example"$/m,
  // The one that the line before has timed may run.
  /^An import of this provider runs already\. /,
  /UNREACHABLE: Nobody answers at https:\/\/wiki\.example\.org/,
];

test('there are such commands', () => {
  const found = pages.map(([name]) => name);
  expect(found).toEqual([
    'docs/connectors.md',
    'docs/operating.md',
    'docs/provisioning.md',
    'docs/reviews.md',
  ]);
});

test.each(pages)('each command of %s can be pasted twice', async (_name, blocks) => {
  const wrong: unknown[] = [];
  for (const block of blocks) {
    const ended = await twice(block);
    expect(ended.length).toBe(2 * block.split('\n').length);
    for (const { line, code, said } of ended)
      if (STACK.test(said) || (code !== 0 && !REFUSED.some((one) => one.test(said))))
        wrong.push([line, code, said]);
  }
  expect(wrong).toEqual([]);
});
