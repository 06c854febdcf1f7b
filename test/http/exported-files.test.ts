import { ask } from '../../src/neo4j/ask';
import { features } from '../../src/features';
import { routesOf } from '../../src/web/app';
import { responder } from '../../src/web/exchange/respond';
import { toldPath } from '../../src/web/routing/route';
import { Browser } from './browser-session';
import { memoryLog } from './memory-log';
import {
  API_KEY,
  type RegisteredIds,
  type ServiceUnderTest,
  serviceUnderTest,
} from './service-under-test';

// Found in the field: `/console/csv/entities` gave everything away, and no event said so.

let service: ServiceUnderTest;
let ids: RegisteredIds;
let browser: Browser;

beforeAll(async () => {
  service = await serviceUnderTest();
  ids = await service.register('application');
  await service
    .post(ids.path, {
      ...ids,
      json_data: JSON.stringify({
        applications: [{ name: 'Wiki', application_type: 'wiki', local_users: [{ name: 'ann' }] }],
      }),
    })
    .expect(200);
  browser = new Browser(service.app);
  await browser.signIn(API_KEY);
});
afterAll(() => service.close());

const FILES = /^(text\/csv|application\/x-ndjson)$/;

/** All routes that can answer a file of data. */
const routes = () =>
  routesOf(
    {
      ...{ features, context: service.context, apiKey: API_KEY, running: service.running },
      checkReady: () => () => Promise.reject(new Error('nobody asks')),
    },
    responder(memoryLog([]), 5),
  ).filter(
    ({ answer, alsoAs }) =>
      (alsoAs !== undefined && FILES.test(alsoAs)) ||
      ('mediaTypes' in answer && answer.mediaTypes.some((type) => FILES.test(type))),
  );

const exportsSoFar = async (): Promise<readonly unknown[]> =>
  (
    await ask(
      service.graph,
      "MATCH (e:Event {event_type: 'DATA_EXPORTED'}) RETURN e.message AS message ORDER BY e.key",
    )
  ).map(({ message }) => message);

/** How each file is requested; what is not here is requested without parameters. */
const asked = (path: string, principal: string): string => {
  const of = `principal=${encodeURIComponent(principal)}`;
  if (/changes$/.test(path)) return `${of}&since=2026-01-01T00:00:00Z`;
  if (path.includes('/csv/pushes')) return `source=${ids.data_source_id}`;
  if (path.includes('/csv/query')) return 'query=access%2Fwhat-a-person-can-reach&person=ann';
  return /access$/.test(path) ? of : '';
};

test('each route that answers a file leaves its event', async () => {
  const silent: unknown[] = [];
  const [principal] = await ask(service.graph, 'MATCH (n:LocalUser) RETURN n.key AS key');
  let files = 0;
  for (const route of routes()) {
    const path = toldPath(route)
      .replace('{id}', ids.id)
      .replace('{provider}', ids.id)
      .replace('{ds}', ids.data_source_id)
      .replace('{data_source}', ids.data_source_id)
      .replace('{topic}/{name}', 'access/what-a-person-can-reach');
    const before = (await exportsSoFar()).length;
    const query = asked(toldPath(route), String(principal?.key));
    const isPage = path.startsWith('/console');
    const at = `${path}?${query}${isPage ? '' : '&format=csv'}`;
    const answer = isPage
      ? await browser.get(at)
      : route.method === 'post'
        ? await service.post(
            at,
            path.endsWith('/query')
              ? { cypher: 'RETURN 1 AS one' }
              : { parameters: { person: 'ann' } },
          )
        : await service.send('get', at);
    const after = await exportsSoFar();
    if (answer.status === 200) files += 1;
    if (answer.status !== 200 || after.length !== before + 1) {
      silent.push([
        at,
        answer.status,
        answer.status === 200 ? '' : answer.text,
        after.length - before,
      ]);
    }
  }
  expect(silent).toEqual([]);
  expect(files).toBeGreaterThan(8);
});

test('the event names the path and the names of the parameters, and nobody whom they name', async () => {
  await service.send('get', '/api/v1/entities?format=csv&filter=name%20eq%20%22ann%22').expect(200);
  const events = await ask(
    service.graph,
    "MATCH (e:Event {event_type: 'DATA_EXPORTED'}) RETURN e.message AS message, e.metadata AS metadata ORDER BY e.key DESC LIMIT 1",
  );
  expect(events).toMatchObject([
    { message: 'The table /api/v1/entities is exported by "API_KEY".' },
  ]);
  expect(String(events[0]?.metadata)).toContain('filter');
  expect(JSON.stringify(events)).not.toContain('ann');
});

test('a page of JSON leaves none', async () => {
  const before = await exportsSoFar();
  await service.send('get', '/api/v1/entities').expect(200);
  expect(await exportsSoFar()).toEqual(before);
});
