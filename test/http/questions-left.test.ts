import type { RequestHandler } from 'express';
import { request } from 'node:http';

import supertest from 'supertest';

import { ask } from '../../src/neo4j/ask';
import { sessionsOf } from '../../src/features/sign-in/contract';
import { SESSION_COOKIE } from '../../src/web/admission/visitor';
import type { Handle } from '../../src/web/exchange/handle';
import { idleRoutes } from '../support/idle-app';
import { testNeo4j } from '../support/neo4j';
import { type BreakableProxy, breakableProxy } from './breakable-proxy';
import { pushCompany } from './company';
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

const firstKey = async (label: string): Promise<string> => {
  const [row] = await ask(service.graph, `MATCH (n:${label}) RETURN n.key AS key LIMIT 1`);
  return String(row?.key);
};

beforeAll(async () => {
  proxy = await breakableProxy(testNeo4j().uri);
  service = await serviceUnderTest({}, { askedUri: `bolt://127.0.0.1:${proxy.port}` });
  listening = await listenLocally(service.app);
  const [directory] = await pushCompany(service);
  const scim = `/scim/v2/${directory?.data_source_id ?? ''}`;
  const idOf = async (endpoint: string): Promise<string> => {
    const first = await service.send('get', `${scim}/${endpoint}?count=1`);
    return (first.body as { Resources: readonly { readonly id: string }[] }).Resources[0]?.id ?? '';
  };
  // Some pages are for administrators.
  const reader = await sessionsOf(service.context).open(
    {
      ...{ subject: 'person:reader', name: 'Reader', role: 'administrator', address: null },
      person: await firstKey('IdpUser'),
    },
    new Map(),
    'r',
    [],
  )();
  if (reader._tag === 'Left') throw new Error(reader.left.message);
  cookie = `${SESSION_COOKIE}=${reader.right.token}`;
  named = {
    ...{ providerId: directory?.id ?? '', dataSourceId: directory?.data_source_id ?? '' },
    ...{ principal: await firstKey('IdpUser'), resource: await firstKey('Resource') },
    ...{ Users: await idOf('Users'), Groups: await idOf('Groups') },
    ...{ topic: 'resources', name: 'resources-without-an-owner' },
  };
}, 180_000);
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
    '/console/why': { principal, resource },
    '/console/mine/why': { resource },
    '/console/ask': { query: 'resources/resources-without-an-owner' },
    '/console/csv/access': { principal },
    '/console/csv/changes': { since: '2001-01-01T00:00:00Z' },
    '/console/csv/pushes': { source: dataSourceId },
    '/console/csv/query': { query: 'resources/resources-without-an-owner' },
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
  if (path.includes('/sources')) return dataSourceId;
  if (path.startsWith('/console')) return path.includes('/resources') ? resource : principal;
  return path.includes('/Users') ? Users : Groups;
};

const addressOf = (path: string): string => {
  const { principal = '' } = named;
  const known: Readonly<Record<string, string>> = {
    ...{ ...named, entityId: principal },
    ...{ scimId: idIn(path), id: idIn(path) },
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
      ...{ port: listening.port, path: address, method: method.toUpperCase() },
      headers,
    });
    asking.on('error', () => undefined);
    asking.end(body === undefined ? undefined : JSON.stringify(body));
    await reached;
    asking.destroy();
    while (await isWorking());
    proxy.release();
    await service.running.settled();
  },
);
