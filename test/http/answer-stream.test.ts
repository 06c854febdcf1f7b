import { once } from 'node:events';
import { request } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

import express from 'express';
import * as E from 'fp-ts/Either';

import { streamed } from '../../src/web/exchange/answer-stream';
import { listenLocally } from './service-under-test';

const MOST_SECONDS = 0.1;

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
    outcome = await streamed(res, 'text/plain', pieces, { mostSeconds: MOST_SECONDS })();
  });
  const { port, close } = await listenLocally(app);
  const asking = request({ port, path: '/', headers: { 'accept-encoding': encoding } });
  asking.on('error', () => undefined);
  asking.end();
  const [answer] = (await once(asking, 'response')) as [NodeJS.ReadableStream];
  answer.on('error', () => undefined);
  take(answer);
  await ended;
  while (outcome === undefined) await nextTurn();
  expect(E.isRight(outcome as E.Either<unknown, unknown>)).toBe(true);
  await close();
});
