/** @more bounds */

import type { RequestHandler } from 'express';
import { request } from 'node:http';

import supertest from 'supertest';

import { ask } from '../../src/neo4j/ask';
import type { Graph } from '../../src/neo4j/driver';
import { sessionsOf } from '../../src/features/sign-in/contract';
import { SESSION_COOKIE } from '../../src/web/admission/visitor';
import { CONNECTIONS_OF_QUESTION, connectionsOfQuestions } from '../../src/start/open-graph';
import type { Handle } from '../../src/web/exchange/handle';
import { idleRoutes } from '../support/idle-app';
import { testNeo4j } from '../support/neo4j';
import { type BreakableProxy, breakableProxy } from './breakable-proxy';
import { pushCompany } from './company';
import { reviewedBy } from './reviews/reviewed-by';
import {
  API_KEY,
  listenLocally,
  type ServiceUnderTest,
  serviceUnderTest,
} from './service-under-test';

let proxy: BreakableProxy;
let service: ServiceUnderTest;
let listening: Awaited<ReturnType<typeof listenLocally>>;
/** What stands in paths and queries of questions. */
let named: Readonly<Record<string, string>>;
/** The cookie of somebody who signed in, for pages. */
let cookie: string;

/** An instant after all pushes. */
let after: string;

const keyOfUser = async (name: string): Promise<string> => {
  const statement = 'MATCH (n:IdpUser {name: $name}) RETURN n.key AS key';
  const [row] = await ask(service.graph, statement, { name });
  return String(row?.key);
};

/** A resource that somebody reaches. */
const reachedBy = async (principal: string): Promise<string> => {
  const query = new URLSearchParams({ principal, label: 'Resource', page_size: '1' });
  const list = await service.send('get', `/api/v1/access?${query.toString()}`);
  return (list.body as { values: readonly { readonly id: string }[] }).values[0]?.id ?? '';
};

beforeAll(async () => {
  proxy = await breakableProxy(testNeo4j().uri);
  service = await serviceUnderTest({}, { askedUri: `bolt://127.0.0.1:${proxy.port}` });
  listening = await listenLocally(service.app);
  const [directory] = await pushCompany(service);
  const principal = await keyOfUser('Amara Nwosu');
  after = new Date().toISOString();
  const scim = `/scim/v2/${directory?.data_source_id ?? ''}`;
  const idOf = async (endpoint: string): Promise<string> => {
    const first = await service.send('get', `${scim}/${endpoint}?count=1`);
    return (first.body as { Resources: readonly { readonly id: string }[] }).Resources[0]?.id ?? '';
  };
  // Some pages are for administrators.
  const reader = await sessionsOf(service.context).open(
    {
      subject: 'person:reader',
      name: 'Reader',
      role: 'administrator',
      address: null,
      person: principal,
    },
    new Map(),
    'r',
    [],
  )();
  if (reader._tag === 'Left') throw new Error(reader.left.message);
  cookie = `${SESSION_COOKIE}=${reader.right.token}`;
  named = {
    providerId: directory?.id ?? '',
    dataSourceId: directory?.data_source_id ?? '',
    principal,
    resource: await reachedBy(principal),
    Users: await idOf('Users'),
    Groups: await idOf('Groups'),
    topic: 'resources',
    name: 'resources-without-an-owner',
    review: (await reviewedBy(service, principal, await keyOfUser('Nadia Haddad'))).id,
  };
});
afterAll(async () => {
  await listening.close();
  await service.close();
  await proxy.cut();
});

/** All routes that are questions, each as its method and path. */
const questions = (): readonly (readonly [method: string, path: string])[] => {
  const handlers = new Set<RequestHandler>();
  const questionOf =
    (handle: Handle): Handle =>
    (work) => {
      const made = handle(work);
      handlers.add(made);
      return made;
    };
  return idleRoutes(questionOf)
    .filter(({ handler }) => handlers.has(handler))
    .map(({ method, path }) => [method, path] as const);
};

/** What a question needs beside its path. */
const queryOf = (path: string): string => {
  const { principal = '', resource = '', dataSourceId = '' } = named;
  const asked: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    access: { principal },
    'access\\:check': { principal, resource, permission_type: 'DataRead' },
    'access\\:explain': { principal, resource },
    'access\\:changes': { since: '2001-01-01T00:00:00Z' },
    'access\\:gateways': { resource },
    reviewers: { principal },
    '/console': { q: 'ann' },
    '/console/suggestions': { q: 'ann' },
    '/console/why': { principal, resource },
    '/console/mine/why': { resource },
    '/console/reviews/:id/decide': { item: '1' },
    '/console/ask': { query: 'resources/resources-without-an-owner' },
    '/console/csv/access': { principal },
    '/console/csv/changes': { since: '2001-01-01T00:00:00Z' },
    '/console/csv/pushes': { source: dataSourceId },
    '/console/csv/query': { query: 'resources/resources-without-an-owner' },
    '/console/csv/why': { principal, resource },
    '/console/csv/members': { of: principal },
    '/console/csv/losses': { without: principal },
    '/console/picture/why': { principal, resource },
  };
  const query = asked[path.replace('/api/v1/', '')];
  return query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
};

const BODIES: Readonly<Record<string, object>> = {
  '/api/v1/query': { cypher: 'MATCH (n) RETURN n.key LIMIT 5' },
  '/api/v1/queries/:topic/:name': {},
};

const idIn = (path: string): string => {
  const { Users = '', Groups = '', principal = '', resource = '', dataSourceId = '' } = named;
  if (path.includes('/reviews')) return named.review ?? '';
  if (path.includes('/sources')) return dataSourceId;
  if (path.startsWith('/console')) return path.includes('/resources') ? resource : principal;
  return path.includes('/Users') ? Users : Groups;
};

const addressOf = (path: string): string => {
  const { principal = '' } = named;
  const known: Readonly<Record<string, string>> = {
    ...named,
    entityId: principal,
    scimId: idIn(path),
    id: idIn(path),
  };
  const filled = path
    .replace(/(^|[^\\]):(\w+)/g, (_all, before: string, name: string) => {
      const value = known[name];
      if (value === undefined) throw new Error(`this test has no ${name} for ${path}`);
      return `${before}${encodeURIComponent(value)}`;
    })
    .replaceAll('\\', '');
  return `${filled}${queryOf(path)}`;
};

const isWorking = async (): Promise<boolean> => {
  const rows = await ask(
    service.graph,
    "SHOW TRANSACTIONS YIELD currentQuery WHERE NOT currentQuery STARTS WITH 'SHOW' RETURN currentQuery",
  );
  return rows.length > 0;
};

test.each(questions())(
  '%s %s: when its client leaves, its work ends in Neo4j and in the service',
  async (method, path) => {
    const address = addressOf(path);
    const body = method === 'post' ? (BODIES[path] ?? {}) : undefined;
    const headers = {
      ...(path.startsWith('/console') ? { cookie } : { authorization: `Bearer ${API_KEY}` }),
      'content-type': 'application/json',
    };
    const answered = await supertest(service.app)[method as 'get'](address).set(headers).send(body);
    expect([answered.status, answered.status === 200 ? '' : answered.text]).toEqual([200, '']);

    const reached = proxy.hold();
    const asking = request({
      port: listening.port,
      path: address,
      method: method.toUpperCase(),
      headers,
    });
    asking.on('error', () => undefined);
    asking.end(body === undefined ? undefined : JSON.stringify(body));
    // What is answered although the connections of questions are held needs none of them.
    const answeredAtOnce = new Promise((resolve) => asking.once('response', resolve));
    await Promise.race([reached, answeredAtOnce]);
    asking.destroy();
    while (await isWorking());
    proxy.release();
    await service.running.settled();
  },
);

/** Counts the sessions that a graph has open: each holds at most one connection. */
const countSessions = (graph: Graph): { most: number; end: () => void } => {
  const { driver } = graph;
  const usual = driver.session.bind(driver);
  let open = 0;
  const counted = { most: 0, end: () => void (driver.session = usual) };
  driver.session = (options) => {
    const session = usual(options);
    const close = session.close.bind(session);
    open += 1;
    counted.most = Math.max(counted.most, open);
    session.close = () => {
      open -= 1;
      return close();
    };
    return session;
  };
  return counted;
};

/** The same pages with parameters by which they read more. */
const more = (): readonly string[] => {
  const { principal = '', resource = '', dataSourceId = '' } = named;
  const [who, what] = [principal, resource].map(encodeURIComponent);
  const last = `at=${encodeURIComponent(after)}`;
  return [
    '/console',
    ...['ann', 'who can read Handbook', 'ann can read Handbook', 'ann can read nothing'].map(
      (q) => `/console?q=${encodeURIComponent(q)}`,
    ),
    ...['', 'view=changes', 'application=none&permission=none', 'only=true', last].map(
      (query) => `/console/people/${who}?${query}`,
    ),
    ...['', 'contents=true', 'permission=none', last].map(
      (query) => `/console/resources/${what}?${query}`,
    ),
    ...['', 'view=changes', 'permission=none&application=none'].map(
      (query) => `/console/mine?${query}`,
    ),
    '/console/changes?since=2001-01-01',
    '/console/changes?since=2001-01-01&list=true',
    '/console/sources',
    `/console/sources/${dataSourceId}`,
    ...['', last, 'permission=none'].map((query) => `/console/mine/why?resource=${what}&${query}`),
    `/console/why?principal=${who}&resource=${what}&person=true`,
    `/console/why?principal=${who}&resource=${what}&person=true&${last}`,
  ];
};

test('no question holds more connections than the pools have for one', async () => {
  const pools = { asked: service.context.asked, graph: service.context.graph };
  const asked = [
    ...questions().map(([method, path]) => ({
      method,
      address: addressOf(path),
      body: BODIES[path],
    })),
    ...more().map((address) => ({ method: 'get', address, body: undefined })),
  ];
  const most = { asked: 0, graph: 0 };
  for (const { method, address, body } of asked) {
    const counts = { asked: countSessions(pools.asked), graph: countSessions(pools.graph) };
    const answer = await supertest(service.app)
      [method as 'get'](address)
      .set(address.startsWith('/console') ? { cookie } : { authorization: `Bearer ${API_KEY}` })
      .send(method === 'post' ? (body ?? {}) : undefined);
    expect([address, [200, 303, 404].includes(answer.status)]).toEqual([address, true]);
    counts.asked.end();
    counts.graph.end();
    most.asked = Math.max(most.asked, counts.asked.most);
    most.graph = Math.max(most.graph, counts.graph.most);
  }
  // How many meet depends on how fast each is.
  expect(most.asked).toBeGreaterThan(CONNECTIONS_OF_QUESTION / 2);
  expect(most.asked).toBeLessThanOrEqual(CONNECTIONS_OF_QUESTION);
  // The session is read and noted there, and pages of administrators read policies.
  expect(most.graph).toBeLessThanOrEqual(2);
  // Each question that the service lets run at once finds so many, and each query in Cypher one.
  expect(connectionsOfQuestions({ questionsAtOnce: 24, cypherAtOnce: 4 })).toBe(
    24 * CONNECTIONS_OF_QUESTION + 4,
  );
});
