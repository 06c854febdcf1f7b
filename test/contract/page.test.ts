import * as E from 'fp-ts/Either';

import {
  LIST_TOKEN_PLACES,
  type Order,
  orderOf,
  pageOf,
  pageSize,
  readToken,
  writeToken,
} from '../../src/contract/page';

const BY_NAME: Order = { field: 'name', isDescending: false };

test.each([
  ['', null],
  ['250', 100],
  ['100', 100],
  ['1', 1],
  ['0', 100],
  ['-3', 100],
  ['many', 100],
  ['1.5', 100],
])('page_size=%s is %s', (text, size) => expect(pageSize(text)).toBe(size));

const records = Array.from({ length: 7 }, (_, index) => ({
  id: `id ${index}`,
  name: `name ${index % 3}`,
  state: index % 2 === 0 ? 'ENABLED' : 'DELETING',
}));

const walk = (size: number, order: Order): readonly string[] => {
  const ids: string[] = [];
  for (let token = '', isMore = true; isMore;) {
    const after = readToken(token, LIST_TOKEN_PLACES);
    if (E.isLeft(after)) throw new Error('the list does not know its own token');
    const page = pageOf(records, { size, after: after.right, order });
    expect(page.total).toBe(records.length);
    expect(page.next_page_token === '').toBe(!page.has_more);
    ids.push(...page.values.map(({ id }) => id));
    token = page.next_page_token;
    isMore = page.has_more;
  }
  return ids;
};

test.each([
  ['name', false],
  ['name', true],
  ['state', false],
  ['state', true],
] as const)(
  'pages by %s, descending %s, hold each record once and in order',
  (field, isDescending) => {
    const order = { field, isDescending };
    const whole = pageOf(records, { size: null, after: null, order });
    expect(whole).toMatchObject({ has_more: false, next_page_token: '' });
    for (const size of [1, 2, 3, 7, 8]) {
      expect(walk(size, order)).toEqual(whole.values.map(({ id }) => id));
    }
  },
);

test('an order is a known field, or the usual one', () => {
  expect(orderOf('state desc', ['name', 'state'], BY_NAME)).toEqual({
    field: 'state',
    isDescending: true,
  });
  expect(orderOf('constructor', ['name', 'state'], BY_NAME)).toEqual(BY_NAME);
  expect(orderOf('', ['name'], BY_NAME)).toEqual(BY_NAME);
});

test.each(['x', 'bnVsbA', writeToken(['a']), writeToken(['a', 'b', 'c', 'd'])])(
  'the token %s is none of the list',
  (token) => expect(E.isLeft(readToken(token, LIST_TOKEN_PLACES))).toBe(true),
);
