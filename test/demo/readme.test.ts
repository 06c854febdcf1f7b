import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { ask } from '../../src/neo4j/ask';
import { type DemoService, startDemoService } from './service';

const ROOT = join(__dirname, '../..');

let demo: DemoService;
beforeAll(async () => {
  demo = await startDemoService();
});
afterAll(() => demo.stop());

/** The first script after a place on a page. */
const scriptAfter = (page: string, place: RegExp): string =>
  new RegExp(`${place.source}[^]*?\`\`\`sh\\n([^]*?)\`\`\``).exec(
    readFileSync(join(ROOT, page), 'utf8'),
  )?.[1] ?? '';

const FIRST_PUSH = scriptAfter('README.md', /## A first push/);

const run = async (script: string): Promise<string> => {
  const here = script
    .replace('http://127.0.0.1:8080', demo.service.address)
    .replace('data/api-key', join(demo.folder, 'api-key'));
  expect(here).not.toContain('8080');
  return (await promisify(execFile)('sh', ['-eu', '-c', here], { cwd: ROOT })).stdout;
};

test('the first push in README works as it stands', async () => {
  const stdout = await run(FIRST_PUSH);

  expect(JSON.parse(stdout)).toMatchObject({
    warnings: [{ message: expect.stringContaining('ann@example.org') as unknown }],
    unchanged: false,
  });
  const query = readFileSync(
    join(ROOT, 'cypher/queries/access/who-can-write-to-a-resource.cypher'),
    'utf8',
  );
  const rows = await ask(demo.graph, query, { resource: 'Handbook.Salaries' });
  expect(rows.map(({ who }) => who)).toEqual(['ann', 'ann@example.org']);
});

test('the multipart upload in docs/connectors.md works after it', async () => {
  const parts = scriptAfter('docs/connectors.md', /## Multipart uploads/);
  expect(parts).toContain('sequence_count');
  const another = FIRST_PUSH.replace('Company wiki', 'Company wiki in parts');
  const stdout = await run(`${another}\n${parts}`);
  expect(stdout).toContain('"unchanged":false');
  expect(stdout).toMatch(/"unchanged":true,[^{]*"put":\{"nodes":0/);
});
