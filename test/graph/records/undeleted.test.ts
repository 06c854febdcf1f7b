import { readUndeleted } from '../../../src/graph/records/lists/undeleted';

test('a node that something deleted while the statement read it is no row of a list', async () => {
  const answers = [
    [{ key: 'a' }, {}],
    [{}, { key: 'a' }],
    [{ key: 'a' }, { key: 'b' }],
  ];
  let reads = 0;
  const rows = await readUndeleted(
    () => Promise.resolve(answers[reads++] ?? []),
    (row: { readonly key?: string }) => row.key === undefined,
  );
  expect(rows).toEqual([{ key: 'a' }, { key: 'b' }]);
  expect(reads).toBe(3);
});
