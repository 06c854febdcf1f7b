import express from 'express';
import fc from 'fast-check';
import * as TE from 'fp-ts/TaskEither';
import supertest from 'supertest';

import { createLog } from '../src/log';
import { handler } from '../src/web/exchange/handle';
import {
  inPortions,
  isHeavy,
  jsonInPieces,
  jsonPieces,
  WEIGHT_AT_ONCE,
} from '../src/web/exchange/json-pieces';
import { responder } from '../src/web/exchange/respond';
import { runningWork } from '../src/web/exchange/running-work';

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** A value that is heavy in some place. */
const heavy = fc
  .tuple(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('list', 'texts', 'map', 'deep'))
  .map(([value, kind]): object => {
    switch (kind) {
      case 'list':
        return { values: upTo(WEIGHT_AT_ONCE + 7).map((at) => [at, value]), has_more: false };
      case 'texts':
        return { value: upTo(300).map((at) => `${at}é"`.repeat(2_000)), missing: undefined };
      case 'map':
        return Object.fromEntries(upTo(WEIGHT_AT_ONCE + 7).map((at) => [`"${at}`, value]));
      case 'deep':
        return { value: { paths: [[upTo(100_000), undefined, new Date(0)], value], then: null } };
    }
  });

test('an answer in pieces has the bytes of one that is written at once', async () => {
  await fc.assert(
    fc.asyncProperty(heavy, async (value) => {
      expect(isHeavy(value)).toBe(true);
      const bytes = await jsonInPieces(value);
      expect(bytes.equals(Buffer.from(JSON.stringify(value)))).toBe(true);
    }),
    { numRuns: 12 },
  );
});

test('no piece of an answer is long, wherever its values are', () => {
  const values = [
    { value: { paths: upTo(200).map(() => ({ hops: upTo(1_000).map(String) })) } },
    { rows: [[upTo(300_000)]] },
    { rows: [[{ list: upTo(300_000).map((at) => ({ at })) }]] },
  ];
  for (const value of values) {
    const longest = Math.max(...[...jsonPieces(value)].map((piece) => piece.length));
    expect(longest).toBeLessThan(WEIGHT_AT_ONCE * 40);
  }
});

test('rows are written in portions that are light, and none is lost', () => {
  const rows = upTo(5_000).map((at) => upTo(at % 100).map((each) => `${at} ${each}`));
  const portions = [...inPortions(rows)];
  expect(portions.flat()).toEqual(rows);
  for (const portion of portions) expect(isHeavy(portion.flat())).toBe(false);
});

test('a large answer is that of a small one in all but its size, and others are answered meanwhile', async () => {
  const large = { values: upTo(150_000).map((at) => ({ at, name: `é ${at}` })), has_more: false };
  const handle = handler(
    responder(createLog({ level: 'error', format: 'json' }), 1),
    runningWork(),
  );
  const app = express().disable('etag');
  app.get(
    '/large',
    handle(() => TE.right(large)),
  );
  app.get(
    '/small',
    handle(() => TE.right({ values: [] })),
  );
  const ended: string[] = [];
  const ask = async (path: string) => {
    const answer = await supertest(app).get(path);
    ended.push(path);
    return answer;
  };
  const [answer, small] = await Promise.all([ask('/large'), ask('/small'), ask('/small')]);
  expect(ended).toEqual(['/small', '/small', '/large']);
  expect(answer.text === JSON.stringify(large)).toBe(true);
  expect(answer.type).toBe(small.type);
  expect(answer.headers['content-type']).toBe(small.headers['content-type']);
  expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(JSON.stringify(large))));
});
