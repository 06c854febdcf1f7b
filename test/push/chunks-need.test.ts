import { Definitions } from '../../src/check/definitions';
import { decodePayload } from '../../src/contract/decode';
import { compareHashes, sizeOf } from '../../src/difference/difference';
import { fullDifference, desiredRows } from '../../src/difference/full-push';
import { stagesOf } from '../../src/difference/stages';
import { payloadRows } from '../../src/rows/payload-rows';
import { neededBytes } from '../../src/push/threads/compose-push';
import { AN_ELEMENT, tooLargeForChunks } from '../../src/push/receive/needed-heap';

const MIB = 1024 ** 2;

test('a push in parts is judged by what its thread holds, its changes, and the parts on their way', () => {
  const judge = (usedMib: number, elements: number) =>
    tooLargeForChunks(
      { heapBytes: 277 * MIB, threads: 1, heldBytes: () => 0, usedBytes: () => usedMib * MIB },
      elements,
      20_000,
    );
  expect(judge(80, 300_000)).toBeNull();
  // Most of the heap is taken already, or would be by the changes.
  expect(judge(230, 300_000)).toMatchObject({ _tag: 'TooLarge' });
  expect(judge(160, 750_000)).toMatchObject({
    _tag: 'TooLarge',
    message: expect.stringMatching(
      /changes 750000 .* a push may take 277m.*Give the service \d+m .*Nothing was written/,
    ) as string,
  });
});

test('a row takes no more while its push is applied in parts than it is judged by', () => {
  const decoded = decodePayload(
    'identity_provider',
    {
      name: 'd',
      idp_type: 'x',
      domains: [{ name: 'x' }],
      users: Array.from({ length: 50_000 }, (_, at) => ({ name: `u${at}` })),
    },
    100,
  );
  if (decoded._tag === 'Left' || decoded.right._tag !== 'Full') throw new Error('not shaped right');
  const { rows } = payloadRows('identity_provider', decoded.right.payload, Definitions.none);
  const comparison = compareHashes(desiredRows(rows.rows), new Map(), null);
  const difference = fullDifference(comparison, new Map());
  const before = neededBytes();
  const stages = [...stagesOf(difference, 10_000)];
  let hashes = 0;
  for (const { chunks } of stages) {
    for (const chunk of chunks) {
      // As it is written: a row then keeps its hash.
      for (const { hash } of [...chunk.created, ...chunk.proven]) hashes += hash.length;
    }
  }
  const kept = neededBytes() - before;
  expect(hashes).toBeGreaterThan(0);
  expect(stages.length).toBeGreaterThan(0);
  expect(kept / sizeOf(difference)).toBeLessThan(AN_ELEMENT);
});
