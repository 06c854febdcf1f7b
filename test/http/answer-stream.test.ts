import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { request, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';

import express, { type Response } from 'express';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';

import { sendEvents } from '../../src/features/events/send-events';
import type { Failure } from '../../src/problem';
import { StreamFailure, streamed } from '../../src/web/exchange/answer-stream';
import { listen } from '../../src/web/listening/listen';
import { type LookAgain, setLookAgain } from '../../src/web/exchange/still-admitted';
import { memoryLog } from './memory-log';
import { listenLocally } from './service-under-test';

const MOST_SECONDS = 0.1;

const ALWAYS: LookAgain = () => Promise.resolve({ scopes: ['read'], providers: null, role: null });

/** An answer without an end, and what becomes of it. */
const endless = () => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  async function* pieces(): AsyncGenerator<string, void> {
    try {
      for (;;) {
        await nextTurn();
        yield 'x'.repeat(1_000);
      }
    } finally {
      end();
    }
  }
  return { pieces: pieces(), ended };
};

test.each([
  ['takes all that comes', (answer: NodeJS.ReadableStream) => void answer.resume(), 'identity'],
  ['takes it compressed', (answer: NodeJS.ReadableStream) => void answer.resume(), 'gzip'],
  ['takes nothing', () => undefined, 'identity'],
])('an answer in pieces ends after its time, also if its client %s', async (_, take, encoding) => {
  const { pieces, ended } = endless();
  let outcome: unknown;
  const app = express();
  app.get('/', async (_req, res) => {
    setLookAgain(res, ALWAYS);
    outcome = await streamed(res, 'text/plain', pieces, { mostSeconds: MOST_SECONDS })();
  });
  const { port, close } = await listenLocally(app);
  const asking = request({ port, path: '/', headers: { 'accept-encoding': encoding } });
  asking.on('error', () => undefined);
  asking.end();
  // On a slow machine the time may be over before the answer begins.
  asking.on('response', (answer) => {
    answer.on('error', () => undefined);
    take(answer);
  });
  await ended;
  while (outcome === undefined) await nextTurn();
  expect(E.isRight(outcome as E.Either<unknown, unknown>)).toBe(true);
  await close();
});

const FAILURE: Failure = { _tag: 'Internal', message: 'the graph is away', cause: null };
const LINE = 'a row of the answer\r\n';
const LINES = 5_000;

/**
 * Lets the client of this process read all that was sent. Node takes a reset for a usual end if it
 * comes at once with data.
 */
const untilRead = async (): Promise<void> => {
  for (let turn = 0; turn < 200; turn += 1) await nextTurn();
};

/** Some rows, and then a failure, the end, or neither. */
async function* rows(
  then: 'a failure' | 'an exception' | 'the end' | 'nothing',
): AsyncGenerator<string, void> {
  for (let at = 0; at < LINES; at += 1) {
    if (at % 100 === 0) await nextTurn();
    yield LINE;
  }
  await untilRead();
  if (then === 'nothing') await new Promise(() => undefined);
  if (then === 'a failure') throw new StreamFailure(FAILURE);
  if (then === 'an exception') throw new Error('nobody thought of this');
}

/** What a client reads until the connection ends, and how it ends. */
const readBy = async (
  port: number,
  version: '1.0' | '1.1',
  encoding: string,
  began: () => void = () => undefined,
): Promise<{ readonly content: Buffer; readonly end: 'reset' | 'closed' }> => {
  const socket = connect(port, '127.0.0.1');
  const pieces: Buffer[] = [];
  let end: 'reset' | 'closed' = 'closed';
  socket.on('data', (piece: Buffer) => pieces.push(piece));
  socket.once('data', began);
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'ECONNRESET') end = 'reset';
  });
  socket.write(
    `GET / HTTP/${version}\r\nHost: a\r\nAccept-Encoding: ${encoding}\r\nConnection: close\r\n\r\n`,
  );
  await once(socket, 'close').catch(() => undefined);
  const all = Buffer.concat(pieces);
  return { content: all.subarray(all.indexOf('\r\n\r\n') + 4), end };
};

const answering =
  (pieces: () => AsyncGenerator<string, void>, outcomes: unknown[] = [], look = ALWAYS) =>
  async (_req: unknown, res: Response): Promise<void> => {
    // As many as the service allows.
    res.setMaxListeners(30);
    setLookAgain(res, look);
    outcomes.push(
      await streamed(res, 'text/csv', pieces())().catch(
        (error: unknown) => (error as Error).message,
      ),
    );
  };

const VERSIONS = ['1.0', '1.1'] as const;
const ENCODINGS = ['identity', 'gzip'] as const;
const ALL = VERSIONS.flatMap((version) =>
  ENCODINGS.map((encoding) => [version, encoding] as const),
);

describe.each(ALL)('over HTTP/%s with %s', (version, encoding) => {
  test.each([
    ['a failure', E.left(FAILURE)],
    ['an exception', 'nobody thought of this'],
  ] as const)(
    'a stream that ends with %s is reset, so it is not taken for complete',
    async (then, told) => {
      const outcomes: unknown[] = [];
      const app = express().get(
        '/',
        answering(() => rows(then), outcomes),
      );
      const { port, close } = await listenLocally(app);
      const { end } = await readBy(port, version, encoding);
      expect([end, outcomes]).toEqual(['reset', [told]]);
      await close();
    },
  );

  test.each([
    ['has ended', null],
    ['is limited meanwhile', { scopes: ['read'], providers: ['p'], role: null }],
    ['has lost a scope', { scopes: [], providers: null, role: null }],
  ] as const)('a stream whose key %s is reset at the next piece', async (_, later) => {
    const outcomes: unknown[] = [];
    let pieces = 0;
    async function* endless(): AsyncGenerator<string, void> {
      for (; pieces < LINES; pieces += 1) {
        await nextTurn();
        yield LINE;
      }
    }
    const look: LookAgain = () => (pieces < 100 ? ALWAYS() : Promise.resolve(later));
    const { port, close } = await listenLocally(
      express().get('/', answering(endless, outcomes, look)),
    );
    const { end } = await readBy(port, version, encoding);
    expect([end, pieces]).toEqual(['reset', 100]);
    expect(outcomes).toMatchObject([{ _tag: 'Left', left: { _tag: 'Unauthenticated' } }]);
    await close();
  });

  test('a complete stream ends as one', async () => {
    const { port, close } = await listenLocally(
      express().get(
        '/',
        answering(() => rows('the end')),
      ),
    );
    const { content, end } = await readBy(port, version, encoding);
    expect(end).toBe('closed');
    if (version === '1.0') {
      const text = encoding === 'gzip' ? gunzipSync(content) : content;
      expect(text.toString()).toBe(LINE.repeat(LINES));
    } else expect(content.toString('latin1').endsWith('0\r\n\r\n')).toBe(true);
    await close();
  });

  test('a stop breaks off what is not complete', async () => {
    const app: RequestListener = express().get(
      '/',
      answering(() => rows('nothing')),
    );
    const listening = await listen(
      app,
      {
        host: '127.0.0.1',
        port: 0,
        requestSeconds: 60,
        connections: 10,
        addressConnections: 10,
        certificate: null,
      },
      memoryLog([]),
    );
    const { port } = new URL(listening.address);
    let reading: ReturnType<typeof readBy> | undefined;
    await new Promise<void>((began) => {
      reading = readBy(Number(port), version, encoding, began);
    });
    await untilRead();
    const closing = listening.close();
    listening.closeNow();
    expect((await reading)?.end).toBe('reset');
    await closing;
  });
});

test('a stream of events that fails is reset', async () => {
  async function* items() {
    yield { _tag: 'Quiet', counted: null } as const;
    await untilRead();
    throw new Error('the graph is away');
  }
  const app = express().get('/', async (_req, res) => {
    const stream = { items: items(), ended: new AbortController().signal, end: () => undefined };
    await sendEvents(res, stream, () => TE.right(''), memoryLog([]));
  });
  const { port, close } = await listenLocally(app);
  expect((await readBy(port, '1.0', 'identity')).end).toBe('reset');
  await close();
});

test('whatever ends an answer before its end breaks it off', () => {
  const src = path.join(__dirname, '../../src');
  const breaking = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .filter((file) => /\bres(ponse)?\.destroy\(/.test(readFileSync(path.join(src, file), 'utf8')));
  expect(breaking).toEqual(['web/exchange/break-off.ts']);
});
