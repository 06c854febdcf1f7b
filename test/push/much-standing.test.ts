/** @more bounds */

import { type FilledGraph, filledGraph, TEST_LIMITS } from '../support/push';

/** The thread that answers takes on so many. */
const HERE = 10;

const directory = (users: number, prefix = 'user'): object => ({
  name: 'Directory',
  idp_type: 'okta',
  domains: [{ name: 'example.org' }],
  users: Array.from({ length: users }, (_, at) => ({ name: `${prefix}${at}` })),
});

let whole: FilledGraph;
let here: FilledGraph;
beforeAll(async () => {
  whole = await filledGraph();
  here = await filledGraph(TEST_LIMITS, { keep: true, elementsHere: HERE });
});
afterAll(async () => {
  await here.close();
  await whole.close();
});

test('a small whole push to a data source that holds much is left to a push thread', async () => {
  const source = await whole.register('directory', 'identity_provider');
  await whole.accept(source, directory(2 * HERE));
  expect(await here.push(source, directory(1))).toMatchObject({ left: { _tag: 'TooLarge' } });
  // An increment reads only what it names.
  const added = { users: [{ name: 'another', operation: 'add' }] };
  const increment = { ...directory(0), ...added, incremental_change: true };
  expect(await here.push(source, increment)).toMatchObject({ _tag: 'Right' });
  expect(await whole.push(source, directory(2 * HERE - 1))).toMatchObject({ _tag: 'Right' });
});

test('a push that cannot hold the rows which it replaces is refused before it reads them', async () => {
  const users = 12_000;
  const source = await whole.register('names', 'identity_provider');
  await whole.accept(source, directory(users));
  // Room for the hashes of all rows, and not for all rows.
  const small = await filledGraph(TEST_LIMITS, { keep: true, heapBytes: 5 * 1024 ** 2 });
  try {
    expect(await small.push(source, directory(users, 'other'))).toMatchObject({
      left: {
        _tag: 'TooLarge',
        message: expect.stringMatching(/compared with 12000 rows .*Nothing was written/) as string,
      },
    });
    expect(
      await whole.ask(
        'MATCH (u:IdpUser) WHERE u.name STARTS WITH "other" RETURN count(u) AS count',
      ),
    ).toEqual([{ count: 0 }]);
    // One that changes little passes.
    expect(await small.push(source, directory(users - 1))).toMatchObject({ _tag: 'Right' });
  } finally {
    await small.close();
  }
});
