import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { listen } from '../../src/web/listening/listen';
import { memoryLog } from './memory-log';
import { API_KEY, listenLocally, serviceUnderTest } from './service-under-test';

/** What a test opened. Each closes also if its test fails, or else the run would not end. */
const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** A client that announces a body and sends a part of it. */
const begun = async (port: number, path: string, bytes: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  opened.push(() => socket.destroy());
  await once(socket, 'connect');
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${API_KEY}\r\ncontent-length: 60000\r\n\r\n`,
  );
  socket.write(' '.repeat(bytes));
  return socket;
};

const answerTo = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0]);

test('bodies take no more room than there is: a client whose body does not fit is told to come again', async () => {
  const service = await serviceUnderTest({ bodiesBytes: 64 * 1024 });
  opened.push(() => service.close());
  const { port, close } = await listenLocally(service.app);
  opened.push(close);
  const ids = await service.register();
  const push = (padding: string) => {
    const payload = { name: 'x', idp_type: 'x', domains: [{ name: 'x' }], users: [] };
    const { id, data_source_id, path } = ids;
    const json_data = `${JSON.stringify(payload)}${padding}`;
    return service.post(path, { id, data_source_id, json_data });
  };
  /** Pushes until the answer is the one that is waited for. */
  const until = async (status: number, padding: string) => {
    let answer = await push(padding);
    while (answer.status !== status) answer = await push(padding);
    return answer;
  };

  // Both begin while there is room, and then want more than there is together.
  const [first, second] = [await begun(port, ids.path, 10), await begun(port, ids.path, 10)];
  first.write(' '.repeat(50_000));
  const refused = answerTo(second);
  second.write(' '.repeat(50_000));
  const told = await Promise.race([refused, answerTo(first)]);
  expect(told).toMatch(/^HTTP\/1\.1 429 [^]*retry-after: \d+[^]*"code":"ResourceExhausted"/i);
  first.destroy();
  second.destroy();
  expect((await until(200, '')).status).toBe(200);

  // One fills most of the room: what fits into the rest passes, and a larger body is refused by its announced length.
  // A request leaves its room a little after its answer. Until then the service refuses this client itself.
  let isRefused = true;
  let slow = second;
  let late = await push('');
  while (late.status !== 429) {
    if (isRefused) {
      slow.destroy();
      slow = await begun(port, ids.path, 50_000);
      isRefused = false;
      slow.once('data', () => (isRefused = true));
    }
    late = await push(' '.repeat(20_000));
  }
  expect(late.headers['retry-after']).toMatch(/^\d+$/);
  expect(late.body).toMatchObject({
    code: 'ResourceExhausted',
    message: 'Too many requests are being received and worked on; try again later.',
  });
  expect((await push('')).status).toBe(200);
  slow.destroy();
  expect((await until(200, ' '.repeat(20_000))).status).toBe(200);
});

test('a body that does not come in time is cut with 408, and its room is free though its client stays', async () => {
  const service = await serviceUnderTest({ bodiesBytes: 64 * 1024 });
  opened.push(() => service.close());
  const listening = await listen(
    service.app,
    {
      host: '127.0.0.1',
      port: 0,
      requestSeconds: 1,
      connections: 10,
      addressConnections: 100,
      certificate: null,
    },
    memoryLog([]),
  );
  opened.push(() => listening.close());
  const { path, ...ids } = await service.register();
  // The client does not close its own side when the service does.
  const socket = connect({
    host: '127.0.0.1',
    port: Number(new URL(listening.address).port),
    allowHalfOpen: true,
  });
  opened.push(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${API_KEY}\r\ncontent-length: 60000\r\n\r\n`,
  );
  socket.write(' '.repeat(50_000));
  expect(await answerTo(socket)).toMatch(/^HTTP\/1\.1 408 /);

  const json_data = `${JSON.stringify({ domains: [{ name: 'x' }], users: [] })}${' '.repeat(20_000)}`;
  let status = 429;
  while (status === 429) ({ status } = await service.post(path, { ...ids, json_data }));
  expect(status).toBe(200);
});
