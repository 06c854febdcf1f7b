import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { statusOf } from '../../src/cli/health';
import { type Config, readConfig } from '../../src/config';
import { certificateSource } from '../../src/web/listening/certificate';
import { createLog } from '../../src/log';

const answer: RequestListener = (req, res) => {
  res.writeHead(req.url === '/healthz' ? 200 : 503).end('{}');
};

const settings = (env: Readonly<Record<string, string>>): Config => {
  const read = readConfig(env);
  if (read._tag === 'Left') throw new Error(JSON.stringify(read.left));
  return read.right;
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grantgraph-health-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Listens as the settings say, on a free port, and asks as the image's health check does. */
const asked = async (env: Readonly<Record<string, string>>, path: string): Promise<number> => {
  const all = { DATA_DIR: folder, ...env };
  const log = createLog({ level: 'error', format: 'json' });
  const certificate = await certificateSource(settings(all), 60, log);
  const server =
    certificate === null ? createServer(answer) : createTlsServer({ ...certificate.first }, answer);
  server.listen(0, env.HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await statusOf(settings({ ...all, PORT: String(port) }), path);
  } finally {
    server.close();
  }
};

test.each([
  ['http', { HOST: '127.0.0.1' }],
  ['http on every address', { HOST: '0.0.0.0' }],
  ['https', { HOST: '127.0.0.1', TLS: 'self-signed' }],
])('the health check asks over %s', async (_title, env) => {
  expect(await asked(env, '/healthz')).toBe(200);
  expect(await asked(env, '/readyz')).toBe(503);
});

test('the health check fails where nobody listens', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  await expect(statusOf(settings({ PORT: String(port) }), '/healthz')).rejects.toThrow(
    'ECONNREFUSED',
  );
});
