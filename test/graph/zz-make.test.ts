import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeBackup } from '../../src/service/backup/backup';
import { filledGraph } from '../support/push';

test('make', async () => {
  const filled = await filledGraph();
  await filled.clear();
  const folder = join(__dirname, '../fixtures/stores/rules-2/payloads');
  for (const file of readdirSync(folder).sort()) {
    const payload = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, unknown>;
    const name = /-(\w+)\.json$/.exec(file)?.[1] as string;
    const source = await filled.register(name, 'applications' in payload ? 'application' : 'identity_provider');
    const list = 'applications' in payload ? 'identity_to_permissions' : 'users';
    const all = payload[list] as object[];
    const first = name === 'plain' ? { ...payload, [list]: all } : { ...payload, [list]: [...all, ...(list === 'users' ? [{ name: 'left' }] : [])] };
    if (list === 'users') await filled.accept(source, first);
    else {
      const apps = payload.applications as Record<string, unknown>[];
      await filled.accept(source, { ...payload, applications: apps.map((app, at) => (at > 0 ? app : { ...app, description: 'before', local_users: [...((app.local_users as object[]) ?? []), { name: 'left' }] })) });
    }
    const done = await filled.accept(source, payload);
    process.stdout.write(`${name} ${done.outcome}\n`);
  }
  const rows = await filled.ask('MATCH (n:Past) RETURN labels(n) AS l, coalesce(n.type, n.label) AS t, count(*) AS c');
  process.stdout.write(JSON.stringify(rows) + '\n');
  const build = { version: '0.1.0', commit: process.env.COMMIT ?? '', rulesVersion: 4 };
  process.stdout.write(JSON.stringify(await takeBackup(filled.graph, '/tmp/version-6.gz', 20, build)));
  await filled.clear();
  await filled.close();
});
