/** @more commands */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { ask } from '../../src/neo4j/ask';
import { closeGraph, type Graph, openGraph } from '../../src/neo4j/driver';
import { type ServiceProcess, startServiceProcess } from '../connectors/service-process';
import { clearGraph, testNeo4j } from '../support/neo4j';

const ROOT = join(__dirname, '../..');

let service: ServiceProcess;
let graph: Graph;
let folder: string;
beforeAll(async () => {
  graph = openGraph(testNeo4j());
  await clearGraph(graph.driver);
  folder = await mkdtemp(join(tmpdir(), 'grantgraph-readme-'));
  // As it is built: its threads run compiled files, which the sources do not have.
  service = await startServiceProcess({ TLS: '' });
});
afterAll(async () => {
  await service.stop();
  await closeGraph(graph);
  await rm(folder, { recursive: true });
});

/** The scripts of a page, in their order. */
const scriptsOf = (page: string): readonly string[] =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^ *```sh\n([^]*?)^ *```/gm)].map(
    ([, script = '']) => script,
  );

const FIRST_PUSH =
  scriptsOf('README.md').find((script) => script.includes('first-push.json')) ?? '';

/** What scripts of the docs write: an export, whose last line says that it is the last. */
const FILES = ['access.ndjson'];

/** Runs a script as somebody pastes it, with the variables that the demo prints. */
const run = async (
  script: string,
): Promise<{ readonly stdout: string; readonly stderr: string }> => {
  const here = FILES.reduce(
    (text, name) => text.replaceAll(`> ${name}`, `> "$PASTED/${name}"`),
    script,
  );
  return promisify(execFile)('sh', ['-e', '-c', here], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      GRANTGRAPH_URL: service.address,
      GRANTGRAPH_API_KEY: service.apiKey,
      PASTED: folder,
    },
  });
};

/** A stack of Node, or a value that is missing. */
const STACK = /^ +at |node:internal|\b\w*Error\b(?!Answer)|\bundefined\b/m;

const registered = async (): Promise<unknown> =>
  ask(
    graph,
    'MATCH (source:DataSource) RETURN source.provider AS provider, source.name AS name ORDER BY provider, name',
  );

test('the first push in README works as it stands', async () => {
  const { stdout } = await run(FIRST_PUSH);

  expect(JSON.parse(stdout)).toMatchObject({
    warnings: [{ message: expect.stringContaining('ann@example.org') as unknown }],
    unchanged: false,
  });
  const query = readFileSync(
    join(ROOT, 'cypher/queries/access/who-can-write-to-a-resource.cypher'),
    'utf8',
  );
  const rows = await ask(graph, query, { resource: 'Handbook.Salaries' });
  expect(rows.map(({ who }) => who)).toEqual(['ann', 'ann@example.org']);
});

test('whoever pastes it again pushes the same to the same data source', async () => {
  const before = await registered();
  const { stdout, stderr } = await run(`${FIRST_PUSH}\n${FIRST_PUSH}`);
  expect(stderr).toBe('');
  expect(stdout.match(/"unchanged":true/g)).toHaveLength(2);
  expect(await registered()).toEqual(before);
});

test('a refusal is the sentence of the service', async () => {
  const wrongKey = FIRST_PUSH.replace(/^key=.*$/m, 'key=wrong');
  await expect(run(wrongKey)).rejects.toMatchObject({
    stdout: '',
    stderr: 'The key is not known.\n',
  });
});

test('the multipart upload in docs/connectors.md works after it', async () => {
  const parts = scriptsOf('docs/connectors.md').find((each) => each.includes('sequence_count'));
  const another = FIRST_PUSH.replaceAll('Company wiki', 'Company wiki in parts');
  const { stdout } = await run(`${another}\n${parts ?? ''}`);
  expect(stdout).toContain('"unchanged":false');
  expect(stdout).toMatch(/"unchanged":true,[^{]*"put":\{"nodes":0/);
});

/** A script that asks the service and ends. */
const asksTheService = (script: string): boolean =>
  /\b(?:curl|post|get) /.test(script) && !/\bcurl -N |\bdocker |:7474\b/.test(script);

const pages = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)]
  .filter((page) => page.endsWith('.md'))
  .map((page) => [page, scriptsOf(page).filter(asksTheService)] as const)
  .filter(([, scripts]) => scripts.length > 0);

test('there are such scripts', () => {
  expect(pages.map(([page]) => page)).toEqual(
    expect.arrayContaining(['README.md', 'docs/api.md', 'docs/connectors.md']),
  );
});

test.each(pages)(
  'each script of %s can be pasted twice, after the first push and after the others',
  async (_page, scripts) => {
    const twice = scripts.flatMap((script) => [script, script]);
    const { stdout, stderr } = await run([FIRST_PUSH, ...twice, ...scripts].join('\n'));
    expect(stderr).not.toMatch(STACK);
    expect(stdout).not.toMatch(STACK);
    for (const name of FILES.filter((each) => scripts.join('').includes(`> ${each}`)))
      expect((await readFile(join(folder, name), 'utf8')).trimEnd().split('\n').at(-1)).toMatch(
        /^\{.*"is_last":true\}$/,
      );
  },
);

test('a page sends an export into a file', () => {
  const all = pages.flatMap(([, scripts]) => scripts).join('');
  expect(FILES.filter((name) => all.includes(`> ${name}`))).toEqual(FILES);
});
