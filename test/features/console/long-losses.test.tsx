import { renderToString } from 'preact-render-to-string';

import type { WithoutGateway } from '../../../src/questions/endpoints';
import { Reading } from '../../../src/features/console/frame/reading';
import { LossTable } from '../../../src/features/console/tables/gateway-list';
import { plain } from './page-rows';

const summary = (id: string) => ({
  id,
  label: 'IdpUser',
  name: id,
  path: null,
  resource_type: null,
  application: null,
  domain: null,
  provider: null,
  inactive: false,
});

const losses: WithoutGateway = {
  resource: summary('square'),
  without: summary('visitors'),
  people: 1_200,
  values: Array.from({ length: 1_100 }, (_, at) => ({
    ...summary(`person ${at}`),
    lost: [],
    left: [],
  })),
  total: 1_100,
  has_more: false,
  next_page_token: '',
  as_of: null,
};

/** The page of losses after so many, as a reader sees it. */
const pageAfter = (after: number): string =>
  plain(
    renderToString(
      <Reading.Provider
        value={{
          seesAll: true,
          neo4jBrowser: null,
          formToken: '',
          zone: 'UTC',
          hide: (text) => text,
        }}
      >
        <LossTable
          of={losses}
          {...{ filters: [], keeping: {}, backAddress: '/', after }}
          by={{ path: '/here', parameters: { without: 'visitors' }, sort: '' }}
        />
      </Reading.Provider>,
    ),
  );

// Before, a page of 10,000 losses had 84 KB, and a browser drew all of them.
test.each([
  [0, 500, '/here?without=visitors&page=500'],
  [500, 500, '/here?without=visitors&page=1000'],
  [1_000, 100, undefined],
  [5_000, 0, undefined],
])('after %i losses a page has %i, and leads on', (after, rows, next) => {
  const html = pageAfter(after);
  expect(html.match(/<th scope="row">/g) ?? []).toHaveLength(rows);
  expect(html).toContain(`${rows} of 1100 rows.`);
  expect(html).toContain('1100 of 1200 people would lose everything here');
  expect(/rel="next" href="([^"]*)"/.exec(html)?.[1]).toBe(next);
});
