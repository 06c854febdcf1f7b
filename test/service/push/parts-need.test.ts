import { tooLargeForParts } from '../../../src/service/receive/chunks-need';

const MIB = 1024 ** 2;

test('a push in parts is judged by what its thread holds, its changes, and the parts on their way', () => {
  const judge = (usedMib: number, elements: number) =>
    tooLargeForParts(
      { heapBytes: 277 * MIB, threads: 1, usedBytes: () => usedMib * MIB },
      elements,
      20_000,
    );
  expect(judge(80, 300_000)).toBeNull();
  // Most of the heap is taken already, or would be by the changes.
  expect(judge(230, 300_000)).toMatchObject({ _tag: 'TooLarge' });
  expect(judge(160, 750_000)).toMatchObject({
    _tag: 'TooLarge',
    message: expect.stringMatching(
      /changes 750000 .* a push may take 277m .*Give the service \d+m .*Nothing was written/,
    ) as string,
  });
});
