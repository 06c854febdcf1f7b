import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { ask } from '../../src/graph/ask';
import { type DemoService, startDemoService } from './service';

const ROOT = join(__dirname, '../..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

let demo: DemoService;
beforeAll(async () => {
  demo = await startDemoService();
});
afterAll(() => demo.stop());

test('the first push in README works as it stands', async () => {
  const [, script = ''] = /## A first push[^]*?```sh\n([^]*?)```/.exec(README) ?? [];
  const { address } = demo.service;
  const here = script
    .replace('http://127.0.0.1:8080', address)
    .replace('data/api-key', join(demo.folder, 'api-key'));
  expect(here).not.toContain('8080');

  const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', here], { cwd: ROOT });

  expect(JSON.parse(stdout)).toMatchObject({
    warnings: [{ message: expect.stringContaining('ann@example.org') as unknown }],
    unchanged: false,
  });
  const query = readFileSync(
    join(ROOT, 'cypher/queries/who-can-write-to-a-resource.cypher'),
    'utf8',
  );
  const rows = await ask(demo.graph, query, { resource: 'Handbook.Salaries' });
  expect(rows.map(({ who }) => who)).toEqual(['ann', 'ann@example.org']);
});
