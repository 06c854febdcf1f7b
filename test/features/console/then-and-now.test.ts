/** @more pages */

import { Browser } from '../../http/browser-session';
import { keyOf } from '../../http/company';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from '../../http/service-under-test';
import { plain } from './page-rows';

let service: ServiceUnderTest;
let analyst: Browser;
/** An instant between two pushes. */
let then: string;

/** Which accounts have which permissions on which resources. */
type Held = readonly (readonly [account: string, permission: string, resource: string])[];

const FIRST: Held = [
  ['ann', 'edit', 'plans'],
  ['ann', 'view', 'plans'],
  ['ann', 'edit', 'budget'],
  ['ann', 'view', 'roadmap'],
  ['bo', 'view', 'plans'],
];

const SECOND: Held = [
  // Less of plans, nothing of budget, more of roadmap, and news as something new.
  ['ann', 'view', 'plans'],
  ['ann', 'view', 'roadmap'],
  ['ann', 'edit', 'roadmap'],
  ['ann', 'view', 'news'],
  ['lou', 'view', 'roadmap'],
];

const wiki = (held: Held): string =>
  JSON.stringify({
    applications: [
      {
        ...{ name: 'Wiki', application_type: 'wiki' },
        local_users: [
          ...['ann', 'bo'].map((name) => ({ name })),
          { name: 'lou', identities: ['lou@acme.example'] },
        ],
        resources: ['plans', 'budget', 'roadmap', 'news'].map((name) => ({
          ...{ name, resource_type: 'page' },
        })),
      },
    ],
    permissions: [
      { name: 'edit', permission_type: ['DataWrite'] },
      { name: 'view', permission_type: ['DataRead'] },
    ],
    identity_to_permissions: held.map(([identity, permission, resource]) => ({
      ...{ identity, identity_type: 'local_user' },
      application_permissions: [{ application: 'Wiki', permission, resources: [resource] }],
    })),
  });

beforeAll(async () => {
  service = await serviceUnderTest();
  const { path, ...ids } = await service.register('application');
  const push = async (held: Held): Promise<string> => {
    const answer = await service.post(path, { ...ids, json_data: wiki(held) });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return (answer.body as { at: string }).at;
  };
  const directory = await service.register('identity_provider');
  const people = {
    ...{ name: 'Directory', idp_type: 'directory', domains: [{ name: 'acme.example' }] },
    users: [{ name: 'Lou Reed', identity: 'lou', email: 'lou@acme.example' }],
  };
  const { path: to, ...of } = directory;
  const known = await service.post(to, { ...of, json_data: JSON.stringify(people) });
  expect([known.status, known.text]).toEqual([200, known.text]);
  then = await push(FIRST);
  await push(SECOND);
  analyst = new Browser(service.app);
  await analyst.signIn(API_KEY);
});
afterAll(() => service.close());

/** What the rows of a page say of what they can, by the names of the rows. */
const canOn = async (path: string): Promise<{ said: string; rows: Record<string, string> }> => {
  const { status, text } = await analyst.get(path);
  expect([path, status]).toEqual([path, 200]);
  const html = plain(text);
  const words = (part: string): string =>
    part
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  const rows = html
    .split('<tr>')
    .filter((row) => row.includes('data-name="Can"'))
    .map((row) => {
      const [, name = ''] = /<bdi[^>]*>([^<]*)</.exec(row) ?? [];
      const [, can = ''] = /data-name="Can">([^]*?)<\/td>/.exec(row) ?? [];
      return [name, /(?:no longer|now also).*$/.exec(words(can))?.[0] ?? ''] as const;
    });
  return {
    said: words(/<p class="note">[^]*?<\/p>/.exec(html)?.[0] ?? ''),
    rows: Object.fromEntries(rows),
  };
};

test('each row of a list about an instant says how it differs from now', async () => {
  const ann = encodeURIComponent(await keyOf(service, 'LocalUser', 'ann'));
  const { said, rows } = await canOn(`/console/people/${ann}?at=${encodeURIComponent(then)}`);
  expect(rows).toEqual({
    budget: 'no longer',
    plans: expect.stringMatching(/^no longer write/) as unknown,
    roadmap: expect.stringMatching(/^now also write/) as unknown,
  });
  expect(said).toMatch(/^3 rows of this page differ from now, and say how\. 1 other changed since/);
  const [plans, roadmap] = [
    await keyOf(service, 'Resource', 'plans'),
    await keyOf(service, 'Resource', 'roadmap'),
  ].map(encodeURIComponent);
  const ofPlans = await canOn(`/console/resources/${plans}?at=${encodeURIComponent(then)}`);
  expect(ofPlans.rows).toEqual({
    ann: expect.stringMatching(/^no longer write/) as unknown,
    bo: 'no longer',
  });
  const ofRoadmap = await canOn(`/console/resources/${roadmap}?at=${encodeURIComponent(then)}`);
  expect(ofRoadmap.rows).toEqual({ ann: expect.stringMatching(/^now also write/) as unknown });
  // Before, the user, the identity and the account of one human were three others.
  expect(ofRoadmap.said).toMatch(/^1 row of this page differs .* 1 other changed since/);
});

test('a list about now says nothing of another time, and one of what has not changed says that', async () => {
  const ann = encodeURIComponent(await keyOf(service, 'LocalUser', 'ann'));
  const now = await canOn(`/console/people/${ann}`);
  expect(now.rows).toEqual({ news: '', plans: '', roadmap: '' });
  expect(now.said).not.toContain('differ');
  const soon = new Date().toISOString();
  const same = await canOn(`/console/people/${ann}?at=${soon}`);
  expect([same.said, Object.values(same.rows)]).toEqual([
    'Nothing of this has changed since then.',
    ['', '', ''],
  ]);
});
