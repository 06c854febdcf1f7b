import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { listen } from '../../src/http/listening/listen';
import { memoryLog } from './memory-log';
import { API_KEY, listenLocally, serviceUnderTest } from './service-under-test';

/** A client that announces a body and sends a part of it. */
const begun = async (port: number, path: string, bytes: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${API_KEY}\r\ncontent-length: 60000\r\n\r\n`,
  );
  socket.write(' '.repeat(bytes));
  return socket;
};

const answerTo = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0]);

test('bodies take no more room than there is: who waits too long, or began too late, is told to come again', async () => {
  const service = await serviceUnderTest({ bodiesBytes: 64 * 1024, pushWaitSeconds: 0.3 });
  const { port, close } = await listenLocally(service.app);
  const ids = await service.register();
  const push = () =>
    service.post(ids.path, {
      id: ids.id,
      data_source_id: ids.data_source_id,
      json_data: JSON.stringify({ name: 'x', idp_type: 'x', domains: [{ name: 'x' }], users: [] }),
    });

  // Both begin while there is room, and then want more than there is together.
  const [first, second] = [await begun(port, ids.path, 10), await begun(port, ids.path, 10)];
  first.write(' '.repeat(50_000));
  const refused = answerTo(second);
  second.write(' '.repeat(50_000));
  const told = await Promise.race([refused, answerTo(first)]);
  expect(told).toMatch(/^HTTP\/1\.1 429 [^]*retry-after: \d+[^]*"code":"ResourceExhausted"/i);

  // supertest's server is another one than the clients', but the room is the app's.
  const late = await push();
  expect(late.status).toBe(429);
  expect(late.headers['retry-after']).toMatch(/^\d+$/);
  expect(late.body).toMatchObject({
    code: 'ResourceExhausted',
    message: 'Too many requests are being received and worked on; try again later.',
  });

  first.destroy();
  second.destroy();
  let status = 429;
  for (let tries = 0; tries < 20 && status === 429; tries += 1) ({ status } = await push());
  expect(status).toBe(200);
  await close();
  await service.close();
});

test('a body that does not come in time is cut with 408, and its room is free though its client stays', async () => {
  const service = await serviceUnderTest({ bodiesBytes: 64 * 1024, pushWaitSeconds: 20 });
  const listening = await listen(
    service.app,
    { host: '127.0.0.1', port: 0, requestSeconds: 1, connections: 10, certificate: null },
    memoryLog([]),
  );
  const { path, ...ids } = await service.register();
  // The client does not close its own side when the service does.
  const socket = connect({
    host: '127.0.0.1',
    port: Number(new URL(listening.address).port),
    allowHalfOpen: true,
  });
  socket.on('error', () => undefined);
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${API_KEY}\r\ncontent-length: 60000\r\n\r\n`,
  );
  socket.write(' '.repeat(50_000));
  expect(await answerTo(socket)).toMatch(/^HTTP\/1\.1 408 /);

  // The push waits until there is room for it.
  const json_data = JSON.stringify({ domains: [{ name: 'x' }], users: [] });
  const answer = await service.post(path, { ...ids, json_data });
  expect(answer.status).toBe(200);
  socket.destroy();
  await listening.close();
  await service.close();
});
