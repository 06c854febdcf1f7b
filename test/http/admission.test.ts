/** @more bounds */

import { Agent, request } from 'node:http';

import { ask } from '../../src/neo4j/ask';
import { runTransaction } from '../../src/neo4j/transaction';
import { endpointTable } from '../../src/features/description/endpoint-table';
import type { Role } from '../../src/contract/team-key';
import { sessionsOf } from '../../src/features/sign-in/contract';
import { SESSION_COOKIE } from '../../src/web/admission/visitor';
import { isForKeys } from '../../src/web/routing/route';
import { OWN_PAGE } from './browser-session';
import { records } from '../../src/features';
import { savedQueries } from '../../src/kit/saved-queries';
import { nameOf } from '../../src/kit/saved-query';
import { idleRoutes } from '../support/idle-app';
import { sized } from '../support/test-size';
import {
  FLAGS,
  GONE,
  type KeyKind,
  type Outcome,
  RECORDS,
  savedQueryWays,
  spellingsOf,
  type Spelling,
  TABLE,
} from './admission-table';
import { listenLocally, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
let server: Awaited<ReturnType<typeof listenLocally>>;
const agent = new Agent({ keepAlive: true, maxSockets: 16 });

beforeAll(async () => {
  service = await serviceUnderTest({ signIns: 1e9, eventStreams: 1e6 });
  server = await listenLocally(service.app);
});
afterAll(async () => {
  agent.destroy();
  await server.close();
  await service.close();
});

const KEYS = '/api/preview/teamkeys';
const PROVIDERS = '/api/v1/providers/custom';

interface Key extends KeyKind {
  readonly authorization: string | null;
  readonly cookie?: string;
}

const created = async (body: object): Promise<{ id: string; authorization: string }> => {
  const answer = await service.post(KEYS, { name: 'k', ...body });
  expect(answer.status).toBe(200);
  const { id, access_key } = (answer.body as { value: { id: string; access_key: string } }).value;
  return { id, authorization: `Bearer ${access_key}` };
};

const SCOPES = [['read'], ['push'], ['push', 'read'], ['admin'], ['cypher'], ['admin', 'cypher']];

/** Every kind of key; the provider that limited ones are limited to is gone, so that nothing is there to be changed. */
const allKeys = async (
  own: string,
  other: string,
): Promise<readonly (readonly [string, Key])[]> => {
  const revoked = await created({ scopes: ['admin'] });
  await service.post(`${KEYS}/${revoked.id}:revoke`, '').expect(200);
  const expired = await created({ scopes: ['admin'] });
  await runTransaction(service.graph, { mode: 'write' }, (tx) =>
    tx.run(
      `MATCH (key:TeamKey {key: '${expired.id}'}) SET key.expires_at = datetime() - duration('PT1S')`,
    ),
  );
  const shut = { scopes: null, limit: null };
  const session = async (role: Role | null): Promise<[string, Key]> => {
    const subject = `person:${role}`;
    const opened = await sessionsOf(service.context).open(
      { subject, name: 'Ann', role, person: null, address: null },
      new Map(),
      'r',
      [],
    )();
    if (opened._tag === 'Left') throw new Error(opened.left.message);
    const cookie = `${SESSION_COOKIE}=${opened.right.token}`;
    return [`a session, ${role}`, { ...shut, authorization: null, cookie, session: role }];
  };
  const of = async (scopes: readonly string[], limit: KeyKind['limit']): Promise<[string, Key]> => {
    const providers = limit === null ? [] : [limit === 'own' ? own : other];
    const { authorization } = await created({ scopes, providers });
    return [`${scopes.join(' and ')}, ${limit ?? 'unlimited'}`, { scopes, limit, authorization }];
  };
  const open = [];
  for (const scopes of SCOPES) {
    for (const limit of [null, 'own', 'other'] as const) open.push(await of(scopes, limit));
  }
  return [
    ['no key', { ...shut, authorization: null }],
    ['a wrong key', { ...shut, authorization: 'Bearer wrong' }],
    ['an unknown team key', { ...shut, authorization: `Bearer ggk_${'x'.repeat(43)}` }],
    ['a revoked key', { ...shut, authorization: revoked.authorization }],
    ['an expired key', { ...shut, authorization: expired.authorization }],
    [
      'an unknown session',
      { ...shut, authorization: null, cookie: `${SESSION_COOKIE}=${'x'.repeat(43)}` },
    ],
    ...(await Promise.all(
      (['administrator', 'analyst', 'auditor', null] as const).map((role) => session(role)),
    )),
    ...open,
  ];
};

/** What becomes of a request, sent as it is spelled. */
const send = (
  { method, path, headers = {} }: Spelling,
  key: Key,
): Promise<Outcome | `status ${number}`> =>
  new Promise((resolve, reject) => {
    const authorization = key.authorization === null ? {} : { authorization: key.authorization };
    const cookie = key.cookie === undefined ? {} : { cookie: key.cookie };
    const sent = request(
      {
        host: '127.0.0.1',
        port: server.port,
        agent,
        method,
        path,
        headers: { ...OWN_PAGE, ...headers, ...authorization, ...cookie },
      },
      (answer) => {
        const status = answer.statusCode ?? 0;
        if (status === 303 && answer.headers.location?.startsWith('/sign-in')) {
          answer.resume();
          resolve('to the sign-in');
          return;
        }
        if (answer.headers['content-type']?.startsWith('text/event-stream')) answer.destroy();
        if (status !== 404 || method === 'HEAD') {
          answer.resume();
          const isRefused = status === 401 || status === 403 || status === 405;
          resolve(
            isRefused ? status : status < 500 && status !== 404 ? 'answered' : `status ${status}`,
          );
          return;
        }
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        answer.once('end', () => resolve(text.includes('no such path') ? 'no path' : 'answered'));
      },
    );
    sent.once('error', reject).end();
  });

test('the table has a row for each route', () => {
  const rows = [...endpointTable(idleRoutes()).matchAll(/^\| ([A-Z]+) \| `(.*?)`/gm)];
  expect(rows.length).toBe(TABLE.length);
});

test('a flag that needs a further scope is refused to every key without it', async () => {
  const [own, other] = [await service.register(), await service.register()];
  const read = await service.send('get', `${PROVIDERS}/${own.id}`);
  const { name } = (read.body as { value: { name: string } }).value;
  const flagged = idleRoutes().flatMap(({ method, path, access }) =>
    !isForKeys(access) || access.flagScopes === undefined
      ? []
      : [`${method.toUpperCase()} ${path} ${Object.values(access.flagScopes).join(' ')}`],
  );
  expect([
    ...new Set(FLAGS.map(([method, path, , scope]) => `${method} ${path} ${scope}`)),
  ]).toEqual(flagged);
  for (const [, key] of await allKeys(own.id, other.id)) {
    for (const [method, path, bodyOf] of FLAGS) {
      // The name is taken, so that nothing is made.
      const body = bodyOf(name);
      const { authorization, scopes, limit } = key;
      const sent = await fetch(`http://127.0.0.1:${server.port}${path}`, {
        method,
        body: JSON.stringify(body),
        headers: {
          'content-type': 'application/json',
          ...(authorization === null ? {} : { authorization }),
        },
      });
      const mayAdmin = scopes?.includes('admin') === true && limit === null;
      const expected = scopes === null ? 401 : mayAdmin ? 400 : 403;
      const about = { scopes, limit, body };
      expect({ ...about, status: sent.status }).toEqual({ ...about, status: expected });
    }
  }
});

test('every route × every key × every spelling is answered as the table says', async () => {
  const [own, other] = [await service.register(), await service.register()];
  const keys = await allKeys(own.id, other.id);
  for (const { id } of [own, other]) {
    await service.send('delete', `${PROVIDERS}/${id}`).expect(200);
  }
  // Each key sends each request as it should be. By day it sends an eighth of the other spellings,
  // so that each route and each spelling meets all kinds of keys in turn.
  const share = sized(8, 1);
  const cases = TABLE.flatMap((row, route) =>
    spellingsOf(row).flatMap((spelling, at) =>
      keys
        .filter((_, each) => at === 0 || (route + at + each) % share === 0)
        .map(([name, key]) => ({ row, spelling, name, key })),
    ),
  );
  const before = await service.counts();
  const wrong: unknown[] = [];
  const next = cases.values();
  const client = async (): Promise<void> => {
    for (const { row, spelling, name, key } of next) {
      // In upper case, what stands for the provider's id is part of the spelling.
      const path = spelling.path.replace(GONE, spelling.name === 'upper case' ? GONE : own.id);
      const outcome = await send({ ...spelling, path }, key);
      const expected = spelling.expected(key);
      // The answer to HEAD has no body that tells one 404 from the other.
      const isFit =
        outcome === expected ||
        (outcome === 'status 404' && expected === 'answered' && spelling.method === 'HEAD');
      if (!isFit)
        wrong.push({
          asked: `${row.method} ${row.path}`,
          as: spelling.name,
          name,
          outcome,
          expected,
        });
    }
  };
  await Promise.all(Array.from({ length: 16 }, client));
  expect(wrong.slice(0, 10)).toEqual([]);
  // An export writes its event, and the first stream makes what its ids are sealed with.
  const [row] = await ask(
    service.graph,
    "MATCH (e:Event {event_type: 'DATA_EXPORTED'}) RETURN count(e) AS exports",
  );
  // Keys that may read make codes, which are counted.
  const made = { EventOrder: undefined, SignInCode: undefined, SignInCount: undefined };
  expect({ ...(await service.counts()), ...made }).toEqual({
    ...before,
    ...made,
    Event: Number(before.Event) + Number(row?.exports),
  });
  process.stderr.write(
    `Admission: ${cases.length} requests (${TABLE.length} routes, ${keys.length} keys), all as the table says.\n`,
  );
});

test('every saved query × every key, by every way in, is answered as its roles say', async () => {
  const [own, other] = [await service.register(), await service.register()];
  const keys = await allKeys(own.id, other.id);
  const wrong: unknown[] = [];
  for (const saved of savedQueries()) {
    const ways = savedQueryWays(nameOf(saved), saved.roles);
    await Promise.all(
      keys.flatMap(([name, key]) =>
        ways.map(async (way) => {
          const [outcome, expected] = [await send(way, key), way.expected(key)];
          if (outcome !== expected) wrong.push({ query: nameOf(saved), way, name, outcome });
        }),
      ),
    );
  }
  expect(wrong).toEqual([]);
});

test('a saved query declares only roles whose routes show all records that it reads', () => {
  const labels = new Set(records.map(({ label }) => label));
  const read = savedQueries().map((saved) => {
    const named = saved.cypher.match(/:[A-Z]\w+(?:\|[A-Z]\w+)*/g) ?? [];
    const found = named.flatMap((each) => each.slice(1).split('|'));
    return { saved, found: found.filter((label) => labels.has(label)) };
  });
  for (const { saved, found } of read) {
    for (const label of found) {
      const shown: readonly string[] = RECORDS[label] ?? ['administrator'];
      expect({
        query: nameOf(saved),
        label,
        unseen: saved.roles.filter((role) => !shown.includes(role)),
      }).toEqual({
        query: nameOf(saved),
        label,
        unseen: [],
      });
    }
  }
  // The tables of policies are among them.
  expect(read.some(({ found }) => found.includes('LifecycleAction'))).toBe(true);
});
