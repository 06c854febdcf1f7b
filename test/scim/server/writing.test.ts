import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';

import type { DataSourceOfProvider } from '../../../src/graph/records/provider-record';
import type { Directory, StoredResource } from '../../../src/scim/server/directory';
import type { Failure } from '../../../src/problem';
import type { AcceptedPush } from '../../../src/push/run/accepted-push';
import type { SentPush } from '../../../src/push/receive/sent-push';
import { USER, WAITING_MEMBERS } from '../../../src/scim/server/attributes';
import { membershipAfter } from '../../../src/scim/server/writing/membership';
import { writing } from '../../../src/scim/server/writing/writing';
import { pushTurns } from '../../../src/push/threads/push-turns';

const CONFLICT: Failure = { _tag: 'Conflict', message: 'Another push is running.' };
const WRITER = { requestId: 'r', seconds: {} };
const plannedOf = (count: number) => ({
  id: 'a',
  entries: Array.from({ length: count }, (_, at) => ({
    kind: USER,
    values: { operation: 'add', name: `a${at}` },
    custom: {},
  })),
});

/** Writes to a data source whose digests and pushes go as told; gives the digests that pushes were made for. */
const written = async (
  digests: readonly (string | null)[],
  answers: readonly (Failure | null)[],
  entries = 1,
): Promise<{ readonly outcome: unknown; readonly pushedOn: readonly unknown[] }> => {
  let read = -1;
  const pushedOn: unknown[] = [];
  const directory = {
    source: () => {
      read += 1;
      return TE.right({
        provider: { id: 'p', name: 'P', custom_template: 'identity_provider', state: 'ENABLED' },
        dataSource: {
          id: 'd',
          name: 'D',
          status: 'SUCCESS',
          digest: read < digests.length ? digests[read] : 'last',
        },
      } as unknown as DataSourceOfProvider);
    },
  } as unknown as Directory;
  const takePush = ({ onDigest }: SentPush): TE.TaskEither<Failure, AcceptedPush> => {
    const failure = answers[pushedOn.length] ?? null;
    pushedOn.push(onDigest);
    const digest = `after ${pushedOn.length}`;
    return failure === null ? TE.right({ digest } as AcceptedPush) : TE.left(failure);
  };
  const write = writing(
    { directory, turns: pushTurns(1, 1), newId: () => 'new', entriesAtOnce: 2 },
    takePush,
  );
  const done = await write('d', WRITER, () => TE.right(plannedOf(entries)))();
  return { outcome: E.isRight(done) ? done.right.id : done.left, pushedOn };
};

test('the first push of a data source is an empty one', async () => {
  expect(await written([null, 'empty'], [null, null])).toEqual({
    outcome: 'a',
    pushedOn: [null, 'empty'],
  });
});

test('a request that another push overtook is made anew', async () => {
  expect(await written(['one', 'two'], [CONFLICT, null])).toEqual({
    outcome: 'a',
    pushedOn: ['one', 'two'],
  });
});

test('a request that others overtake again and again is told to come back', async () => {
  const { outcome, pushedOn } = await written(
    ['1', '2', '3', '4', '5', '6'],
    Array.from({ length: 6 }, () => CONFLICT),
  );
  expect(outcome).toEqual({ _tag: 'Exhausted', message: 'Another push is running.' });
  expect(pushedOn).toEqual(['1', '2', '3', '4', '5']);
});

test('a busy data source is told as 429, which clients take for no conflict of values', async () => {
  expect(await written(['one', 'one'], [CONFLICT])).toEqual({
    outcome: { _tag: 'Exhausted', message: 'Another push is running.' },
    pushedOn: ['one'],
  });
});

test('a plan of many entries is pushed in several increments, each on what the one before left', async () => {
  expect(await written(['one'], [null, null, null], 5)).toEqual({
    outcome: 'a',
    pushedOn: ['one', 'after 1', 'after 2'],
  });
});

test('a plan that another push overtook half way is made anew', async () => {
  expect(await written(['one', 'two'], [null, CONFLICT, null, null, null], 5)).toEqual({
    outcome: 'a',
    pushedOn: ['one', 'after 1', 'two', 'after 3', 'after 4'],
  });
});

test.each([
  [['add'], ['ann', 'ben', 'cy']],
  [['remove'], ['ben']],
  [['set'], ['ann', 'cy']],
  [['add', 'remove'], ['ben']],
  [
    ['remove', 'add'],
    ['ann', 'ben', 'cy'],
  ],
] as const)('members that nobody knows, %j of ann and cy: these wait', async (steps, waiting) => {
  const group = {
    key: 'g',
    id: 'g',
    groups: [],
    properties: { [`customprop_${WAITING_MEMBERS}`]: ['ann', 'ben'] },
  } as unknown as StoredResource;
  const directory = {
    byIds: () => TE.right([]),
    members: () => TE.right(new Map([['g', []]])),
  } as unknown as Directory;
  const members = ['ann', 'cy'].map((id) => ({ id, kind: null }));
  const asked = steps.map((_tag) => ({ _tag, members }));
  const after = await membershipAfter(directory, 'd', 'g', group, asked)();
  expect(after).toEqual(E.right({ entries: [], waiting }));
});
