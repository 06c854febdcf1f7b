import * as E from 'fp-ts/Either';

import { MOST_CSV } from '../../src/push/endpoints';
import { csvPush } from '../../src/push/receive/csv-text';
import type { PushIntent } from '../../src/push/receive/push-intent';

const SIZES = { bodyBytes: 1, jsonBytes: 1, heapBytes: 1, threads: 1 };
const SOURCE = {
  provider: { name: 'Desk', custom_template: 'application' },
  dataSource: { name: 'desk.example.org' },
} as unknown as PushIntent['source'];

const messageOf = (length: number): unknown => {
  const envelope = { id: 'p', data_source_id: 'd', csv_data: 'A'.repeat(length) };
  const pushed = csvPush(envelope, SOURCE, SIZES);
  return E.isLeft(pushed) && [pushed.left._tag, pushed.left.message];
};

// Nothing held the limit of docs/connectors.md (CSV files).
test('csv_data of 100 MB is judged by its text, and a longer one refused before it is decoded', () => {
  expect(messageOf(MOST_CSV)).toEqual(['TooLarge', expect.stringMatching(/^The payload /)]);
  expect(messageOf(MOST_CSV + 1)).toEqual([
    'TooLarge',
    'csv_data is longer than 104857600 characters. Push the payload as JSON, or in parts.',
  ]);
});
