import { hostname } from 'node:os';

import supertest from 'supertest';

import { sessionsOf, signInClockOf } from '../../src/features/sign-in/contract';
import { features } from '../../src/features';
import { ask } from '../../src/neo4j/ask';
import { runTransaction } from '../../src/neo4j/transaction';
import { createApp } from '../../src/start/app';
import { Browser, OWN_PAGE } from './browser-session';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

const KEYS = '/api/preview/teamkeys';
const SESSIONS = '/api/preview/sessions';
const CODES = '/api/preview/sign-in-codes';
const COOKIE = 'grantgraph-session';
const MINUTE = 60_000;

let service: ServiceUnderTest;
let other: ServiceUnderTest;
let now = Date.now();

beforeAll(async () => {
  const replace = (context: ServiceUnderTest['context']): void =>
    signInClockOf.replace(context, () => () => now);
  service = await serviceUnderTest({}, { replace });
  // A second process on the same graph.
  other = await serviceUnderTest({}, { replace, keep: true });
});
afterAll(async () => {
  await other.close();
  await service.close();
});

const browser = (app = service.app): Browser => new Browser(app);

const signedIn = async (key = API_KEY): Promise<Browser> => {
  const one = browser();
  expect((await one.signIn(key)).status).toBe(303);
  return one;
};

const keyWith = async (body: object): Promise<{ readonly id: string; readonly key: string }> => {
  const made = await service.post(KEYS, { name: 'a key', ...body }).expect(200);
  const { id, access_key } = (made.body as { value: { id: string; access_key: string } }).value;
  return { id, key: access_key };
};

const newestEvents = async (most: number): Promise<readonly unknown[]> => {
  const answer = await service.send('get', '/api/v1/events?page_size=100');
  return (answer.body as { values: readonly { event_type: string }[] }).values
    .map(({ event_type }) => event_type)
    .filter((type) => /^(PERSON_|SESSION_|SIGN_IN_)/.test(type))
    .slice(0, most);
};

const statusOf = async (one: Browser): Promise<number> => (await one.get('/session')).status;

describe('signing in with a key', () => {
  test('opens a session, whose cookie no script can read and no other site can send', async () => {
    const one = browser();
    const answer = await one.signIn(API_KEY);
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe('/console');
    expect(answer.headers['cache-control']).toBe('no-store');
    const [cookie = ''] = answer.headers['set-cookie'] as unknown as readonly string[];
    expect(cookie).toMatch(/^grantgraph-session=[\w-]{43}; Max-Age=43200; Path=\/;/);
    expect(cookie).toMatch(/HttpOnly; SameSite=Lax$/);
    const page = await one.get('/session');
    expect(page.status).toBe(200);
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.text).toContain('signed in as API_KEY, as administrator');
    expect(await newestEvents(1)).toEqual(['PERSON_SIGNED_IN']);
  });

  test('the graph holds no token', async () => {
    const one = await signedIn();
    const token = one.cookies.get(COOKIE) ?? '';
    const rows = await ask(
      service.graph,
      'MATCH (n) WHERE n:PersonSession OR n:SignInCode OR n:Event RETURN properties(n) AS n',
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(service.logged)).not.toContain(token);
  });

  test.each([
    [{ scopes: ['admin'] }, 303, 'as administrator'],
    [{ scopes: ['read'] }, 303, 'as auditor'],
    [{ scopes: ['push', 'read'] }, 303, 'as auditor'],
    [{ scopes: ['push'] }, 403, 'does not have the scope'],
  ])('%j is answered %i', async (body, status, words) => {
    const { key } = await keyWith(body);
    const one = browser();
    const answer = await one.signIn(key);
    expect(answer.status).toBe(status);
    expect(status === 303 ? (await one.get('/session')).text : answer.text).toContain(words);
    expect(one.cookies.size).toBe(status === 303 ? 1 : 0);
  });

  test('a key that is limited to providers signs nobody in', async () => {
    const { id } = await service.register();
    for (const scope of ['read', 'admin']) {
      const { key } = await keyWith({ scopes: [scope], providers: [id] });
      const answer = await browser().signIn(key);
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('limited to providers');
    }
  });

  test('a wrong key is refused, and the page appears again', async () => {
    for (const key of ['wrong', `ggk_${'x'.repeat(43)}`, '']) {
      const answer = await browser().signIn(key, { to: '/x?y=1' });
      expect(answer.status).toBe(401);
      expect(answer.text).toContain('The key is not known.');
      expect(answer.text).toContain('name="to" value="/x?y=1"');
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  test('wrong keys are limited as those of programs are', async () => {
    const few = await serviceUnderTest({ signIns: 2 }, { keep: true });
    try {
      const statuses = [];
      for (let at = 0; at < 4; at += 1) {
        statuses.push((await browser(few.app).signIn('wrong')).status);
      }
      expect(statuses).toEqual([401, 401, 429, 429]);
      const stranger = browser(few.app);
      stranger.cookies.set(COOKIE, 'x'.repeat(43));
      // Each way in has a count of its own.
      const sessions = [];
      const codes = [];
      for (let at = 0; at < 3; at += 1) {
        sessions.push(await statusOf(stranger));
        codes.push((await browser(few.app).post('/sign-in/code', { code: 'x' })).status);
      }
      expect([sessions, codes]).toEqual([
        [303, 303, 429],
        [401, 401, 429],
      ]);
    } finally {
      await few.close();
    }
  });

  test.each([
    ['//evil.example', '/console'],
    ['https://evil.example/', '/console'],
    ['/\\evil.example', '/console'],
    ['/\t/evil.example', '/console'],
    ['/.//evil.example', '/console'],
    ['javascript:alert(1)', '/console'],
    ['session', '/console'],
    ['', '/console'],
    ['/people/ann?at=2026-01-01&x=%2F%2Fevil', '/people/ann?at=2026-01-01&x=%2F%2Fevil'],
    ['/a%2F%2Fb', '/a%2F%2Fb'],
    [`/${'%C3'.repeat(600)}`, `/${'%C3'.repeat(600)}`],
    [`/${'%C3'.repeat(3000)}`, '/console'],
  ])('leads from %j to %j alone', async (to, location) => {
    expect((await browser().signIn(API_KEY, { to })).headers.location).toBe(location);
    const page = await browser().get(`/sign-in?to=${encodeURIComponent(to)}`);
    expect(/name="to" value="([^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&')).toBe(
      location,
    );
  });

  test('text of the address is shown as text', async () => {
    const page = await browser().get(`/sign-in/code?code=${encodeURIComponent('"><script>x')}`);
    expect(page.text).toContain('value="&quot;&gt;&lt;script&gt;x"');
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'/);
  });
});

describe('a session', () => {
  test('admits to no route for keys, and a key admits to no page', async () => {
    const one = await signedIn();
    expect((await one.get('/api/v1/entities')).status).toBe(401);
    expect((await one.get(KEYS)).status).toBe(401);
    const answer = await browser().get('/session', { authorization: `Bearer ${API_KEY}` });
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe('/sign-in?to=%2Fsession');
  });

  // The answer had a header that is longer than clients accept.
  test('that is missing leads to the sign-in with an address of any length', async () => {
    const path = (percents: number): string => `/session?x=${'%22'.repeat(percents)}`;
    const long = await browser().get(path(5_000));
    expect([long.status, long.headers.location]).toEqual([303, '/sign-in']);
    const short = await browser().get(path(600));
    expect(short.headers.location).toBe(`/sign-in?to=${encodeURIComponent(path(600))}`);
  });

  test.each([
    ['no cookie', ''],
    ['an empty one', `${COOKIE}=`],
    ['an unknown one', `${COOKIE}=${'x'.repeat(43)}`],
    ['no token', `${COOKIE}=' OR 1=1`],
    ['a long one', `${COOKIE}=${'x'.repeat(4000)}`],
  ])('%s leads to the sign-in', async (_name, cookie) => {
    const answer = await browser().get('/session', cookie === '' ? {} : { cookie });
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe('/sign-in?to=%2Fsession');
    expect((await browser().post('/sign-out', {}, { ...OWN_PAGE, cookie })).status).toBe(401);
  });

  describe('two cookies of one name', () => {
    const cookieOf = (tokens: readonly (string | undefined)[]): string =>
      tokens.map((token) => `${COOKIE}=${token}`).join('; ');
    const tokenOf = (one: Browser): string => one.cookies.get(COOKIE) ?? '';
    const stale = 'x'.repeat(43);

    // A page at another path of the host signed everybody out.
    test('of which one is a session sign nobody out, whatever their order', async () => {
      const token = tokenOf(await signedIn());
      for (const tokens of [
        [token, stale],
        [stale, token],
        ['', token],
        [token, token],
      ]) {
        const answer = await browser().get('/session', { cookie: cookieOf(tokens) });
        expect([tokens, answer.status]).toEqual([tokens, 200]);
        expect(answer.headers['set-cookie']).toBeUndefined();
      }
    });

    test('of which one is a session send forms', async () => {
      const cookie = cookieOf([stale, tokenOf(await signedIn())]);
      const { text } = await browser().get('/session', { cookie });
      const [, form_token = ''] = /name="form_token" value="([^"]*)"/.exec(text) ?? [];
      const { status } = await browser().post('/sign-out', { form_token }, { ...OWN_PAGE, cookie });
      expect(status).toBe(303);
    });

    test('of two people are not used, since another page may have set one, and stay', async () => {
      const { key } = await keyWith({ scopes: ['read'] });
      const tokens = [tokenOf(await signedIn()), tokenOf(await signedIn(key))];
      const cookie = cookieOf(tokens);
      const answer = await browser().get('/session', { cookie });
      expect([answer.status, answer.headers['set-cookie']]).toEqual([303, undefined]);
      // The next sign-in ends both, so what the other page has set means nobody.
      const again = browser();
      expect((await again.post('/sign-in', { key: API_KEY }, { ...OWN_PAGE, cookie })).status).toBe(
        303,
      );
      const both = cookieOf([...tokens, tokenOf(again)]);
      expect((await browser().get('/session', { cookie: both })).status).toBe(200);
      expect((await browser().get('/session', { cookie })).status).toBe(303);
    });
  });

  test('a wrong cookie is reported', async () => {
    service.reportRefusedSignIns();
    await browser().get('/session', { cookie: `${COOKIE}=${'x'.repeat(43)}` });
    service.reportRefusedSignIns();
    expect(service.newestLine()).toMatchObject({ message: 'sign-ins were refused', count: 1 });
  });

  test('is another one after each sign-in, and the one before has ended', async () => {
    const one = browser();
    one.cookies.set(COOKIE, 'f'.repeat(43));
    await one.signIn(API_KEY);
    const first = one.cookies.get(COOKIE) ?? '';
    expect(first).not.toBe('f'.repeat(43));
    await one.signIn(API_KEY);
    expect(one.cookies.get(COOKIE)).not.toBe(first);
    expect((await browser().get('/session', { cookie: `${COOKIE}=${first}` })).status).toBe(303);
  });

  test('ends by sign-out, for all processes', async () => {
    const one = await signedIn();
    const elsewhere = browser(other.app);
    elsewhere.cookies.set(COOKIE, one.cookies.get(COOKIE) ?? '');
    expect(await statusOf(elsewhere)).toBe(200);
    const out = await one.post('/sign-out', { form_token: await one.formToken() });
    expect([out.status, out.headers.location]).toEqual([303, '/sign-in']);
    expect(out.headers['clear-site-data']).toBe('"cache"');
    expect(one.cookies.size).toBe(0);
    expect(await statusOf(elsewhere)).toBe(303);
    expect(await newestEvents(1)).toEqual(['PERSON_SIGNED_OUT']);
  });

  test('ends when an administrator ends it', async () => {
    now += 61 * MINUTE;
    const one = await signedIn();
    const listed = await service.send('get', SESSIONS);
    const { values } = listed.body as { values: readonly { id: string; name: string }[] };
    const session = values.find(({ name }) => name === 'API_KEY');
    expect(session).toMatchObject({
      role: 'administrator',
      key_id: null,
      subject: expect.anything() as string,
    });
    await service.send('delete', `${SESSIONS}/${session?.id}`).expect(200);
    expect(await newestEvents(1)).toEqual(['SESSION_ENDED']);
    expect(await statusOf(one)).toBe(303);
    await service.send('delete', `${SESSIONS}/${session?.id}`).expect(404);
  });

  test('that several requests end at once is ended and reported once', async () => {
    await signedIn();
    const listed = await service.send('get', SESSIONS);
    const [session] = (listed.body as { values: readonly { id: string }[] }).values;
    const count = async (): Promise<number> => {
      const rows = await ask(
        service.graph,
        "MATCH (e:Event {event_type: 'SESSION_ENDED'}) RETURN count(e) AS number",
      );
      return Number(rows[0]?.number);
    };
    const before = await count();
    const answers = await Promise.all(
      [service, other, service, other, service, other].map((one) =>
        one.send('delete', `${SESSIONS}/${session?.id}`),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
    expect((await count()) - before).toBe(1);
  });

  test('ends when nobody has used it for an hour, and not before', async () => {
    const one = await signedIn();
    for (let used = 0; used < 3; used += 1) {
      now += 59 * MINUTE;
      expect(await statusOf(one)).toBe(200);
    }
    now += 61 * MINUTE;
    expect(await statusOf(one)).toBe(303);
  });

  test('ends twelve hours after the sign-in, however much it is used', async () => {
    const one = await signedIn();
    for (let used = 0; used < 14; used += 1) {
      now += 50 * MINUTE;
      expect(await statusOf(one)).toBe(200);
    }
    now += 21 * MINUTE;
    expect(await statusOf(one)).toBe(303);
  });

  // Sessions of an expired key were listed, though they let nobody in.
  test('is listed as long as it lets somebody in, and no longer', async () => {
    const listed = async (): Promise<number> => {
      const answer = await service.send('get', `${SESSIONS}?page_size=100`).expect(200);
      const { values } = answer.body as { values: readonly { name: string }[] };
      return values.filter(({ name }) => name === 'Short').length;
    };
    const expires_at = new Date(now + 60 * MINUTE).toISOString();
    const { key } = await keyWith({ name: 'Short', scopes: ['read'], expires_at });
    const one = await signedIn(key);
    now += 50 * MINUTE;
    expect([await statusOf(one), await listed()]).toEqual([200, 1]);
    now += 20 * MINUTE;
    expect([await statusOf(one), await listed()]).toEqual([303, 0]);
  });

  test('ends once a directory makes its person inactive, or has them no longer', async () => {
    const inGraph = (statement: string) =>
      runTransaction(service.graph, { mode: 'write' }, (tx) => tx.run(statement));
    await inGraph("CREATE (:Entity:IdpUser {key: 'ann'})");
    const newcomer = { subject: 'person:ann', name: 'Ann', person: 'ann', address: null };
    const opened = await sessionsOf(service.context).open(
      { ...newcomer, role: 'auditor' },
      new Map(),
      'r',
      [],
    )();
    if (opened._tag === 'Left') throw new Error(opened.left.message);
    const one = browser();
    one.cookies.set(COOKIE, opened.right.token);
    expect(await statusOf(one)).toBe(200);
    await inGraph("MATCH (n:IdpUser {key: 'ann'}) SET n.is_active = false");
    expect(await statusOf(one)).toBe(303);
    await inGraph("MATCH (n:IdpUser {key: 'ann'}) SET n.is_active = true");
    expect(await statusOf(one)).toBe(200);
    await inGraph("MATCH (n:IdpUser {key: 'ann'}) DELETE n");
    expect(await statusOf(one)).toBe(303);
  });

  test('ended ones are removed', async () => {
    await signedIn();
    now += 24 * 60 * MINUTE;
    await sessionsOf(service.context).removeEnded()();
    expect(await ask(service.graph, 'MATCH (s:PersonSession) RETURN s.key')).toEqual([]);
  });

  test('follows what its key may, as long as nothing is taken from the key', async () => {
    const { id, key } = await keyWith({ scopes: ['read'] });
    const one = await signedIn(key);
    await service.send('patch', `${KEYS}/${id}`, { scopes: ['admin'] }).expect(200);
    expect((await one.get('/session')).text).toContain('as administrator');
    await service.send('patch', `${KEYS}/${id}`, { name: 'Renamed' }).expect(200);
    expect((await one.get('/session')).text).toContain('signed in as Renamed');
  });

  describe('and the codes of its key end for good', () => {
    const patch = (id: string, change: object) =>
      service.send('patch', `${KEYS}/${id}`, change).expect(200);
    const verb = (id: string, name: string) =>
      service.post(`${KEYS}/${id}:${name}`, '').expect(200);
    const inAnHour = (): string => new Date(now + 60 * MINUTE).toISOString();
    const write = (id: string, change: string) =>
      runTransaction(service.graph, { mode: 'write' }, (tx) =>
        tx.run(`MATCH (key:TeamKey {key: $id}) SET ${change}`, { id }),
      );

    // The old cookie of a key worked again once somebody reinstated the key.
    test.each<[string, (id: string) => PromiseLike<unknown>, (id: string) => PromiseLike<unknown>]>(
      [
        ['is revoked', (id) => verb(id, 'revoke'), (id) => verb(id, 'reinstate')],
        [
          'expires',
          (id) => write(id, "key.expires_at = datetime() - duration('PT1S')"),
          (id) => patch(id, { expires_at: inAnHour() }),
        ],
        [
          'loses a scope',
          (id) => patch(id, { scopes: ['push'] }),
          (id) => patch(id, { scopes: ['admin'] }),
        ],
        [
          'may do less',
          (id) => patch(id, { scopes: ['read'] }),
          (id) => patch(id, { scopes: ['admin'] }),
        ],
        [
          'is limited to a provider',
          async (id) => patch(id, { providers: [(await service.register()).id] }),
          (id) => write(id, 'key.providers = []'),
        ],
        ['is deleted', (id) => service.send('delete', `${KEYS}/${id}`).expect(200), async () => {}],
      ],
    )('when it %s, whatever is reinstated', async (_what, end, reinstate) => {
      const { id, key } = await keyWith({ scopes: ['admin'], expires_at: inAnHour() });
      const made = await supertest(service.app)
        .post(CODES)
        .set('authorization', `Bearer ${key}`)
        .expect(200);
      const { code } = (made.body as { value: { code: string } }).value;
      const one = await signedIn(key);
      expect(await statusOf(one)).toBe(200);
      await end(id);
      await reinstate(id);
      expect(await statusOf(one)).toBe(303);
      expect((await browser().post('/sign-in/code', { code })).status).toBe(401);
    });

    test('also of those who sign in at the same time, on every process', async () => {
      const { id, key } = await keyWith({ scopes: ['read'] });
      for (let round = 0; round < 3; round += 1) {
        const browsers = [service, other, service, other].map(({ app }) => browser(app));
        await Promise.all([...browsers.map((one) => one.signIn(key)), verb(id, 'revoke')]);
        await verb(id, 'reinstate');
        expect(await Promise.all(browsers.map(statusOf))).toEqual([303, 303, 303, 303]);
      }
    });

    test('when the key of a setting is another one, even if it is put back', async () => {
      const one = await signedIn();
      const made = await service.post(CODES, '').expect(200);
      const { code } = (made.body as { value: { code: string } }).value;
      const sessions = sessionsOf(service.context);
      await sessions.endChanged(new Map([['API_KEY', API_KEY]]))();
      expect(await statusOf(one)).toBe(200);
      await sessions.endChanged(new Map([['API_KEY', 'another-key-of-the-service']]))();
      expect(await statusOf(one)).toBe(303);
      expect((await browser().post('/sign-in/code', { code })).status).toBe(401);
    });
  });

  // 60 sign-ins at once left 41 sessions.
  test('one person has at most twenty, however many sign in at once on several processes', async () => {
    const { id, key } = await keyWith({ scopes: ['read'] });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        browser((at % 2 === 0 ? service : other).app).signIn(key),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    const rows = await ask(
      service.graph,
      `MATCH (s:PersonSession {key_id: '${id}'}) RETURN count(s) AS number`,
    );
    expect(Number(rows[0]?.number)).toBe(20);
  });

  test('and a code is stored only so often within an hour, of each key', async () => {
    const few = await serviceUnderTest(
      {},
      {
        keep: true,
        settings: { sessions: { signInsOfPerson: 3, codesOfKey: 3 } },
        replace: (context) => signInClockOf.replace(context, () => () => now),
      },
    );
    try {
      const { key } = await keyWith({ scopes: ['read'] });
      const code = (by = key) =>
        supertest(few.app).post(CODES).set('authorization', `Bearer ${by}`);
      const statuses = async () => ({
        codes: await Promise.all([1, 2, 3, 4].map(async () => (await code()).status)),
        signIns: await Promise.all(
          [1, 2, 3, 4].map(async () => (await browser(few.app).signIn(key)).status),
        ),
      });
      const stored = async (): Promise<unknown> =>
        ask(
          service.graph,
          'MATCH (n) WHERE n:PersonSession OR n:SignInCode OR n:Event RETURN count(n) AS number',
        );
      const first = await statuses();
      expect(first.codes.toSorted()).toEqual([200, 200, 200, 429]);
      expect(first.signIns.toSorted()).toEqual([303, 303, 303, 429]);
      const before = await stored();
      const late = await code();
      expect([late.status, Number(late.headers['retry-after'])]).toEqual([
        429,
        expect.any(Number) as number,
      ]);
      expect(await stored()).toEqual(before);
      expect((await code((await keyWith({ scopes: ['read'] })).key)).status).toBe(200);
      now += 61 * MINUTE;
      expect((await code()).status).toBe(200);
    } finally {
      await few.close();
    }
  });

  test('one person has at most twenty; the oldest ends', async () => {
    const { key } = await keyWith({ scopes: ['read'] });
    const all: Browser[] = [];
    for (let at = 0; at < 21; at += 1) {
      now += 1000;
      all.push(await signedIn(key));
    }
    expect(await Promise.all(all.slice(0, 2).map(statusOf))).toEqual([303, 200]);
  });
});

describe('a form', () => {
  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['a page of the same site', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['another origin in spite of its word', { ...OWN_PAGE, origin: 'https://evil.example' }],
    ['no origin that a browser names', { origin: 'null' }],
    // A name that others own can lead here, and then their page has our address (DNS rebinding).
    ['a name of others', { ...OWN_PAGE, host: 'evil.example' }],
    ['a name of others, with its origin', { host: 'evil.example', origin: 'http://evil.example' }],
    ['another scheme', { host: 'localhost:8080', origin: 'https://localhost:8080' }],
    ['another port', { host: 'localhost:8080', origin: 'http://localhost:8081' }],
    ['a user', { host: 'localhost:8080', origin: 'http://a@localhost:8080' }],
    ['a user in both', { host: 'a@localhost:8080', origin: 'http://a@localhost:8080' }],
    ['a path', { host: 'localhost:8080', origin: 'http://localhost:8080/' }],
    ['a program that says nothing of it', {}],
  ])('of %s is refused', async (_name, headers) => {
    const one = await signedIn();
    const form_token = await one.formToken();
    expect((await one.post('/sign-out', { form_token }, headers)).status).toBe(403);
    expect(await statusOf(one)).toBe(200);
    expect((await browser().post('/sign-in', { key: API_KEY }, headers)).status).toBe(403);
  });

  test.each([
    'localhost',
    'localhost:8080',
    'graph.localhost:8080',
    '127.0.0.1',
    '10.1.2.3',
    '[::1]:8080',
    hostname().toLowerCase(),
  ])('of a page at %s is accepted', async (host) => {
    const headers = { host, origin: `http://${host}` };
    const { key } = await keyWith({ scopes: ['read'] });
    const { status } = await browser().post('/sign-in', { key }, headers);
    expect(status).toBe(303);
  });

  test('of a name that nobody has set is refused, and the page says what to set', async () => {
    const headers = { ...OWN_PAGE, host: 'graph.example' };
    const { status, text } = await browser().post('/sign-in', { key: API_KEY }, headers);
    expect([status, text]).toEqual([403, expect.stringContaining('Set PUBLIC_URL')]);
    expect(text).not.toContain('graph.example');
  });

  test.each([
    ['https://graph.example', 303],
    ['http://graph.example', 403],
    ['https://graph.example:8443', 403],
    ['https://a@graph.example', 403],
    ['http://localhost', 403],
  ])('with PUBLIC_URL only that origin counts: %s is answered %i', async (origin, status) => {
    const settings = { http: { publicUrl: 'https://graph.example/graph' } };
    const named = await serviceUnderTest({}, { keep: true, settings });
    try {
      // A proxy speaks https, and sends a Host of its own.
      const headers = { host: 'inside:8080', origin };
      const { key } = await keyWith({ scopes: ['read'] });
      const answer = await browser(named.app).post('/sign-in', { key }, headers);
      expect(answer.status).toBe(status);
    } finally {
      await named.close();
    }
  });

  test('without the token of its session is refused', async () => {
    const [one, two] = [await signedIn(), await signedIn()];
    const foreign = await two.formToken();
    for (const fields of [{}, { form_token: '' }, { form_token: foreign }]) {
      const answer = await one.post('/sign-out', fields);
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('another session');
    }
    expect(await statusOf(one)).toBe(200);
  });

  test.each([0, 1])(
    'has a token that looks different on each page; token %i counts',
    async (at) => {
      const one = await signedIn();
      const tokens = [await one.formToken('/console?q=x'), await one.formToken('/console?q=x')];
      const [first = '', second = ''] = tokens;
      expect(first).toMatch(/^[\w-]{86}$/);
      expect(first).not.toBe(second);
      // The pad of one does not fit the other.
      const forged = [
        `${first.slice(0, 40)}${second.slice(40)}`,
        first.slice(0, 43),
        first.slice(43),
        `${first}AAAA`,
        'A'.repeat(86),
      ];
      for (const form_token of forged) {
        expect((await one.post('/sign-out', { form_token })).status).toBe(403);
      }
      const form_token = tokens[at] ?? '';
      expect((await one.post('/sign-out', { form_token })).status).toBe(303);
    },
  );

  test('that is JSON, huge or of very many fields is refused', async () => {
    const one = await signedIn();
    const sent = async (type: string, body: string): Promise<number> =>
      (
        await supertest(service.app)
          .post('/sign-out')
          .set({
            ...OWN_PAGE,
            cookie: `${COOKIE}=${one.cookies.get(COOKIE)}`,
            'content-type': type,
          })
          .send(body)
      ).status;
    expect(await sent('text/plain', 'form_token=x')).toBe(400);
    expect(await sent('application/json', '{}')).toBe(400);
    const form = 'application/x-www-form-urlencoded';
    expect(await sent(form, `a=${'x'.repeat(65 * 1024)}`)).toBe(413);
    expect(await sent(form, 'a=1&'.repeat(600))).toBe(400);
  });
});

describe('a one-time code', () => {
  const made = async (key?: string): Promise<{ code: string; url: string }> => {
    const answer =
      key === undefined
        ? await service.post(CODES, '').expect(200)
        : await supertest(service.app)
            .post(CODES)
            .set('authorization', `Bearer ${key}`)
            .expect(200);
    return (answer.body as { value: { code: string; url: string } }).value;
  };

  test('signs a browser in as its key, once; its link alone uses nothing', async () => {
    const { code, url } = await made();
    expect(url).toBe(`/sign-in/code?code=${code}`);
    const one = browser();
    expect((await one.get(url)).text).toContain(`value="${code}"`);
    await one.get(url);
    expect((await one.post('/sign-in/code', { code })).status).toBe(303);
    expect((await one.get('/session')).text).toContain('as administrator');
    const two = browser(other.app);
    const again = await two.post('/sign-in/code', { code });
    expect(again.status).toBe(401);
    expect(again.text).toContain('used already');
    expect(two.cookies.size).toBe(0);
    expect(other.newestLine()?.message).toBe('a one-time code came a second time');
    // A second click, and Back, lead on.
    expect((await one.post('/sign-in/code', { code })).headers.location).toBe('/console');
  });

  test('of two who use it at once, one succeeds', async () => {
    const { code } = await made();
    const answers = await Promise.all(
      [service, other, service, other].map(({ app }) =>
        browser(app).post('/sign-in/code', { code }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 401, 401, 401]);
  });

  test('works for ten minutes', async () => {
    const [first, second] = [await made(), await made()];
    now += 9 * MINUTE;
    expect((await browser().post('/sign-in/code', { code: first.code })).status).toBe(303);
    now += 2 * MINUTE;
    const late = await browser().post('/sign-in/code', { code: second.code });
    expect([late.status, late.text]).toEqual([401, expect.stringContaining('has expired')]);
    expect(service.newestLine()?.message).toContain('a one-time code came that has expired');
  });

  test('ends with its key, and one of a limited key is never made', async () => {
    const { id, key } = await keyWith({ scopes: ['read'] });
    const { code } = await made(key);
    await service.post(`${KEYS}/${id}:revoke`, '').expect(200);
    expect((await browser().post('/sign-in/code', { code })).status).toBe(401);
  });

  test('of a key of the settings ends with that key', async () => {
    const { code } = await made();
    const rotated = createApp({
      features,
      context: service.context,
      running: service.running,
      apiKey: 'another-key-of-the-service',
      checkReady: () => () => Promise.resolve({ _tag: 'Right', right: 1 }),
    });
    expect((await browser(rotated).post('/sign-in/code', { code })).status).toBe(401);
  });

  test('that nobody made is refused', async () => {
    for (const code of ['', 'x', 'x'.repeat(43)]) {
      const answer = await browser().post('/sign-in/code', { code });
      expect([answer.status, answer.text]).toEqual([401, expect.stringContaining('not known')]);
    }
  });
});
