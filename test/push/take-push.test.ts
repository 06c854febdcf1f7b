import { gzipSync } from 'node:zlib';

import * as E from 'fp-ts/Either';

import * as contentEncoding from '../../src/web/bodies/content-encoding';
import type { SentPlan } from '../../src/push/receive/sent-push';
import {
  type PushThreadChoice,
  takePlan,
  type TakePushDependencies,
} from '../../src/push/threads/take-push';

const opened = jest.spyOn(contentEncoding, 'undoEncoding');
beforeEach(() => opened.mockClear());

const SIZES = { bodyBytes: 1e6, jsonBytes: 1e6, heapBytes: 1e9, threads: 1 };
const THREADS = { threads: {}, fromBytes: 1e5 } as PushThreadChoice;

/** A small compressed push whose envelope names another provider, which shows once it is opened. */
const SENT = {
  holds: 'envelope',
  source: { provider: { id: 'p' }, dataSource: { id: 'd' } },
  body: [gzipSync(JSON.stringify({ id: 'other', data_source_id: 'd', json_data: '{}' }))],
  encoding: 'gzip',
  seconds: {},
} as unknown as SentPlan;

test.each([
  ['with push threads', THREADS],
  ['without push threads', null],
])('a small compressed push is opened in its turn, not before, %s', async (_name, large) => {
  const turns: number[] = [];
  const queue: Pick<TakePushDependencies['turns'], 'run'> = {
    run: (owner, push) => async () => {
      expect(owner).toEqual({ key: '', dataSource: 'd' });
      turns.push(opened.mock.calls.length);
      return push();
    },
  };
  const dependencies = { turns: queue, large, sizes: SIZES, push: {}, uploads: {} };
  const outcome = await takePlan(dependencies as unknown as TakePushDependencies)(SENT)();
  expect(turns).toEqual([0]);
  expect(opened).toHaveBeenCalledTimes(1);
  expect(E.isLeft(outcome) && outcome.left._tag).toBe('Invalid');
});
