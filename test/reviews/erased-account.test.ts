import { NamesByPlace, type ScopedName } from '../../src/features/erasure/person/names';
import type { Person } from '../../src/features/erasure/person/person-search';
import type { ErasedSigners } from '../../src/features/erasure/person/signers';
import { findRecords, valueWithout } from '../../src/features/erasure/removal/records';
import { itemAnswers } from '../../src/features/reviews/answers';
import { ItemShown } from '../../src/features/reviews/endpoints';
import { EMPTY_SCOPE, ReviewItem, reviewRecord } from '../../src/features/reviews/records';
import type { StoredItem, StoredReview } from '../../src/features/reviews/stored/store';
import { ERASED, PersonNames } from '../../src/model/person-names';
import type { Runner } from '../../src/neo4j/transaction';

/* What an erasure leaves of the account that holds an item of a review (docs/rules.md: Erasing a person). */

const VAULT = '8d0c1f5e-0000-4000-8000-000000000001';
const WIKI = '8d0c1f5e-0000-4000-8000-000000000002';
const accountIn = (dataSource: string, name: string): string =>
  `${dataSource}|LocalUser|App|${name}`;

/** A name that counts in its application only, such as the id of an account. */
const nameIn = (dataSource: string, name: string): ScopedName => ({
  name,
  isDisplay: false,
  isClaim: false,
  within: { dataSource, application: 'App' },
  outside: [],
  taken: [],
});

/** Somebody with an account in each of two systems. */
const person: Person = {
  keys: new Set([accountIn(VAULT, 'u-4711'), accountIn(WIKI, 'w-0815')]),
  existing: new Set(),
  names: new NamesByPlace([nameIn(VAULT, 'u-4711'), nameIn(WIKI, 'w-0815')]),
  nameList: [],
  sharedNames: [],
  taken: new Map(),
  doubtful: [],
  isLedTo: () => Promise.resolve(true),
};

const noSigners: ErasedSigners = {
  ids: [],
  doubtful: [],
  namesIn: () => null,
  without: (value) => value,
};

/** What is left of items that show these things, by their keys; only of those that change. */
const leftOf = async (
  items: Readonly<Record<string, object>>,
): Promise<Readonly<Record<string, unknown>>> => {
  const rows = Object.entries(items).map(([key, shown]) => {
    const row: Readonly<Record<string, unknown>> = {
      key,
      properties: { shown: JSON.stringify(shown) },
    };
    return { get: (name: string) => row[name] };
  });
  const tx = {
    run: () => Promise.resolve({ records: [] }),
    stream: (statement: string) => (statement.includes(`:${ReviewItem.label})`) ? rows : []),
    socket: null,
  } as unknown as Runner;
  const { changed } = await findRecords(tx, [ReviewItem], person, noSigners);
  return Object.fromEntries(
    changed.flatMap(([, records]) =>
      records.map(({ key, set }) => [key, JSON.parse(String(set.shown)) as unknown]),
    ),
  );
};

test('an item loses the key and the name of an account that certainly is the person’s', async () => {
  const holder = { key: accountIn(VAULT, 'u-4711'), label: 'LocalUser', name: 'u-4711' };
  expect(await leftOf({ own: { holder, holds: 'role "reader"' } })).toEqual({
    own: {
      holder: { key: ERASED, label: 'LocalUser', name: ERASED },
      holds: 'role "reader"',
    },
  });
});

test('an equal name of another system, and what names nobody of the person by key, stay', async () => {
  const own = { key: accountIn(VAULT, 'u-4711'), name: 'u-4711' };
  const others = { key: accountIn(WIKI, 'somebody'), name: 'u-4711' };
  expect(await leftOf({ own: { holder: own, also: ['w-0815'] }, others })).toEqual({
    own: { holder: { key: ERASED, name: ERASED }, also: ['w-0815'] },
  });
});

const SHOWN = {
  holder: { key: 'k', label: 'LocalUser', name: 'u-4711', application: 'App' },
  holds: 'role "reader"',
  permissions: ['read'],
  permissions_total: 1,
  resources: 1,
  people: 1,
  changes_nothing: false,
  also: [],
  since: '2026-11-29T15:53:32.178Z',
  since_push: null,
  why_reviewer: 'is their manager',
  instead_of: [],
};

test.each([...Object.keys(ItemShown.fields), 'name', 'u-4711'])(
  'an item is shown as what it is after an erasure of somebody who is called %j',
  async (name) => {
    const [text, erased] = [JSON.stringify(SHOWN), new PersonNames([name])];
    const answered = async (shown: unknown): Promise<unknown> => {
      const item = {
        number: 1,
        state: 'pending',
        reviewer: '',
        holder: '',
        marks: [],
        digest: '',
        properties: { shown },
        done: null,
      } as unknown as StoredItem;
      const stored = { run: 'run', review: { due: '2099-01-01T00:00:00Z' } } as StoredReview;
      const [answer] = await itemAnswers({} as Runner, stored, [item]);
      return answer?.shown;
    };
    expect(await answered(text)).toEqual(SHOWN);
    expect(await answered(valueWithout(text, erased))).toEqual(
      name === 'u-4711' ? { ...SHOWN, holder: { ...SHOWN.holder, name: ERASED } } : SHOWN,
    );
  },
);

const SCOPE = {
  ...EMPTY_SCOPE,
  applications: ['App'],
  people: ['ann@corp'],
  marks: ['guest' as const],
};

test.each([...Object.keys(EMPTY_SCOPE), 'guest', 'ann@corp'])(
  'the scope of a review has all its fields and marks after an erasure of somebody who is called %j',
  (name) => {
    const values = reviewRecord.stored({ scope: SCOPE });
    const { properties } = reviewRecord.node;
    const left = Object.fromEntries(
      Object.entries(values).map(([property, value]) => [
        property,
        properties[property]?.names === 'mention'
          ? valueWithout(value, new PersonNames([name]))
          : value,
      ]),
    );
    expect(reviewRecord.fields.scope.stored?.read('scope', left)).toEqual(
      name === 'ann@corp' ? { ...SCOPE, people: [ERASED] } : SCOPE,
    );
  },
);
