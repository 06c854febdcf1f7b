import { renderToString } from 'preact-render-to-string';

import type { Parameters } from '../../../src/features/console/frame/address';
import { PLAIN } from '../../../src/features/console/parts/own-handles';
import { Reading } from '../../../src/features/console/frame/reading';
import { PageOf } from '../../../src/features/console/tables/sorting';

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
