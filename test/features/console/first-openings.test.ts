/** @more pages */
import { Transaction } from 'neo4j-driver';

import { firstOpenings } from '../../../src/features/console/opening/first-openings';
import { allPages as pages } from '../../support/all-pages';
import { keyOf, pushCompany } from '../../http/company';
import { Browser } from '../../http/browser-session';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from '../../http/service-under-test';

/** Of sessions; and what Why asks only if a way leads through a name that several applications may have. */
const LATER = /PersonSession|UNWIND \$asked AS asked\\nMATCH \(application:Application/;

let service: ServiceUnderTest;
let browser: Browser;

beforeAll(async () => {
  service = await serviceUnderTest();
  await pushCompany(service);
  browser = new Browser(service.app);
  await browser.signIn(API_KEY);
  // Sign-ins and sessions have statements of their own.
  await browser.get('/console/mine');
});
afterAll(() => service.close());

/** The texts of the statements that some work sends to Neo4j. */
const sentBy = async (work: () => Promise<unknown>): Promise<ReadonlySet<string>> => {
  const spy = jest.spyOn(Transaction.prototype, 'run');
  await work();
  const sent = new Set(spy.mock.calls.map(([text]) => JSON.stringify(text)));
  spy.mockRestore();
  return sent;
};

test('what the first opening of a page sends was sent after the start', async () => {
  const round = firstOpenings(pages, service.context);
  const before = await sentBy(() => round(() => false));
  const principal = encodeURIComponent(await keyOf(service, 'IdpUser', 'Amara Nwosu'));
  const resource = encodeURIComponent(await keyOf(service, 'Application', 'Forge'));
  const at = new Date().toISOString();
  const addresses = [
    '/console',
    '/console?q=am',
    '/console?q=zz',
    '/console/changes',
    '/console/sources',
    '/console/ask',
    '/console/mine',
    '/console?q=what%20can%20amara%20do',
    `/console/people/${principal}`,
    `/console/people/${principal}?at=${at}`,
    `/console/resources/${resource}`,
    `/console/resources/${resource}?at=${at}`,
    `/console/why?principal=${principal}&resource=${resource}`,
    `/console/why?principal=${principal}&resource=${resource}&at=${at}`,
  ];
  const late: unknown[] = [];
  for (const address of addresses) {
    const sent = await sentBy(() => browser.get(address));
    const fresh = [...sent].filter((text) => !before.has(text) && !LATER.test(text));
    if (fresh.length > 0) late.push([address, fresh.map((text) => text.slice(0, 120))]);
  }
  expect(late).toEqual([]);
});

// Pages of reviews were opened with the id of a resource, and found nothing.
test('a page is opened about what it can be about, or not at all', async () => {
  const opened = new Map<string, string>();
  const noted = pages.map((page) => ({
    ...page,
    show: (request: Parameters<typeof page.show>[0]) => {
      opened.set(page.path, request.id);
      return page.show(request);
    },
  }));
  await firstOpenings(noted, service.context)(() => false);
  const ofReviews = (path: string): boolean => path.startsWith('/console/reviews/:id');
  expect([...opened.keys()]).toEqual(
    pages.map(({ path }) => path).filter((path) => !ofReviews(path)),
  );
  for (const path of ['people', 'resources', 'sources']) {
    const id = opened.get(`/console/${path}/:id`) ?? '';
    const { status } = await browser.get(`/console/${path}/${encodeURIComponent(id)}`);
    expect([path, status]).toEqual([path, 200]);
  }
});

test('the pages are opened once, and an end of the service ends it', async () => {
  const round = firstOpenings(pages, service.context);
  expect((await sentBy(() => round(() => true))).size).toBeLessThan(10);
  expect(await sentBy(() => round(() => false))).toEqual(new Set());
});
