/** @more sign-in */

import * as openIdClient from 'openid-client';

import { openIdClientOf, sessionsOf, signInClockOf } from '../../src/features/sign-in/contract';
import { findPerson } from '../../src/features/sign-in/issuer/person';
import { records } from '../../src/features';
import { ask } from '../../src/neo4j/ask';
import { Browser } from './browser-session';
import { LyingIssuer } from '../features/sign-in/issuer-under-test';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

const PUBLIC_URL = 'http://graph.example.org';
const CODES = '/api/preview/sign-in-codes';
const issuer = new LyingIssuer('grantgraph', 'a secret');

let service: ServiceUnderTest;
let other: ServiceUnderTest;
let now = Date.now();

const settings = () => ({
  http: { publicUrl: PUBLIC_URL },
  issuer: {
    address: issuer.address,
    clientId: 'grantgraph',
    clientSecret: 'a secret',
    admins: ['graph admins', 'root'],
    auditors: ['audit'],
    analysts: ['staff'],
    dataSource: 'People',
  },
});

const replace = (context: ServiceUnderTest['context']): void => {
  signInClockOf.replace(context, () => () => now);
  openIdClientOf.replace(context, () => () => Promise.resolve(openIdClient));
};

beforeAll(async () => {
  await issuer.start();
  service = await serviceUnderTest({}, { replace, settings: settings() });
  other = await serviceUnderTest({}, { replace, settings: settings(), keep: true });
});
beforeEach(() => {
  issuer.claims = { sub: 'ann', name: 'Ann' };
  issuer.lies = {};
});
afterAll(async () => {
  await other.close();
  await service.close();
  await issuer.stop();
});

/** The path to which the issuer leads a browser back. */
const atIssuer = async (one: Browser, to = '/session'): Promise<string> => {
  const begun = await one.get(`/sign-in/issuer?to=${encodeURIComponent(to)}`);
  expect(begun.status).toBe(303);
  const { headers } = await fetch(begun.headers.location ?? '', { redirect: 'manual' });
  const back = new URL(headers.get('location') ?? '');
  expect(back.origin).toBe(PUBLIC_URL);
  return `${back.pathname}${back.search}`;
};

const browser = (app = service.app): Browser => new Browser(app);

const signedIn = async (): Promise<Browser> => {
  const one = browser();
  const answer = await one.get(await atIssuer(one));
  expect([answer.status, answer.text]).toEqual([303, '']);
  return one;
};

const sessionOf = async (one: Browser): Promise<string> => (await one.get('/session')).text;

const newestEvent = async (): Promise<Readonly<Record<string, unknown>> | undefined> => {
  const answer = await service.send('get', '/api/v1/events?page_size=100');
  return (answer.body as { values: Readonly<Record<string, unknown>>[] }).values.find(
    ({ event_type }) => /^(PERSON_|SESSION_|SIGN_IN_)/.test(String(event_type)),
  );
};

const listed = async (): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const answer = await service.send('get', '/api/preview/sessions').expect(200);
  return (answer.body as { values: Readonly<Record<string, unknown>>[] }).values;
};

test('somebody signs in with the issuer, and is led to the page that they wanted', async () => {
  const one = browser();
  expect((await one.get('/sign-in?to=/x')).text).toContain('/sign-in/issuer?to=%2Fx');
  const answer = await one.get(await atIssuer(one, '/people/x?at=2026-01-01'));
  expect([answer.status, answer.headers.location]).toEqual([303, '/people/x?at=2026-01-01']);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(await sessionOf(one)).toContain('signed in as Ann, without a role');
  expect([...one.cookies.keys()]).toEqual(['grantgraph-session']);
  const subject = expect.stringMatching(/^issuer:[\da-f]{32}$/) as string;
  expect(await newestEvent()).toMatchObject({
    event_type: 'PERSON_SIGNED_IN',
    metadata: { subject, by: { key_id: expect.stringMatching(/^person:issuer:/) as string } },
  });
});

test.each([
  [['graph admins'], 'as administrator'],
  [['staff', 'audit'], 'as auditor'],
  ['staff', 'as analyst'],
  [['staff', 'audit', 'root'], 'as administrator'],
  [['Staff', 'staff ', 'audi'], 'without a role'],
  [[['root']], 'without a role'],
  ['graph admins,root', 'without a role'],
  [{ root: true }, 'without a role'],
  [undefined, 'without a role'],
])('the groups %j sign in %s', async (groups, role) => {
  issuer.claims = { sub: 'ann', name: 'Ann', groups };
  expect(await sessionOf(await signedIn())).toContain(role);
});

test.each<[string, LyingIssuer['lies']]>([
  ['for another audience', { claims: { aud: 'another' } }],
  ['for several audiences without saying whose', { claims: { aud: ['grantgraph', 'another'] } }],
  ['of another issuer', { claims: { iss: 'http://127.0.0.1:1' } }],
  ['with another nonce', { claims: { nonce: 'another' } }],
  ['without a nonce', { claims: { nonce: undefined } }],
  ['that has expired', { claims: { exp: 1 } }],
  ['without a subject', { claims: { sub: undefined } }],
  ['with a key that the issuer does not show', { hidesKey: true }],
  ['that nobody signed', { unsigned: true }],
])('a token %s lets nobody in, and the log says so', async (_name, lies) => {
  issuer.lies = lies;
  const one = browser();
  const answer = await one.get(await atIssuer(one));
  expect(answer.status).toBe(401);
  expect(answer.text).toContain('cannot be trusted');
  expect(one.cookies.size).toBe(0);
  expect(service.newestLine()).toMatchObject({
    message: 'the answer of the issuer cannot be trusted',
    reason: expect.any(String) as string,
  });
});

test('an issuer that has just changed its keys signs people in', async () => {
  await signedIn();
  issuer.rotateKey();
  expect(await sessionOf(await signedIn())).toContain('signed in as Ann');
});

describe('an answer of the issuer', () => {
  test('is used once, even at an issuer that accepts its code again', async () => {
    issuer.lies = { forgets: true };
    const one = browser();
    const back = await atIssuer(one);
    const thief = browser(other.app);
    for (const [name, value] of one.cookies) thief.cookies.set(name, value);
    expect((await one.get(back)).status).toBe(303);
    const again = await thief.get(back);
    expect([again.status, thief.cookies.size]).toEqual([401, 0]);
    expect(other.newestLine()?.message).toBe('an answer of the issuer came a second time');
    // Somebody who is signed in is led on.
    expect((await one.get(back)).headers.location).toBe('/console');
  });

  test('of two requests at once lets one in', async () => {
    issuer.lies = { forgets: true };
    const one = browser();
    const back = await atIssuer(one);
    const browsers = [service, other, service, other].map(({ app }) => browser(app));
    for (const each of browsers) {
      for (const [name, value] of one.cookies) each.cookies.set(name, value);
    }
    const answers = await Promise.all(browsers.map((each) => each.get(back)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 401, 401, 401]);
  });

  test('with a forged, old or foreign state, code or cookie lets nobody in', async () => {
    const [one, two] = [browser(), browser()];
    const [back, foreign] = [await atIssuer(one), await atIssuer(two)];
    const state = new URLSearchParams(back.split('?')[1]).get('state') ?? '';
    const refused = async (path: string, cookies: ReadonlyMap<string, string>): Promise<void> => {
      const guest = browser();
      for (const [name, value] of cookies) guest.cookies.set(name, value);
      const { status } = await guest.get(path);
      expect([path, status, guest.cookies.has('grantgraph-session')]).toEqual([path, 401, false]);
    };
    await refused(back, new Map());
    await refused(foreign, one.cookies);
    await refused('/sign-in/issuer/callback', one.cookies);
    await refused(`/sign-in/issuer/callback?code=x&state=${state}`, one.cookies);
    await refused(`/sign-in/issuer/callback?error=access_denied&state=${state}`, one.cookies);
    await refused(`${back}&state=x`, one.cookies);
    const [[name = '', sealed = ''] = []] = one.cookies;
    expect(name).toMatch(/^grantgraph-issuer-/);
    for (const forged of ['x', 'x'.repeat(400), `${sealed.slice(0, -2)}AA`, '%00']) {
      await refused(back, new Map([[name, forged]]));
    }
    now += 11 * 60_000;
    await refused(back, one.cookies);
  });

  test('leads to pages of the service only', async () => {
    for (const to of ['//evil.example', 'https://evil.example', '/\\evil.example', '']) {
      const one = browser();
      const answer = await one.get(await atIssuer(one, to));
      expect([to, answer.headers.location]).toEqual([to, '/console']);
    }
  });
});

describe('a second tab, Back and reload', () => {
  test('two tabs that sign in at once both come to their pages, in either order', async () => {
    for (const isReversed of [false, true]) {
      const one = browser();
      const tabs = [await atIssuer(one, '/console/changes'), await atIssuer(one, '/session')];
      const ends: (string | undefined)[] = [];
      for (const tab of isReversed ? tabs.toReversed() : tabs) {
        ends.push((await one.get(tab)).headers.location);
      }
      expect(ends.toSorted()).toEqual(['/console/changes', '/session']);
      expect(await sessionOf(one)).toContain('signed in as Ann');
      expect([...one.cookies.keys()]).toEqual(['grantgraph-session']);
    }
  });

  test('an answer with the cookie of an ended session does not take the cookie of a newer one', async () => {
    const one = browser();
    const tabs = [await atIssuer(one), await atIssuer(one)];
    await one.get(tabs[0] ?? '');
    const late = { cookie: `grantgraph-session=${one.cookies.get('grantgraph-session')}` };
    await one.get(tabs[1] ?? '');
    const answer = await browser().get('/session', late);
    expect([answer.status, answer.headers['set-cookie']]).toEqual([303, undefined]);
  });

  test('a browser keeps a bounded number and size of sign-ins that it began; the newest work', async () => {
    const long = `/console?x=${'y'.repeat(1_900)}`;
    for (const to of ['/session', long]) {
      const one = browser();
      const backs: string[] = [];
      for (let tab = 0; tab < 12; tab += 1) {
        now += 1_000;
        backs.push(await atIssuer(one, to));
        const begun = [...one.cookies].filter(([name]) => name.startsWith('grantgraph-issuer-'));
        expect(begun.length).toBeLessThanOrEqual(8);
        expect(begun.flat().join('').length).toBeLessThanOrEqual(6_000);
      }
      expect((await one.get(backs.at(-1) ?? '')).headers.location).toBe(to);
      // The tab that was forgotten is led on, since the browser is signed in by now.
      expect((await one.get(backs[0] ?? '')).headers.location).toBe('/console');
    }
  });

  test('Back after the sign-in, and a reload of it, lead somebody on who is signed in', async () => {
    const one = browser();
    const begun = await one.get('/sign-in/issuer?to=/session');
    const back = async (): Promise<string> => {
      const { headers } = await fetch(begun.headers.location ?? '', { redirect: 'manual' });
      const { pathname, search } = new URL(headers.get('location') ?? '');
      return `${pathname}${search}`;
    };
    const first = await back();
    await one.get(first);
    const before = (await listed()).length;
    for (const path of [await back(), first]) {
      const answer = await one.get(path);
      expect([answer.status, answer.headers.location]).toEqual([303, '/console']);
    }
    expect(await sessionOf(one)).toContain('signed in as Ann');
    expect((await listed()).length).toBe(before);
    // Whose session has ended comes to the sign-in.
    now += 13 * 60 * 60_000;
    await one.get(first);
    expect((await one.get('/console')).headers.location).toBe('/sign-in?to=%2Fconsole');
  });

  test('a second sign-out, and one of an older tab, say what to do', async () => {
    const one = await signedIn();
    const form_token = await one.formToken();
    await one.get(await atIssuer(one));
    const old = await one.post('/sign-out', { form_token });
    expect([old.status, old.text]).toEqual([403, expect.stringContaining('open the page again')]);
    await one.post('/sign-out', { form_token: await one.formToken() });
    const again = await one.post('/sign-out', { form_token });
    expect([again.status, again.text]).toEqual([
      401,
      expect.stringContaining('You are signed out'),
    ]);
  });
});

test('images of a foreign page at the callback lock nobody out', async () => {
  const few = await serviceUnderTest({ signIns: 3 }, { replace, settings: settings(), keep: true });
  try {
    for (let image = 0; image < 10; image += 1) {
      const path = `/sign-in/issuer/callback?code=x&state=${image}`;
      expect((await browser(few.app).get(path)).status).toBe(401);
    }
    const one = browser(few.app);
    expect((await one.get(await atIssuer(one))).status).toBe(303);
    // Somebody who began sign-ins, and guesses codes, is limited.
    const statuses = [];
    for (let guess = 0; guess < 5; guess += 1) {
      const guesser = browser(few.app);
      const state = new URLSearchParams((await atIssuer(guesser)).split('?')[1]).get('state');
      statuses.push((await guesser.get(`/sign-in/issuer/callback?code=x&state=${state}`)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  } finally {
    await few.close();
  }
});

test.each([
  [{ _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://x' } } }],
  [{ hasgroups: true }],
])(
  'somebody whose groups the token leaves out (%j) is refused, and the page says why',
  async (claims) => {
    issuer.claims = { sub: 'many', name: 'Many Groups', ...claims };
    const one = browser();
    const answer = await one.get(await atIssuer(one));
    expect([answer.status, answer.text]).toEqual([
      403,
      expect.stringContaining('you have too many groups for its token'),
    ]);
    expect(one.cookies.size).toBe(0);
    expect(service.newestLine()).toMatchObject({
      level: 'warn',
      reason: expect.stringContaining('leaves out the claim groups') as string,
    });
  },
);

describe('the log says why, and the page whose fault it is, if the issuer', () => {
  const SET_UP = 'does not work as it is set up';
  const oauth = (error: string, status = 400, headers = {}) => ({
    status,
    headers,
    body: { error, error_description: 'AADSTS7000222: a secret has expired' },
  });

  test.each<[string, LyingIssuer['lies']['refusal'], number, string]>([
    ['refuses the secret', oauth('invalid_client', 401), 503, SET_UP],
    [
      'refuses the secret, and names a scheme',
      oauth('invalid_client', 401, { 'www-authenticate': 'Basic realm="x"' }),
      503,
      SET_UP,
    ],
    ['refuses the client', oauth('unauthorized_client'), 503, SET_UP],
    ['refuses a scope', oauth('invalid_scope'), 503, SET_UP],
    ['refuses the request', oauth('invalid_request'), 503, SET_UP],
    ['refuses the code', oauth('invalid_grant'), 401, 'did not sign you in'],
    ['is busy', { status: 502, body: {} }, 503, 'does not answer now'],
    ['answers nonsense', { status: 200, body: {} }, 401, 'cannot be trusted'],
  ])('%s', async (_what, refusal, status, words) => {
    now += 60_000;
    const one = browser();
    const back = await atIssuer(one);
    if (refusal !== undefined) issuer.lies = { refusal };
    const answer = await one.get(back);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(words)]);
    const line = service.newestLine();
    expect(line).toMatchObject({ level: 'warn', reason: expect.any(String) as string });
    expect(JSON.stringify(line)).not.toContain('a secret has');
  });

  test.each([
    ['invalid_scope', 503, SET_UP],
    ['unauthorized_client', 503, SET_UP],
    ['temporarily_unavailable', 503, 'does not answer now'],
    ['access_denied', 401, 'did not sign you in'],
    ['<script>alert(1)', 401, 'did not sign you in'],
  ])('leads back with the error %s', async (error, status, words) => {
    const one = browser();
    const state = new URLSearchParams((await atIssuer(one)).split('?')[1]).get('state') ?? '';
    const query = new URLSearchParams({ error, state, error_description: 'forged\nline' });
    const answer = await one.get(`/sign-in/issuer/callback?${query.toString()}`);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(words)]);
    expect(service.newestLine()?.reason).toBe(error.startsWith('<') ? 'another error' : error);
  });
});

test('a sign-out brings the issuer the ID token, which the graph holds sealed and bounded', async () => {
  now += 6 * 60_000;
  issuer.lies = { metadata: { end_session_endpoint: `${issuer.address}/out` } };
  const hintOf = async (one: Browser): Promise<string | null> => {
    const answer = await one.post('/sign-out', { form_token: await one.formToken() });
    expect(answer.status).toBe(303);
    return new URL(answer.headers.location ?? '').searchParams.get('id_token_hint');
  };
  const one = await signedIn();
  const stored = JSON.stringify(
    await ask(service.graph, 'MATCH (s:PersonSession) RETURN properties(s) AS s'),
  );
  const hint = (await hintOf(one)) ?? '';
  const [, said = ''] = hint.split('.');
  expect(JSON.parse(Buffer.from(said, 'base64url').toString())).toMatchObject({ sub: 'ann' });
  expect(stored).toContain('"id_token":');
  expect(stored).not.toContain(said);
  issuer.claims = { sub: 'ann', name: 'Ann', more: 'x'.repeat(4_000) };
  expect(await hintOf(await signedIn())).toBeNull();
});

test('sessions end for good when the rules of roles change', async () => {
  const one = await signedIn();
  const { issuer: rules, ...rest } = settings();
  const changed = await serviceUnderTest(
    {},
    { replace, settings: { ...rest, issuer: { ...rules, admins: ['others'] } }, keep: true },
  );
  try {
    const elsewhere = browser(changed.app);
    for (const [name, value] of one.cookies) elsewhere.cookies.set(name, value);
    expect((await elsewhere.get('/session')).status).toBe(303);
    // Both processes run for a while; the one that starts ends what it does not admit.
    expect(await sessionOf(one)).toContain('signed in as Ann');
    await sessionsOf(changed.context).endChanged(new Map([['API_KEY', API_KEY]]))();
    expect((await one.get('/session')).status).toBe(303);
  } finally {
    await changed.close();
  }
});

test('a person signs in only so often within an hour', async () => {
  const few = await serviceUnderTest(
    {},
    { replace, settings: { ...settings(), sessions: { signInsOfPerson: 2 } }, keep: true },
  );
  try {
    const statuses = [];
    for (let at = 0; at < 3; at += 1) {
      issuer.claims = { sub: 'often', name: 'Often' };
      const one = browser(few.app);
      statuses.push((await one.get(await atIssuer(one))).status);
    }
    expect(statuses).toEqual([303, 303, 429]);
  } finally {
    await few.close();
  }
});

test('a key does not sign in where there is an issuer; a one-time code does', async () => {
  const one = browser();
  expect((await one.signIn(API_KEY)).status).toBe(403);
  expect(one.cookies.size).toBe(0);
  const made = await service.post(CODES, '').expect(200);
  const { code } = (made.body as { value: { code: string } }).value;
  expect((await one.post('/sign-in/code', { code })).status).toBe(303);
});

test('while the issuer is down sessions go on, and the page says so', async () => {
  const one = await signedIn();
  const two = browser();
  const back = await atIssuer(two);
  await issuer.stop();
  try {
    expect(await sessionOf(one)).toContain('signed in as Ann');
    const late = await two.get(back);
    expect([late.status, late.text]).toEqual([503, expect.stringContaining('does not answer')]);
    now += 10 * 60_000;
    const page = await browser().get('/sign-in/issuer');
    expect([page.status, page.text]).toEqual([
      503,
      expect.stringContaining('Sessions that exist go on'),
    ]);
    expect((await browser().get('/sign-in')).status).toBe(200);
  } finally {
    await issuer.start();
  }
  now += 6_000;
  expect(await sessionOf(await signedIn())).toContain('signed in as Ann');
});

test.each<[string, LyingIssuer['lies'], string]>([
  ['does not answer', { status: 503 }, 'The issuer does not answer now.'],
  ['calls itself otherwise', { metadata: { issuer: 'http://127.0.0.1:1' } }, 'as it is set up'],
  ['has no metadata', { status: 404 }, 'as it is set up'],
])('an issuer that %s is asked once, and the page says what is true', async (_, lies, words) => {
  now += 6 * 60_000;
  issuer.lies = lies;
  const before = issuer.discoveries;
  const pages = await Promise.all([1, 2, 3].map(() => browser().get('/sign-in/issuer')));
  pages.push(await browser().get('/sign-in/issuer'));
  for (const { status, text } of pages) {
    expect([status, text]).toEqual([503, expect.stringContaining(words)]);
    expect(text).not.toContain('127.0.0.1:1<');
    expect(text).not.toContain('OAUTH');
  }
  expect(issuer.discoveries - before).toBe(1);
  const { message } = service.logged.findLast(({ reason }) => reason !== undefined) ?? {};
  expect(message).toContain(words.includes('answer') ? 'does not answer' : 'as it is set up');
  issuer.lies = {};
  now += 6_000;
  expect(await sessionOf(await signedIn())).toContain('signed in as Ann');
  expect(issuer.discoveries - before).toBe(2);
});

test.each<[string, LyingIssuer['lies']]>([
  ['that signs nobody out', {}],
  ['that does so elsewhere', { metadata: { end_session_endpoint: 'https://evil.example/out' } }],
])('a sign-out at an issuer %s leads to the sign-in', async (_, lies) => {
  now += 6 * 60_000;
  issuer.lies = lies;
  const one = await signedIn();
  const answer = await one.post('/sign-out', { form_token: await one.formToken() });
  expect([answer.status, answer.headers.location]).toEqual([303, '/sign-in']);
});

test('somebody who signed in with a code is not led to the issuer when they sign out', async () => {
  now += 6 * 60_000;
  issuer.lies = { metadata: { end_session_endpoint: `${issuer.address}/out` } };
  const signsOut = async (one: Browser): Promise<string> =>
    (await one.post('/sign-out', { form_token: await one.formToken() })).headers.location ?? '';
  expect(await signsOut(await signedIn())).toContain(`${issuer.address}/out?`);
  const one = browser();
  const made = await service.post(CODES, '').expect(200);
  await one.post('/sign-in/code', { code: (made.body as { value: { code: string } }).value.code });
  expect(await signsOut(one)).toBe('/sign-in');
});

describe('a person of the graph', () => {
  type Push = (users: readonly object[]) => Promise<void>;
  const push = async (name: string, users: readonly object[]): Promise<Push> => {
    const { id } = await service.register();
    const sources = `/api/v1/providers/custom/${id}/datasources`;
    const made = await service.post(sources, { id, name }).expect(200);
    const data_source_id = (made.body as { value: { id: string } }).value.id;
    const again: Push = (some) => pushTo(name, { id, data_source_id }, some);
    await again(users);
    return again;
  };

  const pushTo = async (
    name: string,
    { id, data_source_id }: { readonly id: string; readonly data_source_id: string },
    users: readonly object[],
  ): Promise<void> => {
    const sources = `/api/v1/providers/custom/${id}/datasources`;
    const json_data = JSON.stringify({
      name,
      idp_type: 'custom',
      domains: [{ name: 'x.example' }],
      users: users.map((user) => ({ groups: [], ...user })),
      groups: [],
    });
    await service
      .post(`${sources}/${data_source_id}:push`, { id, data_source_id, json_data })
      .expect(200);
  };

  let pushPeople: Push;
  const LEAVER = { name: 'lea', identity: 'l-1', email: 'lea@x.example' };
  const PEOPLE = [
    { name: 'ann', identity: 'a-1', email: 'Ann@x.example' },
    { name: 'bob', identity: 'b-1', email: 'shared@x.example' },
    { name: 'cid', identity: 'c-1', email: 'shared@x.example' },
    { name: 'mia', identity: 'mia@x.example', email: 'other@x.example' },
    { name: 'tom', identity: 't-1', email: 'mia@x.example' },
  ];

  beforeAll(async () => {
    pushPeople = await push('People', PEOPLE);
    await push('Others', [{ name: 'eve', identity: 'e-1', email: 'eve@x.example' }]);
    await push('Twice', [{ name: 'dan', identity: 'd-1', email: 'dan@x.example' }]);
    await push('Twice', []);
  });

  const personWith = async (claims: Readonly<Record<string, unknown>>): Promise<unknown> => {
    now += 1_000;
    issuer.claims = { sub: JSON.stringify(claims), ...claims };
    await signedIn();
    return (await listed())[0]?.person;
  };

  test('is linked if an email that the issuer has verified is exactly one user of the data source', async () => {
    const verified = (email: unknown) => ({ email, email_verified: true });
    const ann = await personWith(verified('ann@X.example'));
    expect(ann).toMatch(/\|IdpUser\|a-1$/);
    expect(await personWith(verified('a-1'))).toBe(ann);
    const nobody = [
      { email: 'ann@x.example' },
      { email: 'ann@x.example', email_verified: false },
      { email: 'ann@x.example', email_verified: 'true' },
      ...['shared@x.example', 'eve@x.example', 'nobody@x.example', 'ann', '', ' '].map(verified),
      // The id of one user and the email of another.
      verified('mia@x.example'),
      verified(['ann@x.example']),
      verified(null),
      {},
    ];
    for (const claims of nobody) {
      expect([claims, await personWith(claims)]).toEqual([claims, null]);
    }
  });

  test.each([
    ['is inactive', [{ ...LEAVER, is_active: false }]],
    ['is gone', []],
  ])(
    'whose directory says that they left (%s) has no session any more, also if they come back',
    async (_what, left) => {
      await pushPeople([...PEOPLE, LEAVER]);
      issuer.claims = { sub: 'lea', name: 'Lea', email: 'lea@x.example', email_verified: true };
      const one = await signedIn();
      expect(await sessionOf(one)).toContain('signed in as Lea');
      // Another change of theirs ends nothing.
      await pushPeople([...PEOPLE, { ...LEAVER, department: 'Sales' }]);
      expect(await sessionOf(one)).toContain('signed in as Lea');
      await pushPeople([...PEOPLE, ...left]);
      const late = browser();
      const refused = await late.get(await atIssuer(late));
      expect(refused.status).toBe(left.length === 0 ? 303 : 403);
      await pushPeople([...PEOPLE, LEAVER]);
      expect((await one.get('/session')).status).toBe(303);
      expect(await sessionOf(await signedIn())).toContain('signed in as Lea');
    },
  );

  test('is signed out when they are erased, and no session names them', async () => {
    now += 1_000;
    issuer.claims = { sub: 'eve', name: 'Eve', email: 'ann@x.example', email_verified: true };
    const one = await signedIn();
    expect(await sessionOf(one)).toContain('signed in as Eve');
    const erase = (token = '') =>
      service.post('/api/v1/erase', { principal: 'ann' }).set('Grantgraph-Confirm-Removal', token);
    const plan = await service.post('/api/v1/erase', { principal: 'ann' }).expect(200);
    await erase((plan.body as { value: { confirmation: string } }).value.confirmation).expect(200);
    expect(await sessionOf(one)).toBe('');
    expect((await listed()).filter(({ person }) => /IdpUser.a-1$/.test(String(person)))).toEqual(
      [],
    );
  });

  /** Erases somebody; gives the plan. */
  const erased = async (asked: object): Promise<Readonly<Record<string, unknown>>> => {
    const erase = (token = '') =>
      service.post('/api/v1/erase', asked).set('Grantgraph-Confirm-Removal', token);
    const plan = await service.post('/api/v1/erase', asked).expect(200);
    const { value } = plan.body as { value: Record<string, unknown> };
    await erase(String(value.confirmation)).expect(200);
    return value;
  };

  /** Everything that is stored, as texts. */
  const stored = async (): Promise<readonly string[]> =>
    (await ask(service.graph, 'MATCH (n) RETURN labels(n) AS labels, properties(n) AS of')).map(
      (row) => JSON.stringify(row),
    );

  /** Writes a record of each kind that says who did something; gives their labels. */
  const recordsOf = async (id: string, name: string): Promise<readonly string[]> => {
    const labels: string[] = [];
    for (const { label, properties } of records) {
      const all = Object.entries(properties);
      // An unfinished push holds up erasures.
      if (label === 'LargePush' || !all.some(([, { names }]) => names === 'signer')) continue;
      labels.push(label);
      const set = all.flatMap(([property, { names, type }]): [string, unknown][] => {
        if (names === 'signer') return [[property, id]];
        if (names === 'whereabouts') return [[property, '10.9.8.7']];
        return names === 'mention' && type === 'text' ? [[property, name]] : [];
      });
      const { driver, database } = service.graph;
      await driver.executeQuery(
        `CREATE (n:${label} {key: randomUUID(), at: datetime()}) SET n += $set`,
        { set: Object.fromEntries(set) },
        { database },
      );
    }
    return labels;
  };

  /** Signs somebody in and out again, who may do everything; gives their id. */
  const comesAndGoes = async (claims: Readonly<Record<string, unknown>>): Promise<string> => {
    now += 1_000;
    issuer.claims = { groups: 'root', email_verified: true, ...claims };
    const one = await signedIn();
    const subject = String((await listed())[0]?.subject);
    await one.post('/sign-out', { form_token: await one.formToken() });
    expect((await newestEvent())?.event_type).toBe('PERSON_SIGNED_OUT');
    return subject;
  };

  test('loses what records hold of their sign-ins when they are erased, and is in no log', async () => {
    const claims = { sub: 'z', name: 'Zoe Signer', email: 't-1' };
    const subject = await comesAndGoes(claims);
    const named = (texts: readonly string[]): readonly string[] =>
      texts.filter((text) => text.includes('Zoe Signer') || text.includes(subject));
    expect(named(await stored()).length).toBeGreaterThan(1);
    const acted = await recordsOf(`person:${subject}`, 'Zoe Signer');
    expect(acted).toEqual(expect.arrayContaining(['Push', 'DataSource']));
    const others = await comesAndGoes({ sub: 'bob', name: 'Bob Other' });
    const plan = await erased({ principal: 't-1' });
    expect(plan.person).toContain(`person:${subject}`);
    expect(named(await stored())).toEqual([]);
    const events = (await stored()).filter((text) => text.includes('(erased)'));
    expect(events.filter((text) => text.includes('PERSON_SIGNED_IN'))).not.toEqual([]);
    expect(events.filter((text) => text.includes('127.0.0.1'))).toEqual([]);
    expect((await stored()).filter((text) => text.includes('10.9.8.7'))).toEqual([]);
    expect((await stored()).filter((text) => text.includes(others))).not.toEqual([]);
    expect(named(service.logged.map((line) => JSON.stringify(line)))).toEqual([]);
  });

  test('who is in no directory is erased by the id of their sign-ins', async () => {
    const subject = await comesAndGoes({ sub: 'w', name: 'Wim Nowhere' });
    await erased({ principal: `person:${subject}` });
    const left = (await stored()).filter(
      (text) => /Wim Nowhere/.test(text) || text.includes(subject),
    );
    expect(left).toEqual([]);
    await service.post('/api/v1/erase', { principal: `person:${subject}` }).expect(404);
  });

  test('who only signs in under a name of the person is listed, and stays', async () => {
    await push('People', [{ name: 'xia', identity: 'x-9', full_name: 'Xia Twice' }]);
    const subject = await comesAndGoes({ sub: 'x', name: 'Xia Twice' });
    const plan = await erased({ principal: 'xia' });
    expect(plan.doubtful).toMatchObject({
      values: [{ id: `person:${subject}`, reason: 'SAME_NAME' }],
    });
    expect((await stored()).filter((text) => text.includes(subject))).not.toEqual([]);
  });

  test('is linked to nobody if two data sources have the name', async () => {
    const { context } = service;
    const found = await findPerson(context.graph)('Twice', 'dan@x.example')();
    expect(found).toEqual({ _tag: 'Right', right: null });
  });
});
