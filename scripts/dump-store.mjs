// Writes the graph that an earlier release makes of payloads to a file, so that a test can open a
// store of that release. The folder holds files `<number>-<name>.json`. The script pushes them in
// that order, each to a provider and a data source of that name.
//
// Usage: node scripts/dump-store.mjs <checkout of the release, built> <folder of payloads> <file to
// write>
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import neo4j from 'neo4j-driver';

const [checkout, folder, file] = process.argv.slice(2);
if (file === undefined) {
  console.error('Usage: node scripts/dump-store.mjs <checkout> <folder> <file>');
  process.exit(2);
}
const [PORT, BOLT] = ['18473', '18474'];
const KEY = 'key-of-the-store-dump';
const data = mkdtempSync(join(tmpdir(), 'grantgraph-store-'));
const env = {
  ...process.env,
  PORT,
  NEO4J_BOLT_PORT: BOLT,
  NEO4J_HTTP_PORT: '0',
  API_KEY: KEY,
  DATA_DIR: data,
};
const service = spawn(process.execPath, ['dist/main.js'], { cwd: checkout, env, stdio: 'inherit' });
const ended = new Promise((resolve) => service.once('exit', resolve));
const api = `http://127.0.0.1:${PORT}`;

const post = async (path, body) => {
  const response = await fetch(`${api}/api/v1/providers/custom${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(answer, null, 2));
  return answer;
};

const isReady = async () => {
  try {
    return (await fetch(`${api}/readyz`)).ok;
  } catch {
    return false;
  }
};

/** A value as JSON. Times become `{time}`, integers `{integer}`. */
const plain = (value) => {
  if (neo4j.isInt(value)) return { integer: value.toString() };
  if (neo4j.isDateTime(value)) return { time: value.toString() };
  return Array.isArray(value) ? value.map(plain) : value;
};
const plainAll = (properties) =>
  Object.fromEntries(
    Object.entries(properties)
      .sort()
      .map(([name, value]) => [name, plain(value)]),
  );

try {
  while (!(await isReady())) await sleep(500);
  for (const name of readdirSync(folder).sort((a, b) => parseInt(a, 10) - parseInt(b, 10))) {
    const json_data = readFileSync(join(folder, name), 'utf8');
    const called = /^\d+-(.+)\.json$/.exec(name)[1];
    const custom_template =
      'applications' in JSON.parse(json_data) ? 'application' : 'identity_provider';
    const id = (await post('', { name: called, custom_template })).value.id;
    const data_source_id = (await post(`/${id}/datasources`, { id, name: called })).value.id;
    await post(`/${id}/datasources/${data_source_id}:push`, { id, data_source_id, json_data });
  }
  const password = readFileSync(join(data, 'neo4j-password'), 'utf8').trim();
  const driver = neo4j.driver(`bolt://127.0.0.1:${BOLT}`, neo4j.auth.basic('neo4j', password));
  const read = async (text) =>
    (await driver.executeQuery(text)).records.map((record) => record.toObject());
  const nodes = await read(
    'MATCH (n) RETURN elementId(n) AS id, labels(n) AS labels, properties(n) AS properties',
  );
  const places = new Map(nodes.map(({ id }, place) => [id, place]));
  const found = await read(
    'MATCH (a)-[r]->(b) RETURN elementId(a) AS a, type(r) AS type, elementId(b) AS b, properties(r) AS properties',
  );
  await driver.close();
  writeFileSync(
    file,
    `${JSON.stringify({
      nodes: nodes.map(({ labels, properties }) => [labels, plainAll(properties)]),
      relationships: found.map(({ a, type, b, properties }) => [
        places.get(a),
        type,
        places.get(b),
        plainAll(properties),
      ]),
    })}\n`,
  );
} finally {
  service.kill('SIGTERM');
  await ended;
  rmSync(data, { recursive: true, force: true });
}
