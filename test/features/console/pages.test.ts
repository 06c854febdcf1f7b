import type { Response } from 'supertest';

import { sessionsOf } from '../../../src/features/sign-in/contract';
import { SESSION_COOKIE } from '../../../src/web/admission/visitor';
import { Browser } from '../../http/browser-session';
import { keyOf, pushCompany } from '../../http/company';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from '../../http/service-under-test';
import { type AccessRow, rowsAnswered, rowsOnPage, waysOnPage } from './page-rows';

let service: ServiceUnderTest;
let analyst: Browser;

beforeAll(async () => {
  service = await serviceUnderTest();
  await pushCompany(service);
  analyst = new Browser(service.app);
  await analyst.signIn(API_KEY);
});
afterAll(() => service.close());

interface Answer {
  readonly values: readonly AccessRow[];
}

const api = async (path: string, query: Readonly<Record<string, string>>): Promise<unknown> => {
  const answer = await service.send('get', `${path}?${new URLSearchParams(query).toString()}`);
  expect(answer.status).toBe(200);
  return answer.body;
};

const page = async (path: string): Promise<string> => {
  const answer = await analyst.get(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text;
};

const all = async (label: string): Promise<readonly string[]> =>
  ((await api('/api/v1/entities', { label, page_size: '1000' })) as Answer).values.map(
    ({ id }) => id,
  );

test('the page of each principal shows what the interface answers', async () => {
  const principals = (await all('Principal')).filter((_, at) => at % 5 === 0);
  expect(principals.length).toBeGreaterThan(10);
  for (const principal of principals) {
    const answer = await api('/api/v1/access', {
      ...{ principal, person: 'true', order_by: 'application' },
    });
    const html = await page(`/console/people/${encodeURIComponent(principal)}`);
    expect([principal, rowsOnPage(html, 'resources')]).toEqual([
      principal,
      rowsAnswered((answer as Answer).values),
    ]);
  }
});

test('the page of each resource shows what the interface answers', async () => {
  const resources = (await all('Resource')).filter((_, at) => at % 4 === 0);
  for (const resource of resources) {
    const answer = (await api('/api/v1/access', { resource })) as Answer;
    const html = await page(`/console/resources/${encodeURIComponent(resource)}`);
    const linked = answer.values.filter(({ id }) => !id.includes('|Resource|'));
    expect([resource, rowsOnPage(html, 'people')]).toEqual([resource, rowsAnswered(linked)]);
  }
});

describe('Why', () => {
  test('shows each way of the interface, and what remains without a step', async () => {
    const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
    const principal = await keyOf(service, 'IdpUser', 'Amara Nwosu');
    const { value } = (await api('/api/v1/access:explain', { principal, resource })) as {
      readonly value: { readonly paths: readonly unknown[] };
    };
    const path = `/console/why?${new URLSearchParams({ principal, resource }).toString()}`;
    const html = await page(path);
    expect(waysOnPage(html)).toBe(value.paths.length);
    const [, cut = ''] = /cut=([\w-]+)/.exec(html) ?? [];
    const without = await page(`${path}&cut=${cut}`);
    const gone = without.match(/is gone/g)?.length ?? 0;
    expect(gone).toBeGreaterThan(0);
    expect(gone + (without.match(/>remains</g)?.length ?? 0)).toBe(value.paths.length);
  });

  test('answers a sentence, and asks whom or what it means if that is not certain', async () => {
    const one = await analyst.get('/console?q=amara+nwosu+can+write+motor-control');
    expect([one.status, one.headers.location]).toEqual([
      303,
      expect.stringMatching(/^\/console\/why\?.*permission_type=DataWrite/),
    ]);
    expect(await page('/console?q=nobody+at+all+can+write+motor-control')).toContain('Nobody is');
    expect(await page('/console?q=amara+nwosu+can+write+main')).toContain('Which resource?');
  });
});

describe('people without a role', () => {
  let own: Browser;
  let person: string;

  beforeAll(async () => {
    person = await keyOf(service, 'IdpUser', 'Amara Nwosu');
    const opened = await sessionsOf(service.context).open(
      { subject: 'person:amara', name: 'Amara', role: null, person, address: null },
      new Map(),
      'r',
      null,
    )();
    if (opened._tag === 'Left') throw new Error(opened.left.message);
    own = new Browser(service.app);
    own.cookies.set(SESSION_COOKIE, opened.right.token);
  });

  test('see their own access, and no link to anybody else', async () => {
    const answer: Response = await own.get('/console/mine');
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('Amara Nwosu');
    expect(answer.text).toContain('/console/mine/why?');
    expect(answer.text).not.toMatch(/href="\/console\/(?:people|resources|why)/);
  });

  test('are refused the same page, whether somebody exists or not', async () => {
    const refused = await Promise.all(
      [`/console/people/${encodeURIComponent(person)}`, '/console/people/nobody', '/console'].map(
        async (path) => {
          const { status, text } = await own.get(path);
          return [status, text.replace(/Request [0-9a-f]{32}/, '')];
        },
      ),
    );
    expect(refused[0]?.[0]).toBe(403);
    expect(refused).toEqual([refused[0], refused[0], refused[0]]);
  });
});

test('nobody who has not signed in sees a page', async () => {
  const { status, headers } = await new Browser(service.app).get('/console/people/x');
  expect([status, headers.location]).toEqual([
    303,
    expect.stringMatching(/^\/sign-in\?to=%2Fconsole%2Fpeople%2Fx$/),
  ]);
});

test('a page runs and styles nothing of its own, and no cache stores it', async () => {
  const { headers } = await analyst.get('/console');
  expect(headers).toMatchObject({
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
  });
});

test('what a page cannot answer is a page too, and says why', async () => {
  const missing = await analyst.get('/console/people/nobody');
  expect([missing.status, missing.type]).toEqual([404, 'text/html']);
  const unknown = await analyst.get('/console/people/nobody?aplication=x');
  expect(unknown.status).toBe(400);
  expect(unknown.text).toContain('application');
  const early = await analyst.get('/console/people/nobody?at=1999-01-01');
  expect(early.status).toBe(400);
  expect(early.text).toContain('history');
});

test('the style sheet, the script and the icon have addresses that never change their content', async () => {
  const html = await page('/console');
  const addresses = html.match(/\/console\/assets\/[\w.]+/g) ?? [];
  expect(addresses).toHaveLength(3);
  for (const address of addresses) {
    const { status, headers } = await analyst.get(address);
    expect([status, headers['cache-control']]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
  }
});
