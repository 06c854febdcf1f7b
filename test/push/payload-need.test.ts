import { gzipSync } from 'node:zlib';

import { payloadText } from '../../src/push/receive/payload-text';
import { heapNeeded, withinHeap } from '../../src/push/receive/needed-heap';

test.each([
  ['', 0],
  ['{}', 48],
  ['[[],[]]', 3 * 48 + 16],
  ['{"a":"b"}', 48 + 2 * 360],
  ['["a,[{","b"]', 48 + 2 * 360 + 16],
  [String.raw`["a\"b,[","c\\",{}]`, 2 * 48 + 2 * 360 + 2 * 16],
  ['["never closed', 48 + 360],
])('%j is judged by its text, strings and what holds them', (json, need) => {
  expect(heapNeeded(json)).toBe(6 * json.length + need);
});

test('a payload that would take too much is refused, and the answer says what to raise and to what', () => {
  const json = JSON.stringify({ users: Array.from({ length: 100_000 }, () => ({ name: 'a' })) });
  const refused = withinHeap(json, { heapBytes: 64 * 1024 ** 2, threads: 1 });
  expect(refused).toMatchObject({
    _tag: 'Left',
    left: {
      _tag: 'TooLarge',
      message: expect.stringMatching(
        /needs up to \d+m of memory; a push may take 64m\. Give the service \d+m/,
      ) as string,
    },
  });
  expect(withinHeap(json, { heapBytes: 1024 ** 3, threads: 1 })).toMatchObject({ right: json });
});

test.each([
  ['a'.repeat(12), true],
  ['a'.repeat(13), false],
  ['é'.repeat(6), true],
  ['é'.repeat(7), false],
  ['€'.repeat(4), true],
  ['€'.repeat(5), false],
])('a payload has as many bytes as it may: %j, %s', async (json_data, fits) => {
  const sent = { json_data, compression_type: 'none' };
  const zipped = { json_data: gzipSync(json_data).toString('base64'), compression_type: 'GZIP' };
  for (const payload of [sent, zipped]) {
    const read = await payloadText(payload, 12, 1)();
    expect(read).toMatchObject(fits ? { right: json_data } : { left: { _tag: 'TooLarge' } });
  }
});
