/** @more sign-in */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import * as openIdClient from 'openid-client';

import { anyPort } from '../../src/embedded/port';
import { openIdClientOf, signInClockOf } from '../../src/features/sign-in/contract';
import { Browser } from './browser-session';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

const PUBLIC_URL = 'http://graph.example.org';
const CALLBACK = `${PUBLIC_URL}/sign-in/issuer/callback`;

let port: number;
let issuer: ChildProcess | null = null;
let service: ServiceUnderTest;
let now = Date.now();

const startIssuer = async (): Promise<void> => {
  const program = join(__dirname, 'issuer-process.mjs');
  const child = spawn(process.execPath, [program, String(port), CALLBACK], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  issuer = child;
  await once(child.stdout, 'data');
};

const stopIssuer = async (): Promise<void> => {
  if (issuer === null) return;
  const ended = once(issuer, 'exit');
  issuer.kill();
  issuer = null;
  await ended;
};

beforeAll(async () => {
  port = await anyPort();
  await startIssuer();
  service = await serviceUnderTest(
    {},
    {
      replace: (context) => {
        signInClockOf.replace(context, () => () => now);
        openIdClientOf.replace(context, () => () => Promise.resolve(openIdClient));
      },
      settings: {
        http: { publicUrl: PUBLIC_URL },
        issuer: {
          address: `http://127.0.0.1:${port}`,
          clientId: 'grantgraph',
          clientSecret: 'a secret that is long enough for it',
          admins: ['graph admins'],
          analysts: ['staff'],
        },
      },
    },
  );
});
afterAll(async () => {
  await service.close();
  await stopIssuer();
});

/**
 * A browser at the issuer: it follows redirects, enters a name, consents, and says that it wants to
 * sign out, until it is led back. `seen` gets what it was asked for.
 */
const atIssuer = async (
  address: string,
  login: string,
  cookies = new Map<string, string>(),
  seen: string[] = [],
): Promise<string> => {
  const send = async (url: string, form?: Readonly<Record<string, string>>): Promise<Response> => {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  let answer = await send(address);
  for (let step = 0; step < 20; step += 1) {
    const location = answer.headers.get('location');
    if (location !== null) {
      const next = new URL(location, `http://127.0.0.1:${port}`).href;
      if (next.startsWith(PUBLIC_URL)) return next.slice(PUBLIC_URL.length);
      answer = await send(next);
      continue;
    }
    const page = await answer.text();
    const action = /action="([^"]+)"/.exec(page)?.[1] ?? '';
    const valueOf = (name: string): string =>
      new RegExp(`name="${name}" value="([^"]+)"`).exec(page)?.[1] ?? '';
    const [prompt, xsrf] = [valueOf('prompt'), valueOf('xsrf')];
    seen.push(prompt === '' ? 'sign out' : prompt);
    answer = await send(
      action,
      prompt === '' ? { xsrf, logout: 'yes' } : { prompt, login, password: 'x' },
    );
  }
  throw new Error('the issuer never led back');
};

const begun = async (one: Browser): Promise<string> => {
  const answer = await one.get('/sign-in/issuer?to=/session');
  expect([answer.status, answer.text]).toEqual([303, '']);
  return answer.headers.location ?? '';
};

const signedIn = async (login: string): Promise<Browser> => {
  const one = new Browser(service.app);
  const answer = await one.get(await atIssuer(await begun(one), login));
  expect([answer.status, answer.headers.location]).toEqual([303, '/session']);
  return one;
};

test('people sign in with oidc-provider, have the roles of their groups, and sign out', async () => {
  const pages: string[] = [];
  for (const login of ['root', 'ann', 'bob']) {
    const one = await signedIn(login);
    pages.push(/signed in as .*?\./.exec((await one.get('/session')).text)?.[0] ?? '');
    await one.post(
      '/sign-out',
      { form_token: await one.formToken() },
      {
        'sec-fetch-site': 'same-origin',
      },
    );
    expect((await one.get('/session')).status).toBe(303);
  }
  expect(pages).toEqual([
    'signed in as root, as administrator.',
    'signed in as ann, as analyst.',
    'signed in as bob, without a role.',
  ]);
});

test('a sign-out ends the session at the issuer too, which leads back to the sign-in', async () => {
  const cookies = new Map<string, string>();
  const one = new Browser(service.app);
  const signIn = async (): Promise<readonly string[]> => {
    const seen: string[] = [];
    await one.get(await atIssuer(await begun(one), 'ann', cookies, seen));
    expect((await one.get('/session')).status).toBe(200);
    return seen;
  };
  expect(await signIn()).toEqual(['login', 'consent']);
  // The issuer still knows who it is.
  expect(await signIn()).toEqual([]);
  for (const path of ['/session', '/console']) {
    const { headers } = await one.get(path);
    // Without it a browser would not follow the form to the issuer.
    expect([path, headers['content-security-policy']]).toEqual([
      path,
      expect.stringContaining(`form-action 'self' http://127.0.0.1:${port};`),
    ]);
  }
  const answer = await one.post('/sign-out', { form_token: await one.formToken() });
  const to = new URL(answer.headers.location ?? '');
  expect([answer.status, to.origin, Object.fromEntries(to.searchParams)]).toEqual([
    303,
    `http://127.0.0.1:${port}`,
    {
      client_id: 'grantgraph',
      post_logout_redirect_uri: `${PUBLIC_URL}/sign-in`,
      id_token_hint: expect.stringMatching(/^ey/) as string,
    },
  ]);
  expect((await one.get('/session')).status).toBe(303);
  const seen: string[] = [];
  expect(await atIssuer(to.href, 'ann', cookies, seen)).toBe('/sign-in');
  expect(seen).toEqual(['sign out']);
  expect((await signIn())[0]).toBe('login');
});

test('a session ends by its time, and its answer is not used again', async () => {
  const one = new Browser(service.app);
  const back = await atIssuer(await begun(one), 'ann');
  const thief = new Browser(service.app);
  for (const [name, value] of one.cookies) thief.cookies.set(name, value);
  expect((await one.get(back)).status).toBe(303);
  expect((await thief.get(back)).status).toBe(401);
  expect((await one.get('/session')).status).toBe(200);
  now += 61 * 60_000;
  expect((await one.get('/session')).status).toBe(303);
});

test('an issuer that is down, and comes back with other keys, keeps nobody out', async () => {
  const one = await signedIn('ann');
  await stopIssuer();
  expect((await one.get('/session')).status).toBe(200);
  // A sign-in after a few seconds says so, instead of leading to a page that does not open.
  now += 11_000;
  expect((await new Browser(service.app).get('/sign-in/issuer')).status).toBe(503);
  await startIssuer();
  // For some seconds one failure answers all.
  now += 6_000;
  expect((await (await signedIn('root')).get('/session')).text).toContain('as administrator');
});
