/** @more pages */

import * as E from 'fp-ts/Either';

import { instantNamed } from '../../../src/features/console/asking/moment';
import { READ_HISTORY_SINCE } from '../../../src/graph/statements/past-statements';
import { ask } from '../../../src/neo4j/ask';
import { runTransaction } from '../../../src/neo4j/transaction';
import { countingRound } from '../../../src/push/counting/count-changes';
import { accessCountingOf } from '../../../src/questions/contract';
import { grouped } from '../../../src/model/grouped';
import { Browser } from '../../http/browser-session';
import { keyOf } from '../../http/company';
import { memoryLog } from '../../http/memory-log';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from '../../http/service-under-test';
import { plain } from './page-rows';

let service: ServiceUnderTest;
let analyst: Browser;
/** The instants of the two first pushes. */
let then: string;
let second: string;
let push: (held: Held) => Promise<string>;

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
        name: 'Wiki',
        application_type: 'wiki',
        local_users: [
          ...['ann', 'bo'].map((name) => ({ name })),
          { name: 'lou', identities: ['lou@acme.example'] },
        ],
        resources: [
          ...new Set(['plans', 'budget', 'roadmap', 'news', ...held.map(([, , name]) => name)]),
        ].map((name) => ({ name, resource_type: 'page' })),
      },
    ],
    permissions: [
      { name: 'edit', permission_type: ['DataWrite'] },
      { name: 'view', permission_type: ['DataRead'] },
    ],
    identity_to_permissions: [
      ...grouped(held, ([identity, permission]) => JSON.stringify([identity, permission])).values(),
    ].flatMap(([first, ...others]) =>
      first === undefined
        ? []
        : [
            {
              identity: first[0],
              identity_type: 'local_user',
              application_permissions: [
                {
                  application: 'Wiki',
                  permission: first[1],
                  resources: [first, ...others].map(([, , resource]) => resource),
                },
              ],
            },
          ],
    ),
  });

beforeAll(async () => {
  service = await serviceUnderTest({ bodyBytes: 1024 ** 2 });
  const { path, ...ids } = await service.register('application');
  push = async (held) => {
    const answer = await service.post(path, { ...ids, json_data: wiki(held) });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return (answer.body as { at: string }).at;
  };
  const directory = await service.register('identity_provider');
  const people = {
    name: 'Directory',
    idp_type: 'directory',
    domains: [{ name: 'acme.example' }],
    users: [{ name: 'Lou Reed', identity: 'lou', email: 'lou@acme.example' }],
  };
  const { path: to, ...of } = directory;
  const known = await service.post(to, { ...of, json_data: JSON.stringify(people) });
  expect([known.status, known.text]).toEqual([200, known.text]);
  then = await push(FIRST);
  second = await push(SECOND);
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
      return [
        name,
        /(?:no longer|now also|later also|not before|before also).*$/.exec(words(can))?.[0] ?? '',
      ] as const;
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

/** What the fields of instants of a page offer: each value with what it is. */
const offeredOn = async (path: string): Promise<readonly (readonly [string, string])[]> => {
  const { text } = await analyst.get(path);
  return [...text.matchAll(/<option value="([^"]*)" label="([^"]*)"/g)].map(
    ([, value = '', label = '']) => [value, label] as const,
  );
};

// Whoever did not know an instant could not ask about one.
test('the fields of instants offer the pushes that changed access, and their pages say what differs', async () => {
  const plans = encodeURIComponent(await keyOf(service, 'Resource', 'plans'));
  const path = `/console/resources/${plans}`;
  await countingRound(accessCountingOf(service.context), memoryLog([]))(() => false);
  const offered = await offeredOn(path);
  expect(offered.map(([, label]) => label)).toEqual([
    expect.stringMatching(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d, &quot;.*&quot;: \+[1-9]\d* −[1-9]\d* permissions$/,
    ),
    expect.stringMatching(/: \+[1-9]\d* −0 permissions$/),
  ]);
  const { rows } = await canOn(`${path}?at=${offered[1]?.[0] ?? ''}`);
  expect(rows).toEqual({ ann: 'no longer write', bo: 'no longer' });
});

test('a week of the history is offered once it is over, and refused before', async () => {
  const ann = encodeURIComponent(await keyOf(service, 'LocalUser', 'ann'));
  const path = `/console/people/${ann}`;
  const early = await analyst.get(`${path}?at=first+week`);
  expect(early.status).toBe(400);
  expect(early.text).toMatch(
    /is not over yet: the history begins on \d{4}-\d\d-\d\d, so the first week ends on \d{4}-/,
  );
  const { graph } = service;
  const now = Date.now();
  const at = (days: number): string => new Date(now - days * 86_400_000).toISOString().slice(0, 10);
  const begin = (since: string): Promise<unknown> =>
    runTransaction(graph, { mode: 'write' }, (tx) =>
      tx.run("MATCH (store:Store {key: 'store'}) SET store.history_since = datetime($since)", {
        since,
      }),
    );
  const [stored] = await ask(graph, READ_HISTORY_SINCE);
  await begin(`${at(10)}T12:00:00Z`);
  try {
    const offered = new Map(await offeredOn(path));
    expect(offered.get('yesterday')).toBe(`the end of ${at(1)}`);
    expect(offered.get('first week')).toBe(`the end of ${at(4)}`);
    expect([...offered.keys()]).not.toContain('second week');
    const meant = await instantNamed(service.context, 'first week', 'UTC')();
    expect(meant).toEqual(E.right(`${at(4)}T23:59:59.999999999Z`));
    const begins = await instantNamed(
      service.context,
      'first week',
      'UTC',
      'since',
      true,
      'begin',
    )();
    expect(begins).toEqual(E.right(`${at(11)}T23:59:59.999999999Z`));
  } finally {
    await begin(String(stored?.since));
  }
});

test('the page of an application says on how much of it each row differs', async () => {
  const wikis = encodeURIComponent(await keyOf(service, 'Application', 'Wiki'));
  const { rows, said } = await canOn(`/console/resources/${wikis}?at=${encodeURIComponent(then)}`);
  expect(rows).toEqual({
    ann: expect.stringMatching(
      /^no longer write\S* on 2 resources now also read\S* write\S* on 2 resources$/,
    ) as unknown,
    bo: expect.stringMatching(/^no longer read\S* on 1 resource$/) as unknown,
  });
  expect(said).toMatch(/^2 rows of this page differ from now, .* 1 other changed since/);
});

test('a page about an instant is compared with a second one', async () => {
  // Since then everything is as at first, so that now says nothing of the second instant.
  await push(FIRST);
  const ann = encodeURIComponent(await keyOf(service, 'LocalUser', 'ann'));
  const [first, other] = [then, second].map(encodeURIComponent);
  const sinceFirst = await canOn(`/console/people/${ann}?at=${first}`);
  expect(sinceFirst.said).toBe('Nothing of this has changed since then.');
  const earlier = await canOn(`/console/people/${ann}?at=${first}&against=${other}`);
  expect(earlier.rows).toEqual({
    budget: 'no longer',
    plans: expect.stringMatching(/^no longer write/) as unknown,
    roadmap: expect.stringMatching(/^later also write/) as unknown,
  });
  expect(earlier.said).toMatch(/^3 rows of this page differ from \S+ \S+ ?, and say how/);
  const later = await canOn(`/console/people/${ann}?at=${other}&against=${first}`);
  expect(later.rows).toEqual({
    news: 'not before',
    plans: expect.stringMatching(/^before also write/) as unknown,
    roadmap: expect.stringMatching(/^not before write/) as unknown,
  });
  expect(later.said).toMatch(/1 other changed in between, or is only there/);
  // Now can be compared with an instant too.
  const now = await canOn(`/console/people/${ann}?against=${other}`);
  expect(now.rows).toEqual({
    budget: 'not before',
    plans: expect.stringMatching(/^not before write/) as unknown,
    roadmap: expect.stringMatching(/^before also write/) as unknown,
  });
  const plans = encodeURIComponent(await keyOf(service, 'Resource', 'plans'));
  const ofPlans = await canOn(`/console/resources/${plans}?at=${first}&against=${other}`);
  expect(ofPlans.rows).toEqual({
    ann: expect.stringMatching(/^no longer write/) as unknown,
    bo: 'no longer',
  });
  const same = await canOn(`/console/people/${ann}?at=${first}&against=${first}`);
  expect(Object.values(same.rows)).toEqual(['', '', '']);
  expect(same.said).not.toContain('differ');
});

test('ways say which of them are not there at the other instant', async () => {
  const [principal, resource] = await Promise.all([
    keyOf(service, 'LocalUser', 'ann'),
    keyOf(service, 'Resource', 'plans'),
  ]);
  const why = async (instants: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const query = new URLSearchParams({ principal, resource, ...instants });
    const { status, text } = await analyst.get(`/console/why?${query.toString()}`);
    expect(status).toBe(200);
    const [, note = ''] = /<p class="note">([^]*?)<\/p>/.exec(plain(text)) ?? [];
    const marked = plain(text)
      .split('<tr>')
      .filter((row) => row.includes('class="route"'))
      .map((row) => /no longer|not before/.exec(row)?.[0] ?? '');
    return [note.replaceAll(/<[^>]*>/g, '').trim(), ...marked.toSorted()];
  };
  expect(await why({ at: then, against: second })).toEqual([
    expect.stringMatching(/^1 way of these does not exist at .* Show the ways of that time$/),
    '',
    'no longer',
  ]);
  expect(await why({ at: second, against: then })).toEqual([
    expect.stringMatching(/^All of these ways exist at .*, and 1 other does\. Show/),
    '',
  ]);
  // Both are one line then.
  expect(await why({ at: then })).toEqual(['The ways are those of now.', '']);
});

test('ways of one human are compared where one of their accounts did not exist yet', async () => {
  await push(FIRST);
  const before = await push(SECOND);
  const { path, ...ids } = await service.register('application');
  const notes = {
    applications: [
      {
        name: 'Notes',
        application_type: 'notes',
        local_users: [{ name: 'louis', identities: ['lou@acme.example'] }],
      },
    ],
  };
  const pushed = await service.post(path, { ...ids, json_data: JSON.stringify(notes) });
  expect([pushed.status, pushed.text]).toEqual([200, pushed.text]);
  const { at } = pushed.body as { at: string };
  const keys = await Promise.all([
    keyOf(service, 'LocalUser', 'louis'),
    keyOf(service, 'LocalUser', 'lou'),
    keyOf(service, 'IdpUser', 'Lou Reed'),
  ]);
  const resource = await keyOf(service, 'Resource', 'roadmap');
  const query = new URLSearchParams([
    ...keys.map((key) => ['principal', key]),
    ...Object.entries({ resource, at, against: before }),
  ]);
  const page = await analyst.get(`/console/why?${query.toString()}`);
  expect([page.status, /There is no way/.test(page.text)]).toEqual([200, false]);
  expect(plain(page.text).replaceAll(/<[^>]*>/g, '')).toMatch(/The ways are those of /);
});

// The link kept all principals, and the interface answers only for those that existed.
test('the ways of the other instant are a page, also if not all of several principals existed then', async () => {
  const [apps, first] = await Promise.all([
    service.register('application'),
    keyOf(service, 'IdpUser', 'Lou Reed'),
  ]);
  const { path, ...ids } = apps;
  const archive = (users: readonly string[], permission: string): string =>
    JSON.stringify({
      applications: [
        {
          name: 'Archive',
          application_type: 'archive',
          local_users: users.map((name) => ({ name, identities: ['lou@acme.example'] })),
          resources: [
            {
              name: 'shelf',
              resource_type: 'shelf',
              sub_resources: [{ name: 'box', resource_type: 'box' }],
            },
          ],
        },
      ],
      permissions: ['edit', 'view'].map((name) => ({
        name,
        permission_type: [name === 'edit' ? 'DataWrite' : 'DataRead'],
      })),
      identity_to_permissions: users.map((identity) => ({
        identity,
        identity_type: 'local_user',
        application_permissions: [{ application: 'Archive', permission, resources: ['shelf.box'] }],
      })),
    });
  const send = async (users: readonly string[], permission: string): Promise<string> => {
    const answer = await service.post(path, { ...ids, json_data: archive(users, permission) });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return (answer.body as { at: string }).at;
  };
  const earlier = await send(['archivist'], 'view');
  const later = await send(['archivist', 'librarian'], 'edit');
  const [box, shelf, ...accounts] = await Promise.all([
    keyOf(service, 'Resource', 'box'),
    keyOf(service, 'Resource', 'shelf'),
    keyOf(service, 'LocalUser', 'librarian'),
    keyOf(service, 'LocalUser', 'archivist'),
  ]);
  const textOf = async (address: string): Promise<string> => {
    const { status, text } = await analyst.get(address);
    expect([address, status]).toEqual([address, 200]);
    return plain(text);
  };
  const linkIn = (html: string, words: string): string =>
    [...html.matchAll(/<a href="([^"]+)"[^>]*>([^<]*)/g)].find(
      ([, , text]) => text === words,
    )?.[1] ?? '';
  // Both orders: the first may be the one that did not exist.
  for (const principals of [accounts, accounts.toReversed()]) {
    const query = new URLSearchParams([
      ...principals.map((key) => ['principal', key]),
      ...Object.entries({ resource: box, at: later, against: earlier }),
    ]);
    const html = await textOf(`/console/why?${query.toString()}`);
    const href = linkIn(html, 'Show the ways of that time');
    const other = await textOf(href);
    expect(other).toMatch(/Through what[^]*?Lou Reed/);
    expect(other).toMatch(/>1 way to 1 permission/);
    expect(other).toContain('At this instant they are');
    // So do its files, and the page turned round.
    for (const words of ['All ways as CSV', 'the map as a picture (SVG)', 'the other way round']) {
      const { status } = await analyst.get(linkIn(other, words));
      expect([words, status]).toEqual([words, 200]);
    }
  }
  // Nothing leads to an instant at which there was nothing.
  const before = new Date(Date.parse(earlier) - 1).toISOString();
  const gone = new URLSearchParams({
    principal: first,
    person: 'true',
    resource: box,
    at: later,
    against: before,
  });
  const none = await textOf(`/console/why?${gone.toString()}`);
  expect(none).toMatch(/do(?:es)? not exist at/);
  expect(linkIn(none, 'Show the ways of that time')).toBe('');

  // What is in a resource is compared too, and the tab of changes has the instants of the page.
  const inside = `/console/resources/${encodeURIComponent(shelf)}?contents=true`;
  const instants = new URLSearchParams({ at: earlier, against: later }).toString();
  const { rows, said } = await canOn(`${inside}&${instants}`);
  expect(rows).toEqual({
    'Lou Reed': expect.stringMatching(
      /^no longer read\S* on 1 resource later also write/,
    ) as unknown,
  });
  expect(said).toMatch(/^1 row of this page differs from /);
  for (const [time, since, until] of [
    [instants, earlier, later],
    [new URLSearchParams({ at: later }).toString(), null, later],
  ] as const) {
    const link = linkIn(await textOf(`${inside}&${time}`), 'Gained and lost');
    const { searchParams } = new URL(link, 'http://service');
    expect(Object.fromEntries(searchParams)).toEqual({
      resource: shelf,
      contents: 'true',
      until,
      ...(since === null ? {} : { since }),
    });
    const changes = await textOf(link);
    expect(changes).toMatch(/1 person gained/);
    expect(changes).toContain('value="true" checked');
  }
  const alone = linkIn(
    await textOf(`${inside.replace('true', 'false')}&${instants}`),
    'Gained and lost',
  );
  expect(await textOf(alone)).toContain('Nobody gained or lost anything');
});

test('a second instant that cannot be compared is named, with its field', async () => {
  const ann = encodeURIComponent(await keyOf(service, 'LocalUser', 'ann'));
  // The last one looks like the id of a push, and is that of none.
  for (const against of ['2000-01-01', '2999-01-01', 'some day', 'dead0000']) {
    for (const at of ['', encodeURIComponent(then)]) {
      const query = `at=${at}&against=${encodeURIComponent(against)}`;
      const { status, text } = await analyst.get(`/console/people/${ann}?${query}`);
      expect([against, status]).toEqual([against, 400]);
      expect(text).toMatch(/<q>Compared with<\/q>/);
      expect(text).toMatch(/<label>Compared with <input name="against"/);
    }
  }
});

test('where too much changed, the page says so and no row says how it differs', async () => {
  const many = Array.from({ length: 1_001 }, (_, at) => `p${at}`);
  await push(many.map((page) => ['ann', 'view', page] as const));
  const ann = encodeURIComponent(await keyOf(service, 'LocalUser', 'ann'));
  const { said, rows } = await canOn(`/console/people/${ann}?at=${encodeURIComponent(then)}`);
  expect(said).toMatch(
    /^Too much changed for this page to say in each row how it differs\. Gained/,
  );
  expect(Object.values(rows)).toEqual(['', '', '']);
});

test('where rows have too many permissions to compare, the page says so', async () => {
  const { path, ...ids } = await service.register('application');
  const names = Array.from({ length: 1_000 }, (_, at) => `may ${at}`);
  const safe = (permissions: readonly string[]): string =>
    JSON.stringify({
      applications: [
        {
          name: 'Safe',
          application_type: 'safe',
          local_users: [{ name: 'max' }],
          local_roles: [{ name: 'everything', permissions }],
          resources: Array.from({ length: 101 }, (_, at) => ({
            name: `box ${at}`,
            resource_type: 'box',
          })),
        },
      ],
      permissions: names.map((name) => ({ name, permission_type: ['DataRead'] })),
      identity_to_permissions: [
        {
          identity: 'max',
          identity_type: 'local_user',
          role_assignments: [
            {
              application: 'Safe',
              role: 'everything',
              resources: Array.from({ length: 101 }, (_, at) => `box ${at}`),
            },
          ],
        },
      ],
    });
  const pushed = async (permissions: readonly string[]): Promise<string> => {
    const answer = await service.post(path, { ...ids, json_data: safe(permissions) });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return (answer.body as { at: string }).at;
  };
  const before = await pushed(names.slice(0, 1));
  await pushed(names);
  const max = encodeURIComponent(await keyOf(service, 'LocalUser', 'max'));
  const { said, rows } = await canOn(`/console/people/${max}?at=${encodeURIComponent(before)}`);
  expect(said).toMatch(/^Too much changed for this page to say in each row how it differs/);
  expect([...new Set(Object.values(rows))]).toEqual(['']);
});
