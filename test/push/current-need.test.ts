import type { Failure } from '../../src/problem';
import { FailedStep } from '../../src/neo4j/failure';
import { hashesFit, type PushHeap, readingFits } from '../../src/push/receive/needed-heap';

const MIB = 1024 ** 2;

/** What a thread under 1 GB has, where so much is held, and used by what the push needs. */
const heap = (heldMib: () => number, usedMib = heldMib): PushHeap => ({
  heapBytes: 277 * MIB,
  threads: 1,
  heldBytes: () => heldMib() * MIB,
  usedBytes: () => usedMib() * MIB,
});

const refusal = (judge: () => void): Failure | null => {
  try {
    judge();
    return null;
  } catch (error) {
    if (error instanceof FailedStep) return error.failure;
    throw error;
  }
};

test('hashes of all that stands are judged before they are read', () => {
  const small = heap(() => 30);
  expect(refusal(() => hashesFit(small, 300_000))).toBeNull();
  expect(refusal(() => hashesFit(small, 2_000_000))).toMatchObject({
    _tag: 'TooLarge',
    message: expect.stringMatching(
      /2000000 rows .* a push may take 277m.*Give the service \d+m .*Nothing was written/,
    ) as string,
  });
  // Garbage alone refuses nothing.
  expect(
    refusal(() =>
      hashesFit(
        heap(
          () => 270,
          () => 30,
        ),
        300_000,
      ),
    ),
  ).toBeNull();
});

test('rows to be read are judged before the first one is read', () => {
  // 5.7 MB of short names, all of them others than those that stand.
  expect(
    refusal(() =>
      readingFits(
        heap(() => 190),
        308_000,
        308_000,
      ),
    ),
  ).toMatchObject({ _tag: 'TooLarge' });
  expect(
    refusal(() =>
      readingFits(
        heap(() => 75),
        33_000,
        33_000,
      ),
    ),
  ).toBeNull();
  expect(
    refusal(() =>
      readingFits(
        heap(() => 276),
        9_000,
        9_000,
      ),
    ),
  ).toBeNull();
});

test('rows that turn out to be larger are refused as soon as they cannot all fit', () => {
  let used = 120;
  const garbage = 100;
  const judge = readingFits(
    heap(
      () => used + garbage,
      () => used,
    ),
    100_000,
    0,
  );
  used = 130;
  expect(refusal(() => judge(10_000))).toBeNull();
  // 2 MB in a thousand rows, and 80,000 rows are left.
  used = 150;
  expect(refusal(() => judge(20_000))).toMatchObject({ _tag: 'TooLarge' });
});
