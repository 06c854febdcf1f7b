import type { JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';

import type { WithoutGateway } from '../../../src/questions/endpoints';
import { Reading } from '../../../src/features/console/frame/reading';
import { Losses } from '../../../src/features/console/pages/person/emptied-view';
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

/** A part of a page as a reader sees it. */
const read = (part: JSX.Element): string =>
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
        {part}
      </Reading.Provider>,
    ),
  );

/** The page of losses after so many. */
const pageAfter = (after: number): string =>
  read(
    <LossTable
      of={losses}
      {...{ filters: [], keeping: {}, backAddress: '/', after }}
      by={{ path: '/here', parameters: { without: 'visitors' }, sort: '' }}
    />,
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

// Before, nothing opened the resources after the first 20.
test.each([
  [true, 22, 1],
  [false, 20, 0],
])(
  'if there is room (%s), %i of 22 resources of a person are on the page',
  (hasRoom, items, opens) => {
    const some = Array.from({ length: 22 }, (_, at) => ({
      ...summary(`resource ${at}`),
      lost: [],
      left: [],
    }));
    const html = read(
      <Losses
        of={{ ...summary('ann'), resources: 22, gone: 22, losses: some }}
        {...{ keeping: {}, hasRoom }}
      />,
    );
    expect(html.match(/nothing remains/g)).toHaveLength(items);
    expect(html.match(/and 2 more/g)).toHaveLength(1);
    expect(html.match(/<summary>/g) ?? []).toHaveLength(opens);
  },
);
