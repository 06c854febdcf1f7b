import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';

import { countForKey } from '../../src/web/listening/address-bound';
import { listen, type Listening } from '../../src/web/listening/listen';
import { idleApp } from '../support/idle-app';
import { memoryLog } from './memory-log';

const listeningFor = (requestSeconds: number): Promise<Listening> =>
  listen(
    (_req, res) => res.end('fine'),
    {
      host: '127.0.0.1',
      port: 0,
      requestSeconds,
      connections: 100,
      addressConnections: 100,
      certificate: null,
    },
    memoryLog([]),
  );

let patient: Listening;
/** A request must have come to it within a second. */
let hasty: Listening;

beforeAll(async () => {
  [patient, hasty] = [await listeningFor(60), await listeningFor(1)];
});
afterAll(async () => {
  await patient.close();
  await hasty.close();
});

/** All that a server says to these bytes until it closes the connection. */
const said = (text: string, { address }: Listening): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
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
  const answer = await said(text, status.startsWith('408') ? hasty : patient);
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
  const port = Number(new URL(patient.address).port);
  await expect(
    listen(
      () => undefined,
      {
        host: '127.0.0.1',
        port,
        requestSeconds: 1,
        connections: 100,
        addressConnections: 100,
        certificate: null,
      },
      memoryLog([]),
    ),
  ).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('connections above the limit are closed at once, and make room when one ends', async () => {
  const narrow = await listen(
    (_req, res) => res.end('fine'),
    {
      host: '127.0.0.1',
      port: 0,
      requestSeconds: 30,
      connections: 1,
      addressConnections: 100,
      certificate: null,
    },
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

describe('of many connections of one address', () => {
  const MOST = 20;
  const HEAD = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';
  let server: Listening;
  const held: ServerResponse[] = [];
  const sockets: Socket[] = [];

  beforeAll(async () => {
    server = await listen(
      (req, res) => {
        if (req.url === '/held') countForKey(res);
        if (req.url === '/') res.end('fine');
        else held.push(res);
      },
      {
        host: '127.0.0.1',
        port: 0,
        requestSeconds: 30,
        connections: 1_000,
        addressConnections: MOST,
        certificate: null,
      },
      memoryLog([]),
    );
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) {
      if (socket.closed) continue;
      const closed = once(socket, 'close');
      socket.destroy();
      await closed;
    }
  });
  afterAll(() => server.close());

  const connected = (localAddress: string, text = ''): Promise<Socket> =>
    new Promise((resolve) => {
      const port = Number(new URL(server.address).port);
      const socket = connect({ port, host: '127.0.0.1', localAddress }, () => {
        if (text !== '') socket.write(text);
        resolve(socket);
      });
      socket.on('error', () => undefined);
      sockets.push(socket);
    });

  /** What the server says to a request from an address, if it does not close its connection. */
  const answered = async (localAddress: string): Promise<string> => {
    const socket = await connected(localAddress, HEAD);
    return new Promise((resolve) => {
      socket.once('data', (chunk) => resolve(String(chunk).slice(0, 15)));
      socket.once('close', () => resolve('closed'));
    });
  };

  test.each([
    ['say nothing', ''],
    ['never end their head', 'GET / HTTP/1.1\r\nhost: a\r\n'],
    ['never end their body', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{'],
    ['wait for an answer without a key', 'GET /open HTTP/1.1\r\nhost: a\r\n\r\n'],
  ])('those that %s shut out no other address', async (_, text) => {
    for (let opened = 0; opened < 3 * MOST; opened += 1) await connected('127.0.0.1', text);
    expect(await answered('127.0.0.1')).toBe('closed');
    expect(await answered('127.0.0.2')).toBe('HTTP/1.1 200 OK');
  });

  test('those whose requests are worked on do not count, and count again when they are idle', async () => {
    // The server notices a moment later that the clients of the tests before have left.
    while ((await answered('127.0.0.1')) === 'closed');
    const busy = HEAD.replace('/ ', '/held ');
    held.length = 0;
    const begun = sockets.length;
    for (let opened = 0; opened < 2 * MOST; opened += 1) {
      const before = held.length;
      await connected('127.0.0.1', busy);
      while (held.length === before) await new Promise(setImmediate);
    }
    expect(await answered('127.0.0.1')).toBe('HTTP/1.1 200 OK');
    const heard = sockets.slice(begun, begun + 2 * MOST).map((socket) => once(socket, 'data'));
    for (const res of held.splice(0)) res.end('fine');
    await Promise.all(heard);
    expect(await answered('127.0.0.1')).toBe('closed');
  });
});

test.each([
  ['404', 'GET /nothing'],
  ['405', 'PUT /healthz'],
])('a connection that was answered %s without a key counts as idle', async (status, line) => {
  const server = await listen(
    idleApp(),
    {
      host: '127.0.0.1',
      port: 0,
      requestSeconds: 30,
      connections: 100,
      addressConnections: 2,
      certificate: null,
    },
    memoryLog([]),
  );
  const port = Number(new URL(server.address).port);
  const head = (socket: Socket): Promise<string> =>
    new Promise((resolve) => {
      socket.once('data', (chunk) => resolve(String(chunk).slice(9, 12)));
      socket.once('close', () => resolve('closed'));
    });
  const sockets: Socket[] = [];
  const answers: string[] = [];
  for (let opened = 0; opened < 3; opened += 1) {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.write(`${line} HTTP/1.1\r\nhost: a\r\nconnection: keep-alive\r\n\r\n`);
    answers.push(await head(socket));
  }
  expect(answers).toEqual([status, status, 'closed']);
  for (const socket of sockets) socket.destroy();
  await server.close();
});

describe('requests that a client sends before it has the answers to those before', () => {
  const opened: ServerResponse[] = [];
  let server: Listening;

  beforeAll(async () => {
    server = await listen(
      (_req, res) => void opened.push(res),
      {
        host: '127.0.0.1',
        port: 0,
        requestSeconds: 30,
        connections: 100,
        addressConnections: 100,
        certificate: null,
      },
      memoryLog([]),
    );
  });
  afterAll(() => server.close());

  const sent = (requests: number): Socket => {
    opened.length = 0;
    const socket = connect(Number(new URL(server.address).port), '127.0.0.1');
    socket.on('error', () => undefined).resume();
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(requests));
    return socket;
  };

  test('all end when the client leaves', async () => {
    const socket = sent(50);
    while (opened.length < 50) await new Promise(setImmediate);
    opened[1]?.end('fine');
    const closed = Promise.all(opened.map((res) => once(res, 'close')));
    socket.destroy();
    await closed;
    expect(opened.every((res) => res.destroyed && res.closed)).toBe(true);
  });

  test('their connection is closed if there are too many', async () => {
    const socket = sent(2_000);
    await once(socket, 'close');
    expect(opened).toHaveLength(100);
  });

  test('all are answered, however many follow', async () => {
    let answer = '';
    const socket = sent(90).on('data', (chunk) => (answer += String(chunk)));
    while (opened.length < 90) await new Promise(setImmediate);
    const last = opened.at(-1);
    for (const res of opened) res.end('fine');
    if (last !== undefined) await once(last, 'close');
    while (answer.split('fine').length < 91) await once(socket, 'data');
    const closed = once(socket, 'close');
    socket.destroy();
    await closed;
  });
});
