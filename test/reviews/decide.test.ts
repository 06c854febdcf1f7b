import fc from 'fast-check';

import { type Entry, entryHash, firstHash } from '../../src/features/reviews/rules/chain';
import {
  type DecidedItem,
  isTooMuchSilence,
  numbersOf,
  refusesDecision,
  stateAfter,
  tiesOut,
} from '../../src/features/reviews/rules/decide';
import { isRemediated } from '../../src/features/reviews/seal';
import { refuseUnsendable } from '../../src/features/reviews/sending/foresee';
import type { StoredItem, StoredReview } from '../../src/features/reviews/stored/store';
import type { Runner } from '../../src/neo4j/transaction';
import { Replay } from '../../src/features/reviews/rules/replay';
import type { ITEM_STATES } from '../../src/features/reviews/rules/words';
import { type Mark } from '../../src/features/reviews/rules/words';

const item = (number: number, more: Partial<DecidedItem> = {}): DecidedItem => ({
  number,
  state: 'pending',
  reviewer: 'P1',
  entitlement: 'e',
  digest: `d${number}`,
  marks: [],
  remediation: null,
  ...more,
});

const many = (count: number): readonly DecidedItem[] =>
  Array.from({ length: count }, (_, at) => item(at + 1));

test.each([
  ['a keep of one item without a reason', 'keep', '', [item(1)], null],
  ['a revoke without a reason', 'revoke', ' ', [item(1)], 'invalid'],
  ['a revoke with a reason', 'revoke', 'left', [item(1)], null],
  ['what somebody else reviews', 'keep', '', [item(1, { reviewer: 'P2' })], 'forbidden'],
  ['20 items of one entitlement', 'keep', '', many(20), null],
  ['21 items of one entitlement', 'keep', '', many(21), 'invalid'],
  ['two entitlements', 'keep', '', [item(1), item(2, { entitlement: 'f' })], 'invalid'],
  ['21 revokes', 'revoke', 'left', many(21), null],
  ['what is gone', 'keep', '', [item(1, { state: 'gone' })], 'conflict'],
  ['an exception', 'revoke', 'left', [item(1, { state: 'excepted' })], 'conflict'],
  [
    'a revoke that a push confirmed',
    'keep',
    '',
    [item(1, { state: 'revoke', remediation: 'confirmed' })],
    'conflict',
  ],
  ['a correction', 'keep', '', [item(1, { state: 'revoke', remediation: 'ordered' })], null],
  ['what was carried over', 'revoke', 'left', [item(1, { state: 'carried' })], null],
  ...(['privileged', 'nobodys', 'new'] as const).flatMap(
    (mark) =>
      [
        [`${mark} without a reason`, 'keep', '', [item(1, { marks: [mark] })], 'invalid'],
        [`${mark} with a reason`, 'keep', 'needed', [item(1, { marks: [mark] })], null],
        [
          `${mark} with another`,
          'keep',
          'needed',
          [item(1, { marks: [mark] }), item(2)],
          'invalid',
        ],
      ] as const,
  ),
  ['a guest with another', 'keep', '', [item(1, { marks: ['guest'] }), item(2)], null],
] as const)('%s', (_, decision, reason, items, expected) => {
  expect(refusesDecision('open', decision, reason, ['P1'], items)?.kind ?? null).toBe(expected);
});

test.each(['draft', 'closed', 'cancelled'] as const)(
  'nobody decides in a review that is %s',
  (state) => {
    expect(refusesDecision(state, 'keep', '', ['P1'], [item(1)])?.kind).toBe('conflict');
  },
);

test.each([
  [100, 100, false],
  [101, 300, true],
  [101, 1_000, false],
  [201, 1_000, true],
])('%d revokes by silence of %d items are too many: %s', (silent, items, expected) => {
  expect(isTooMuchSilence(silent, items)).toBe(expected);
});

const acts = fc.constantFrom<Entry['act']>(
  'keep',
  'revoke',
  'gone',
  'except',
  'reassign',
  'confirm',
  'block',
  'came_back',
);

const steps = fc.array(
  fc.record({
    act: acts,
    item: fc.integer({ min: 1, max: 5 }),
    by: fc.constantFrom('P1', 'P2', ''),
  }),
  { maxLength: 30 },
);

test('numbers tie out after any acts, and what was not decided is never a keep', () => {
  fc.assert(
    fc.property(steps, (some) => {
      const states = new Map([1, 2, 3, 4, 5].map((number) => [number, 'pending' as const]));
      const now = new Map<number, (typeof ITEM_STATES)[number]>(states);
      for (const { act, item: number } of some)
        now.set(number, stateAfter(act, now.get(number) ?? 'pending'));
      const counts: Record<string, number> = {};
      for (const state of now.values()) counts[state] = (counts[state] ?? 0) + 1;
      expect(tiesOut(numbersOf(counts))).toBe(true);
      for (const [number, state] of now) {
        if (state === 'keep')
          expect(some).toContainEqual(expect.objectContaining({ act: 'keep', item: number }));
      }
    }),
  );
});

const opened = (number: number, marks: readonly Mark[] = []) => ({
  number,
  holder: `H${number}`,
  reviewer: 'P1',
  isCarried: false,
  digest: `d${number}`,
  marks,
});

const entry = (seq: number, more: Partial<Entry>): Entry => ({
  seq,
  previous: '',
  act: 'keep',
  item: 1,
  by: 'P1',
  at: '2026-01-01T00:00:00Z',
  batch: 1,
  shown: 'd1',
  detail: '',
  said: '',
  ...more,
});

test.each([
  ['a keep', [entry(1, {})], true, []],
  ['an item that is not there', [entry(1, { item: 9 })], true, ['Entry 1: there is no item 9.']],
  [
    'what was not shown',
    [entry(1, { shown: 'x' })],
    true,
    ['Entry 1: item 1 is not what was shown.'],
  ],
  [
    'oneself',
    [entry(1, { act: 'reassign', detail: 'H1' }), entry(2, { by: 'H1' })],
    true,
    ['Entry 2: somebody decided about themselves.'],
  ],
  ['somebody else', [entry(1, { by: 'P2' })], true, ['Entry 1: somebody else was the reviewer.']],
  ['silence as a keep', [entry(1, { by: '' })], true, ['Entry 1: somebody else was the reviewer.']],
  ['silence as a revoke', [entry(1, { by: '', act: 'revoke' })], true, []],
  [
    'a revoke without a reason',
    [entry(1, { act: 'revoke' })],
    false,
    ['Entry 1: a revoke has no reason.'],
  ],
  ['too many at once', [entry(1, { batch: 21 })], true, ['Entry 1: too many were kept at once.']],
  [
    'what needs a reason',
    [entry(1, { item: 2, shown: 'd2' })],
    false,
    ['Entry 1: a keep that needs a reason has none, or was one of several.'],
  ],
  [
    'an exception of one’s own revoke',
    [entry(1, { act: 'revoke' }), entry(2, { act: 'except' })],
    true,
    ['Entry 2: who reviewed the item made an exception of it.'],
  ],
  [
    'a closing while items are pending',
    [
      entry(1, {
        act: 'close',
        item: 0,
        detail: '{"pending":2,"keep":0,"revoke":0,"gone":0,"carried":0,"excepted":0,"items":2}',
      }),
    ],
    true,
    ['Entry 1: items were pending.'],
  ],
  [
    'a closing by somebody who no longer owns it',
    [
      entry(1, { act: 'name_owner', item: 0, detail: 'P3' }),
      entry(2, { act: 'revoke' }),
      entry(3, { act: 'revoke', item: 2, shown: 'd2' }),
      entry(4, {
        act: 'close',
        item: 0,
        detail: '{"pending":0,"keep":0,"revoke":2,"gone":0,"carried":0,"excepted":0,"items":2}',
      }),
    ],
    true,
    ['Entry 4: somebody else than the owner closed the review.'],
  ],
  [
    'a second opening',
    [entry(1, { act: 'open', item: 0 }), entry(2, { act: 'open', item: 0 })],
    true,
    ['Entry 2: the review was open already.'],
  ],
  [
    'other numbers',
    [entry(1, { act: 'close', item: 0, detail: '{}' })],
    true,
    ['Entry 1: the numbers at the closing are other ones.', 'Entry 1: items were pending.'],
  ],
] as const)('a replay finds %s', (_, entries, hasReason, findings) => {
  const replay = new Replay('P1', 'P2');
  replay.add(opened(1));
  replay.add(opened(2, ['privileged']));
  for (const each of entries) replay.apply(each, hasReason ? 'left' : '');
  expect(replay.findings).toEqual(findings);
});

test('each part of an entry changes its hash', () => {
  const one = entry(1, {});
  const hash = entryHash('r', one);
  const changed: readonly Partial<Entry>[] = [
    { seq: 2 },
    { previous: 'x' },
    { act: 'revoke' as const },
    { item: 2 },
    { by: 'P2' },
    { at: 'x' },
    { batch: 2 },
    { shown: 'x' },
    { detail: 'x' },
    { said: 'x' },
  ];
  expect(changed.map((each) => Object.keys(each)[0]).sort()).toEqual(Object.keys(one).sort());
  for (const each of changed) expect(entryHash('r', { ...one, ...each })).not.toBe(hash);
  expect(entryHash('other', one)).not.toBe(hash);
  expect(
    new Set([firstHash('r', 's', 'p'), firstHash('r', 's', 'q'), firstHash('r', 't', 'p')]).size,
  ).toBe(3);
});

test.each([
  ['closed', 'revoke', 'ordered', true],
  ['closed', 'revoke', 'came_back', true],
  ['closed', 'revoke', 'blocked', false],
  ['closed', 'revoke', 'excepted', false],
  ['closed', 'revoke', 'confirmed', false],
  ['closed', 'keep', null, false],
  ['open', 'revoke', 'ordered', false],
] as const)(
  'of a review that is %s, a %s that is %s is sent: %s',
  (state, decided, remediation, isSent) => {
    const review = { review: { state } } as StoredReview;
    const send = (): void =>
      refuseUnsendable(review, [item(1, { state: decided, remediation }) as StoredItem]);
    if (isSent) expect(send).not.toThrow();
    else expect(send).toThrow();
  },
);

test.each([
  [{ confirmed: 2, excepted: 1 }, true],
  [{}, true],
  [{ confirmed: 2, ordered: 1 }, false],
  [{ confirmed: 2, blocked: 1 }, false],
  [{ confirmed: 2, came_back: 1 }, false],
])('a review of which the revokes are %j is remediated: %s', async (states, isDone) => {
  const records = Object.entries(states).map(
    ([state, number]) =>
      new Map<string, unknown>([
        ['state', state],
        ['number', number],
      ]),
  );
  const tx = { run: () => Promise.resolve({ records }) } as unknown as Runner;
  expect(await isRemediated(tx, 'r')).toBe(isDone);
});
