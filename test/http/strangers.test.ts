/** @more sign-in */

import * as openIdClient from 'openid-client';
import supertest, { type Test } from 'supertest';

import { openIdClientOf, sessionsOf } from '../../src/features/sign-in/contract';
import { ask } from '../../src/neo4j/ask';
import { runTransaction } from '../../src/neo4j/transaction';
import { everyRoute } from '../support/idle-app';
import { LyingIssuer } from '../features/sign-in/issuer-under-test';
import { OWN_PAGE } from './browser-session';
import { listenLocally, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

const PUBLIC_URL = 'http://graph.example.org';
const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const;
const issuer = new LyingIssuer('grantgraph', 'a secret');

const settings = () => ({
  http: { publicUrl: PUBLIC_URL },
  issuer: { address: issuer.address, clientId: 'grantgraph', clientSecret: 'a secret' },
});

let service: ServiceUnderTest;
let server: Awaited<ReturnType<typeof listenLocally>>;
let code = '';
let usedCode = '';
let revokedKey = '';
let endedToken = '';

beforeAll(async () => {
  await issuer.start();
  service = await serviceUnderTest(
    { signIns: 1e9 },
    {
      replace: (context) => {
        openIdClientOf.replace(context, () => () => Promise.resolve(openIdClient));
      },
      settings: settings(),
    },
  );
  server = await listenLocally(service.app);
  await service.register();
  const made = async (): Promise<string> => {
    const answer = await service.post('/api/preview/sign-in-codes', '').expect(200);
    return (answer.body as { value: { code: string } }).value.code;
  };
  [code, usedCode] = [await made(), await made()];
  const sent = { ...OWN_PAGE, 'content-type': 'application/x-www-form-urlencoded' };
  await supertest(service.app).post('/sign-in/code').set(sent).send(`code=${usedCode}`).expect(303);
  const key = await service.post('/api/preview/teamkeys', { name: 'k', scopes: ['admin'] });
  const { id, access_key } = (key.body as { value: { id: string; access_key: string } }).value;
  await service.post(`/api/preview/teamkeys/${id}:revoke`, '').expect(200);
  revokedKey = access_key;
  const opened = await sessionsOf(service.context).open(
    { subject: 'issuer:x', name: 'Ann', role: 'administrator', person: null, address: null },
    new Map(),
    'r',
    [],
  )();
  if (opened._tag === 'Left') throw new Error(opened.left.message);
  endedToken = opened.right.token;
  await runTransaction(service.graph, { mode: 'write' }, (tx) =>
    tx.run('MATCH (session:PersonSession) DELETE session'),
  );
});
afterAll(async () => {
  await server.close();
  await service.close();
  await issuer.stop();
});

/** Everything that the graph holds. */
const dump = async (): Promise<string> =>
  JSON.stringify([
    await ask(
      service.graph,
      'MATCH (n) RETURN labels(n) AS labels, properties(n) AS properties ORDER BY elementId(n)',
    ),
    await ask(
      service.graph,
      'MATCH ()-[r]->() RETURN type(r) AS type, properties(r) AS properties ORDER BY elementId(r)',
    ),
  ]);

/** The path of a route, about something that is there as far as a stranger can know it. */
const pathOf = (path: string): string =>
  path
    .replaceAll(/(?<!\\):\w+/g, "x' OR 1=1")
    .replaceAll('\\:', ':')
    .replaceAll(' ', '%20');

type Change = (request: Test) => Test;

const X = 'x'.repeat(43);

/** What strangers send in addition: cookies, keys that ended, and bodies. */
const attacks = (): readonly (readonly [string, Change])[] => [
  ['nothing', (request) => request],
  ['an unknown key', (request) => request.set('authorization', `Bearer ggk_${X}`)],
  ['a revoked key', (request) => request.set('authorization', `Bearer ${revokedKey}`)],
  ['an unknown session', (request) => request.set('cookie', `grantgraph-session=${X}`)],
  ['an ended session', (request) => request.set('cookie', `grantgraph-session=${endedToken}`)],
  ['cookies without sense', (request) => request.set('cookie', `grantgraph-issuer-x=%00; =; a;;`)],
  ['JSON', (request) => request.set('content-type', 'application/json').send('{"name":"x"}')],
  [
    'a form of a foreign page',
    (request) => request.set('origin', 'https://evil.example').type('form').send({ code }),
  ],
  ['a form with a wrong key', (request) => request.set(OWN_PAGE).type('form').send({ key: X })],
  ['a used code', (request) => request.set(OWN_PAGE).type('form').send({ code: usedCode })],
  ['another code', (request) => request.set(OWN_PAGE).type('form').send({ code: X })],
];

test('nobody who has not signed in writes to the graph: every route, method, cookie and body', async () => {
  const before = await dump();
  let sent = 0;
  for (const { path, method: own } of everyRoute()) {
    for (const method of METHODS) {
      // With another method than its own, a path has no route: one try of each shows it.
      const tried = attacks().slice(0, method === own ? undefined : 1);
      const answers = await Promise.all(
        tried.map(async ([what, attack]) => {
          const request = supertest(`http://127.0.0.1:${server.port}`)[method](pathOf(path));
          const { status } = await attack(request);
          return [method, path, what, status] as const;
        }),
      );
      sent += answers.length;
      expect(answers.filter(([, , , status]) => status >= 500)).toEqual([]);
    }
  }
  service.reportRefusedSignIns();
  expect(sent).toBeGreaterThan(1_500);
  expect(await dump()).toBe(before);
  // What was refused is in the log.
  const line = service.logged.find(({ message }) => message === 'sign-ins were refused');
  expect(line).toMatchObject({ level: 'warn', count: expect.any(Number) as number });
});

test('sign-ins at the issuer that do not succeed write nothing either', async () => {
  const before = await dump();
  const begun = async (): Promise<{ state: string; cookie: string; back: string }> => {
    const answer = await supertest(service.app).get('/sign-in/issuer').expect(303);
    const { headers } = await fetch(answer.headers.location ?? '', { redirect: 'manual' });
    const { pathname, search, searchParams } = new URL(headers.get('location') ?? '');
    const [set = ''] = answer.headers['set-cookie'] as unknown as readonly string[];
    return {
      state: searchParams.get('state') ?? '',
      back: `${pathname}${search}`,
      cookie: set.replace(/;.*/, ''),
    };
  };
  const lies: readonly LyingIssuer['lies'][] = [
    { claims: { aud: 'another' } },
    { unsigned: true },
    { refusal: { status: 400, body: { error: 'invalid_client' } } },
    { refusal: { status: 200, body: {} } },
  ];
  for (const lie of lies) {
    const { back, cookie, state } = await begun();
    issuer.lies = lie;
    const statuses = [];
    for (const path of [back, `/sign-in/issuer/callback?code=x&state=${state}`]) {
      statuses.push((await supertest(service.app).get(path).set('cookie', cookie)).status);
    }
    expect(statuses.every((status) => status === 401 || status === 503)).toBe(true);
    issuer.lies = {};
  }
  expect(await dump()).toBe(before);
});
