/** @more pages */
import { Browser } from '../../http/browser-session';
import { keyOf, pushCompany, type PushedSource } from '../../http/company';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from '../../http/service-under-test';
import { plain } from './page-rows';

/*
 * Somebody who pushes can call everything as others do. Two sets of providers push the same company
 * here, so each name is there twice. No two rows, list entries or stops of ways of a page may look
 * alike if they are not the same (docs/console.md).
 */

let service: ServiceUnderTest;
let administrator: Browser;
let first: readonly PushedSource[];
/** The keys of a human, a group, a resource and an application of the first set. */
let keys: readonly string[];

beforeAll(async () => {
  service = await serviceUnderTest();
  first = await pushCompany(service);
  keys = await Promise.all([
    keyOf(service, 'IdpUser', 'Amara Nwosu'),
    keyOf(service, 'LocalGroup', 'firmware-team'),
    keyOf(service, 'Resource', 'Firmware.motor-control'),
    keyOf(service, 'Application', 'Forge'),
  ]);
  await pushCompany(service);
  administrator = new Browser(service.app);
  await administrator.signIn(API_KEY);
});
afterAll(() => service.close());

const wordsOf = (html: string): string =>
  plain(html.replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim();

/** What a part of a page leads to first: the page of a node, of a source, or one about them. */
const targetOf = (html: string): string | null => {
  const [, entity] = /href="\/console\/(?:people|resources|sources)\/([^"?]+)/.exec(html) ?? [];
  return entity === undefined ? null : decodeURIComponent(plain(entity));
};

/** A row of a table or an entry of a list, and what a reader sees around it. */
interface Part {
  readonly html: string;
  readonly around: string;
}

/** The rows of tables, each below its group; the entries of lists, within their row. */
const partsOf = (html: string): readonly Part[] => {
  let group = '';
  const rows = [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].flatMap(([, row = '']): Part[] => {
    if (row.includes('scope="rowgroup"')) group = wordsOf(row);
    const entries = [...row.matchAll(/<li[^>]*>(.*?)<\/li>/gs)].map(([, entry = '']) => entry);
    const bare = row.replaceAll(/<li[^>]*>.*?<\/li>/gs, '');
    return [
      { html: row, around: group },
      ...entries.map((entry) => ({ html: entry, around: `${group} ${wordsOf(bare)}` })),
    ];
  });
  const outside = html.replaceAll(/<table.*?<\/table>/gs, '');
  const entries = [...outside.matchAll(/<li[^>]*>(.*?)<\/li>/gs)];
  return [...rows, ...entries.map(([, entry = '']) => ({ html: entry, around: '' }))];
};

/** The parts of a page that look like others, and lead elsewhere. */
const alikeOn = (html: string): readonly string[] => {
  const known = new Map<string, string>();
  return partsOf(html).flatMap((part) => {
    const [target, words] = [targetOf(part.html), `${part.around} ${wordsOf(part.html)}`];
    if (target === null) return [];
    const before = known.get(words);
    known.set(words, target);
    return before === undefined || before === target ? [] : [`${words}: ${before}, ${target}`];
  });
};

const path = (folder: string, key: string, query = ''): string =>
  `/console/${folder}/${encodeURIComponent(key)}${query}`;

test('no two rows or entries of a page look alike if another provider has all of the names', async () => {
  const [human = '', group = '', motor = '', forge = ''] = keys;
  const why = new URLSearchParams({ principal: human, resource: motor, person: 'true' });
  const pages = [
    '/console',
    ...[
      'amara',
      'motor-control',
      'Forge',
      'who can write motor-control',
      'amara can write motor',
    ].map((q) => `/console?q=${encodeURIComponent(q)}`),
    ...['amara', 'motor', 'forge'].map((q) => `/console/suggestions?q=${q}`),
    ...['', '?sort=name', '?view=changes', '?only=true'].map((query) =>
      path('people', human, query),
    ),
    ...['', '?view=members', '?view=without'].map((query) => path('people', group, query)),
    ...['', '?view=through', '?view=inside'].flatMap((query) =>
      [motor, forge].map((key) => path('resources', key, query)),
    ),
    `/console/why?${why.toString()}`,
    `/console/why?${why.toString()}&view=steps`,
    '/console/changes?list=true',
    `/console/changes?principal=${encodeURIComponent(human)}`,
    '/console/sources',
    path('sources', first[0]?.data_source_id ?? ''),
    '/console/reviews',
    '/console/new-review',
  ];
  const found: (readonly [string, readonly string[]])[] = [];
  for (const each of pages) {
    const { status, text } = await administrator.get(each);
    expect([each, status]).toEqual([each, 200]);
    const alike = alikeOn(text);
    if (alike.length > 0) found.push([each, alike.slice(0, 3)]);
  }
  expect(found).toEqual([]);
});
