import { renderToString } from 'preact-render-to-string';

import type { Parameters } from '../../../src/features/console/frame/address';
import type { Context } from '../../../src/context';
import { ownHandles, PLAIN } from '../../../src/features/console/parts/own-handles';
import { Reading } from '../../../src/features/console/frame/reading';
import { PageOf, SortedBy } from '../../../src/features/console/tables/sorting';
import { type VaultKey, vaultKeyOf } from '../../../src/secrets/vault';
import { sealingKeyOf } from '../../../src/secrets/vault-key';

const nextPage = (parameters: Parameters): URLSearchParams => {
  const html = renderToString(
    <Reading.Provider
      value={{ seesAll: true, neo4jBrowser: null, formToken: '', zone: 'UTC', hide: PLAIN.hide }}
    >
      <PageOf
        of={{ values: Array.from({ length: 100 }), total: 300, next_page_token: 'next' }}
        isFirst={false}
        by={{ path: '/console/changes', parameters, sort: '' }}
      />
    </Reading.Provider>,
  );
  const [, href = ''] = /rel="next" href="([^"]+)"/.exec(html) ?? [];
  return new URL(href.replaceAll('&amp;', '&'), 'http://service').searchParams;
};

// Read after midnight, the second page of the changes of yesterday was of another day.
test('the next page of a list about a day in words is about the same day tomorrow', () => {
  jest.useFakeTimers({ now: Date.parse('2020-11-27T23:59:59Z') });
  try {
    const next = nextPage({ since: 'last Monday', until: 'yesterday', principal: 'yesterday' });
    expect(Object.fromEntries(next)).toEqual({
      since: '2020-11-23',
      until: '2020-11-26',
      principal: 'yesterday',
      page: 'next',
    });
    expect(nextPage({ at: '2 days ago' }).get('at')).toBe('2020-11-25');
    const written = { since: '2020-11-01T10:54:00Z', until: '0123abcd' };
    expect(Object.fromEntries(nextPage(written))).toEqual({ ...written, page: 'next' });
  } finally {
    jest.useRealTimers();
  }
});

test('the head of a column orders the list by it, and turns the order round each time', () => {
  const headOf = (sort: string): readonly (string | undefined)[] => {
    const html = renderToString(
      <SortedBy field="name" by={{ path: '/console/changes', parameters: { mark: 'new' }, sort }}>
        Name
      </SortedBy>,
    );
    const [, href = ''] = /href="([^"]+)"/.exec(html) ?? [];
    const { searchParams } = new URL(href.replaceAll('&amp;', '&'), 'http://service');
    expect(searchParams.get('mark')).toBe('new');
    return [searchParams.get('sort') ?? '', /aria-sort="(\w+)"/.exec(html)?.[1]];
  };
  expect(headOf('')).toEqual(['name', undefined]);
  expect(headOf('since desc')).toEqual(['name', undefined]);
  expect(headOf('name')).toEqual(['name desc', 'ascending']);
  expect(headOf('name desc')).toEqual(['name', 'descending']);
});

test('the token of a list that somebody without a role gets opens for them alone', async () => {
  const context = {} as Context;
  const key = vaultKeyOf('1'.repeat(64)) as VaultKey;
  sealingKeyOf.replace(context, () => () => Promise.resolve(key));
  const of = (person: string | null) => ownHandles(context, { seesAll: false, person });
  const [ann, ben, nobody] = [await of('ann'), await of('ben'), await of(null)];
  const handle = ann.hide('next');
  expect(ann.open(handle)).toBe('next');
  expect([ben.open(handle), nobody.open(handle), ann.open('next')]).toEqual([null, null, null]);
});
