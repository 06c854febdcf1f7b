import * as TE from 'fp-ts/TaskEither';
import supertest from 'supertest';

import { keysOf } from '../../src/features/keys/contract';
import { sessionsOf } from '../../src/features/sign-in/contract';
import { ask } from '../../src/neo4j/ask';
import type { Failure } from '../../src/problem';
import { features } from '../../src/features';
import { routesOf } from '../../src/start/app';
import { responder } from '../../src/web/exchange/respond';
import { type Route, shownPath } from '../../src/web/routing/route';
import { Browser } from './browser-session';
import { memoryLog } from './memory-log';
import {
  API_KEY,
  type RegisteredIds,
  type ServiceUnderTest,
  serviceUnderTest,
} from './service-under-test';

// Found in the field: `/console/csv/entities` gave everything away, and no event said so.

const ENDED: Failure = { _tag: 'Unauthenticated', message: 'The key is not known.' };

/** How often the service may still look at a key or session and find that it has not ended. */
let looks = Infinity;
const lets = (): boolean => {
  looks -= 1;
  return looks >= 0;
};

let service: ServiceUnderTest;
let ids: RegisteredIds;
let browser: Browser;
let application: string;

beforeAll(async () => {
  service = await serviceUnderTest(
    {},
    {
      replace: (context) => {
        keysOf.replace(context, (usual) => {
          const keys = usual();
          return { ...keys, find: (key) => (lets() ? keys.find(key) : TE.left(ENDED)) };
        });
        sessionsOf.replace(context, (usual) => {
          const sessions = usual();
          return {
            ...sessions,
            find: (...session) => (lets() ? sessions.find(...session) : TE.right(null)),
          };
        });
      },
    },
  );
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
  const [wiki] = await ask(service.graph, 'MATCH (n:Application) RETURN n.key AS key');
  application = String(wiki?.key);
});
afterAll(() => service.close());

const FILES = /^(text\/csv|application\/x-ndjson)$/;

/** All routes that can answer a file of data. */
const routes = () =>
  routesOf(
    {
      features,
      context: service.context,
      apiKey: API_KEY,
      running: service.running,
      checkReady: () => () => Promise.reject(new Error('nobody asks')),
    },
    responder(memoryLog([]), 5),
  ).filter(
    ({ answer, alsoAs, path }) =>
      path.startsWith('/console/picture/') ||
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
  // Nothing leads there, and the table of no ways is a file too.
  if (path.endsWith('/why')) {
    return new URLSearchParams({ principal, resource: application }).toString();
  }
  const of = `principal=${encodeURIComponent(principal)}`;
  if (/changes$/.test(path)) return `${of}&since=2026-01-01T00:00:00Z`;
  if (path.includes('/csv/pushes')) return `source=${ids.data_source_id}`;
  if (path.includes('/csv/query')) return 'query=access%2Fwhat-a-person-can-reach&person=ann';
  if (path.endsWith('/members')) return new URLSearchParams({ of: principal }).toString();
  if (path.endsWith('/losses')) return new URLSearchParams({ without: principal }).toString();
  return /access$/.test(path) ? of : '';
};

/** The address of a file, and the body with which it is requested, if it needs one. */
const fileOf = (
  route: Route,
  principal: string,
): { readonly at: string; readonly body?: object } => {
  const path = shownPath(route)
    .replace('{id}', ids.id)
    .replace('{provider}', ids.id)
    .replace('{ds}', ids.data_source_id)
    .replace('{data_source}', ids.data_source_id)
    .replace('{topic}/{name}', 'access/what-a-person-can-reach');
  const query = asked(shownPath(route), principal);
  const at = `${path}?${query}${path.startsWith('/console') ? '' : '&format=csv'}`;
  if (route.method !== 'post') return { at };
  const ofQuery = { cypher: 'RETURN 1 AS one' };
  return { at, body: path.endsWith('/query') ? ofQuery : { parameters: { person: 'ann' } } };
};

const principalOf = async (): Promise<string> => {
  const [principal] = await ask(service.graph, 'MATCH (n:LocalUser) RETURN n.key AS key');
  return String(principal?.key);
};

test('each route that answers a file leaves its event', async () => {
  const silent: unknown[] = [];
  const principal = await principalOf();
  let files = 0;
  for (const route of routes()) {
    const before = (await exportsSoFar()).length;
    const { at, body } = fileOf(route, principal);
    const answer = at.startsWith('/console')
      ? await browser.get(at)
      : body === undefined
        ? await service.send('get', at)
        : await service.post(at, body);
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

test('each file breaks off once its key or session has ended', async () => {
  const principal = await principalOf();
  const made = await service
    .post('/api/preview/teamkeys', { name: 'Files', scopes: ['admin', 'cypher'] })
    .expect(200);
  const { access_key } = (made.body as { value: { access_key: string } }).value;
  const wrong: unknown[] = [];
  for (const route of routes()) {
    const { at, body } = fileOf(route, principal);
    const isPage = at.startsWith('/console');
    const request = async () => {
      if (isPage) return browser.get(at);
      const sent = supertest(service.app)[body === undefined ? 'get' : 'post'](at);
      const asked = sent.set('authorization', `Bearer ${access_key}`);
      return body === undefined ? asked : asked.send(body);
    };
    const whole = await request();
    // The first look admits the request, and the second one begins the answer.
    looks = 2;
    const cut = await request().then(
      ({ status }) => status,
      () => 'broken off',
    );
    looks = Infinity;
    if (whole.status !== 200 || cut !== 'broken off') wrong.push([at, whole.status, cut]);
  }
  expect(wrong).toEqual([]);
});

test('HEAD leaves no event, since nothing leaves', async () => {
  const principal = await principalOf();
  const before = await exportsSoFar();
  for (const route of routes().filter(({ method }) => method === 'get')) {
    const { at } = fileOf(route, principal);
    if (at.startsWith('/console')) continue;
    const answer = await supertest(service.app).head(at).set('authorization', `Bearer ${API_KEY}`);
    expect([at, answer.status]).toEqual([at, 200]);
  }
  expect(await exportsSoFar()).toEqual(before);
});

test('the event names no parameter that the route does not have', async () => {
  const odd = encodeURIComponent('the key "x" exported_by=ingrid');
  const path = `/api/v1/events?format=csv&FILTER=${encodeURIComponent('severity eq "INFO"')}`;
  await service.send('get', `${path}&order_by=&${odd}=1&${'x'.repeat(5_000)}=1`).expect(200);
  const [event] = await ask(
    service.graph,
    "MATCH (e:Event {event_type: 'DATA_EXPORTED'}) RETURN e.metadata AS metadata ORDER BY e.key DESC LIMIT 1",
  );
  expect(JSON.parse(String(event?.metadata))).toMatchObject({
    parameters: { narrowed_by: ['filter'] },
  });
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
