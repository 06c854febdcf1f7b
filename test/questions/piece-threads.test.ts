import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as E from 'fp-ts/Either';

import type { Graph } from '../../src/neo4j/driver';
import type { Failure } from '../../src/problem';
import { PieceThreads } from '../../src/questions/threads/piece-threads';
import { StreamFailure } from '../../src/web/exchange/answer-stream';
import { memoryLog } from '../http/memory-log';

/** A thread that answers as `piece-worker.ts` does: who it is, and then what the task wants. */
const WORKER = `
const { parentPort, threadId } = require('node:worker_threads');
let wanted;
parentPort.on('message', (message) => {
  if (message === 'leave') {
    const stillRunning = { transaction: 'one', isOverdue: false };
    parentPort.postMessage({ _tag: 'Left', left: { _tag: 'Unavailable', message: 'runs', stillRunning } });
  } else if (message !== 'next') {
    wanted = message.wanted;
    parentPort.postMessage({ _tag: 'Right', right: new TextEncoder().encode(String(threadId)) });
  } else if (wanted === 'fill') {
    for (const all = []; ; ) all.push(new Array(100_000).fill(all.length));
  } else if (wanted !== 'hang') {
    parentPort.postMessage(null);
    if (wanted === 'fail later') setTimeout(() => { throw new Error('later'); });
  }
});`;

const TOO_LARGE: Failure = { _tag: 'Unavailable', message: 'too large' };

let folder: string;
let threads: PieceThreads<string>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grantgraph-threads-'));
  writeFileSync(join(folder, 'worker.js'), WORKER);
  threads = new PieceThreads({
    file: join(folder, 'worker.js'),
    kind: 'a test',
    log: memoryLog([]),
    heapMb: 16,
    address: { uri: '', user: '', database: '' },
    graph: { bookmarks: { getBookmarks: () => Promise.resolve([]) } } as unknown as Graph,
    tooLarge: TOO_LARGE,
    idleSeconds: 60,
    untilEnded: () => Promise.resolve(),
  });
});
afterEach(async () => {
  await threads.stop();
  rmSync(folder, { recursive: true });
});

const written = async (wanted: string): Promise<readonly unknown[]> => {
  const pieces: unknown[] = [];
  for await (const piece of threads.write(wanted, new AbortController().signal))
    pieces.push(E.isLeft(piece) ? piece.left : Buffer.from(piece.right).toString());
  return pieces;
};

test('a thread writes one answer after the other, and two at once have a thread each', async () => {
  const warnings: unknown[] = [];
  const warned = (warning: Error): void => void warnings.push(warning);
  process.on('warning', warned);
  const first = await written('');
  for (let again = 0; again < 15; again += 1) expect(await written('')).toEqual(first);
  const [one, other] = await Promise.all([written(''), written('')]);
  expect(new Set([one?.[0], other?.[0]]).size).toBe(2);
  process.off('warning', warned);
  expect(warnings).toEqual([]);
});

test('a thread takes over memory of what is wanted', async () => {
  const bytes = new Uint8Array(1_000);
  const taking = new PieceThreads<Uint8Array<ArrayBuffer>>({
    file: join(folder, 'worker.js'),
    kind: 'a test',
    log: memoryLog([]),
    heapMb: 16,
    address: { uri: '', user: '', database: '' },
    graph: { bookmarks: { getBookmarks: () => Promise.resolve([]) } } as unknown as Graph,
    buffersOf: ({ buffer }) => [buffer],
  });
  for await (const piece of taking.write(bytes, new AbortController().signal)) {
    expect([E.isRight(piece), bytes.byteLength]).toEqual([true, 0]);
  }
});

test('a thread that fails while it waits ends nothing else', async () => {
  const [failing] = await written('fail later');
  for (;;) {
    const [next] = await written('');
    if (next !== failing) break;
    await new Promise(setImmediate);
  }
});

test('an answer that needs too much memory says so, and the next one is written', async () => {
  expect((await written('fill')).at(-1)).toEqual(TOO_LARGE);
  expect(await written('')).toHaveLength(1);
});

test('somebody who reads no more learns what Neo4j still runs', async () => {
  const left = new AbortController();
  const pieces = threads.write('hang', left.signal);
  await pieces.next();
  left.abort();
  const failed = await pieces.return().catch((error: unknown) => error);
  if (!(failed instanceof StreamFailure)) throw new Error('it did not fail');
  expect(failed.failure).toMatchObject({
    stillRunning: { transaction: 'one', ended: expect.any(Promise) as unknown },
  });
});
