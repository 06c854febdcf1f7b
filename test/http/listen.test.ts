import { connect, type Socket } from 'node:net';

import { listen, type Listening } from '../../src/http/listening/listen';
import { memoryLog } from './memory-log';

let listening: Listening;

beforeAll(async () => {
  listening = await listen(
    (_req, res) => res.end('fine'),
    { host: '127.0.0.1', port: 0, requestSeconds: 1, connections: 100, certificate: null },
    memoryLog([]),
  );
});
afterAll(() => listening.close());

/** All that the server says to these bytes until it closes the connection. */
const said = (text: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(listening.address).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk)));
    socket.on('close', () => resolve(answer));
    socket.write(text);
  });

test.each([
  ['is no HTTP', 'hello\r\n\r\n', '400 Bad Request'],
  ['has too long a head', `GET / HTTP/1.1\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, '431 Request'],
  ['never ends its head', 'GET / HTTP/1.1\r\n', '408 Request Timeout'],
  [
    'never ends its body',
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{',
    '408 Request',
  ],
])('a request that %s is refused in the shape of every error', async (_name, text, status) => {
  const answer = await said(text);
  // The handler of this test answers without waiting for the body.
  const refusal = answer.slice(answer.indexOf(`HTTP/1.1 ${status}`));
  expect(refusal).toContain(`HTTP/1.1 ${status}`);
  const [, body] = refusal.split('\r\n\r\n');
  expect(JSON.parse(body ?? '')).toEqual({
    code: 'InvalidArgument',
    message: expect.any(String) as string,
    request_id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    timestamp: expect.any(String) as string,
    details: [],
  });
});

test('a taken port is a rejection', async () => {
  const port = Number(new URL(listening.address).port);
  await expect(
    listen(
      () => undefined,
      { host: '127.0.0.1', port, requestSeconds: 1, connections: 100, certificate: null },
      memoryLog([]),
    ),
  ).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('connections above the limit are closed at once, and make room when one ends', async () => {
  const narrow = await listen(
    (_req, res) => res.end('fine'),
    { host: '127.0.0.1', port: 0, requestSeconds: 30, connections: 1, certificate: null },
    memoryLog([]),
  );
  const opened = (): Promise<{ readonly socket: Socket; readonly isOpen: boolean }> =>
    new Promise((resolve) => {
      const socket = connect(Number(new URL(narrow.address).port), '127.0.0.1');
      socket.on('data', () => resolve({ socket, isOpen: true }));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve({ socket, isOpen: false }));
      socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    });
  const first = await opened();
  expect(first.isOpen).toBe(true);
  expect((await opened()).isOpen).toBe(false);
  const closed = new Promise((resolve) => first.socket.once('close', resolve));
  first.socket.end();
  await closed;
  const next = await opened();
  expect(next.isOpen).toBe(true);
  next.socket.destroy();
  await narrow.close();
});
