/** @more pages */
import type { AccessChangeList } from '../../../src/contract/answers/questions/access-changes';
import { Browser } from '../../http/browser-session';
import { keyOf } from '../../http/company';
import {
  API_KEY,
  type RegisteredIds,
  type ServiceUnderTest,
  serviceUnderTest,
} from '../../http/service-under-test';

let service: ServiceUnderTest;
let directory: RegisteredIds;
let wiki: RegisteredIds;
let analyst: Browser;
let nth = 0;

beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());
beforeEach(async () => {
  directory = await service.register('identity_provider');
  wiki = await service.register('application');
  analyst = new Browser(service.app);
  await analyst.signIn(API_KEY);
  nth += 1;
});

const push = async ({ path, ...ids }: RegisteredIds, payload: object): Promise<string> => {
  const sent = { ...ids, json_data: JSON.stringify(payload) };
  const answer = await service.post(path, sent);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return String((answer.body as { readonly push_id: unknown }).push_id);
};

/** Who is in the editors, and who in another group that may do the same. */
const people = (
  editors: readonly string[],
  also: readonly string[] = [],
  more: object = {},
): object => ({
  idp_type: 'ldap',
  domains: [{ name: 'corp' }],
  groups: [{ name: `editors${nth}` }, { name: `others${nth}` }],
  users: ['ann', 'ben', 'cem'].map((name) => ({
    name: `${name}${nth}`,
    email: `${name}${nth}@corp`,
    ...more,
    groups: [
      ...(editors.includes(name) ? [{ identity: `editors${nth}` }] : []),
      ...(also.includes(name) ? [{ identity: `others${nth}` }] : []),
    ],
  })),
});

const application = (...permissions: readonly string[]): object => ({
  applications: [
    {
      name: `wiki${nth}`,
      application_type: 'wiki',
      local_groups: [
        { name: 'writers', identities: [`editors${nth}`] },
        { name: 'seconds', identities: [`others${nth}`] },
      ],
      resources: ['news', 'pages'].map((name) => ({ name, resource_type: 'space' })),
    },
  ],
  permissions: ['read', 'write'].map((name) => ({
    name,
    permission_type: [name === 'read' ? 'DataRead' : 'DataWrite'],
  })),
  identity_to_permissions: ['writers', 'seconds'].map((identity) => ({
    identity,
    identity_type: 'local_group',
    application_permissions: permissions.map((permission) => ({
      application: `wiki${nth}`,
      permission,
      resources: ['news', 'pages'],
    })),
  })),
});

const changesOf = async (asked: Readonly<Record<string, string>>): Promise<AccessChangeList> => {
  const query = new URLSearchParams({ ...asked, details: 'true' });
  const answer = await service.send('get', `/api/v1/access:changes?${query.toString()}`);
  expect(answer.status).toBe(200);
  return answer.body as AccessChangeList;
};

const changesBy = (id: string): Promise<AccessChangeList> => changesOf({ push: id });

/** The rows of the table of a page, each as its cells. */
const linesAt = async (path: string): Promise<readonly (readonly string[])[]> => {
  const { status, text } = await analyst.get(path);
  expect(status).toBe(200);
  return text
    .split('<tr>')
    .slice(2)
    .map((row) =>
      row
        .split(/<t[dh][ >]/)
        .slice(1)
        .map((cell) =>
          cell
            .replace(/^[^>]*>/, '')
            .replace(/<\/t[dh]>[^]*$/, '')
            .replaceAll(/<[^>]*>/g, ' ')
            .replaceAll(/\s+/g, ' '),
        ),
    );
};

/** Those of the page of a push. */
const linesOn = (id: string): Promise<readonly (readonly string[])[]> =>
  linesAt(`/console/changes?push=${id}`);

const causesOf = ({ values }: AccessChangeList, who: string): readonly unknown[] =>
  values
    .filter(({ principal: { label, name } }) => label === 'IdpUser' && name === `${who}${nth}`)
    .map(({ causes = [] }) =>
      causes.map(
        ({ things }) =>
          things?.map(({ change, type, from, to, push: by }) => [
            change,
            type,
            from.name,
            to?.name,
            by,
          ]) ?? null,
      ),
    );

test('a line says who can what because of what, when and by which push', async () => {
  await push(directory, people(['ben']));
  await push(wiki, application('read', 'write'));
  const joined = await push(directory, people(['ann', 'ben', 'cem']));
  const answer = await changesBy(joined);
  expect(answer.counts).toMatchObject({
    people: 2,
    people_gained: 2,
    people_lost: 0,
    resources: 2,
  });
  const cause = [['began', 'MEMBER_OF', `ann${nth}`, `editors${nth}`, joined]];
  expect(causesOf(answer, 'ann')).toEqual([[cause], [cause]]);
  // Two people and two resources of one cause are one line.
  const [line, another] = await linesOn(joined);
  expect(another).toBeUndefined();
  const [who = '', what, because, when] = line ?? [];
  expect(who).toMatch(new RegExp(`^ ?2 people ann${nth} .* ben|2 people .*ann${nth} .*cem${nth} `));
  expect(what).toMatch(/can now .*2 resources .* in wiki/);
  expect(because).toMatch(new RegExp(`^ ?joined editors${nth} `));
  expect(when).toContain(joined.slice(0, 8));
  const left = await push(directory, people(['ben', 'cem']));
  expect(causesOf(await changesBy(left), 'ann')[0]).toEqual([
    [['ended', 'MEMBER_OF', `ann${nth}`, `editors${nth}`, left]],
  ]);
  const [, lost = '', why] = (await linesOn(left))[0] ?? [];
  expect([lost, why]).toEqual([
    expect.stringContaining('can no longer'),
    expect.stringMatching(new RegExp(`^ ?left editors${nth} `)),
  ]);
});

test('where several ways came at once nothing is certain, and what is needed together is said so', async () => {
  await push(directory, people([]));
  await push(wiki, application('read'));
  const both = await push(directory, people(['ann'], ['ann']));
  expect(causesOf(await changesBy(both), 'ann')).toEqual([[null], [null]]);
  expect((await linesOn(both))[0]?.[2]).toContain('more than one change');
  const since = String((await changesBy(both)).to);
  await push(directory, people([]));
  await push(wiki, application('read', 'write'));
  await push(directory, people(['ann']));
  // She was in a group with read, and is in it again: only write came, by the grant alone.
  const { values } = await changesOf({ since, application: `wiki${nth}` });
  const [first] = values.filter(
    ({ principal }) => principal.name === `ann${nth}` && principal.label === 'IdpUser',
  );
  expect(first?.gained.map(({ name }) => name)).toEqual(['write']);
  expect(first?.causes?.map(({ things }) => things?.map(({ type }) => type))).toEqual([['HOLDS']]);
});

test('what two pushes brought together is one cause of two things', async () => {
  await push(directory, people([]));
  await push(wiki, application());
  const { to: since } = await changesBy(await push(directory, people(['ben'])));
  const granted = await push(wiki, application('write'));
  const joined = await push(directory, people(['ann', 'ben']));
  const [first] = causesOf(await changesOf({ since, application: `wiki${nth}` }), 'ann');
  expect(first).toEqual([
    [
      ['began', 'MEMBER_OF', `ann${nth}`, `editors${nth}`, joined],
      ['began', 'HOLDS', 'writers', 'write', granted],
    ],
  ]);
  const page = new URLSearchParams({ since, application: `wiki${nth}` });
  const { text } = await analyst.get(`/console/changes?${page.toString()}`);
  expect(text).toContain('2 changes together: ');
});

test('the cause of a loss is of the push by which it was lost', async () => {
  await push(directory, people(['ann', 'ben']));
  const { to: since } = await changesBy(await push(wiki, application('read')));
  // Ann only changes, and Ben gets another group in place of his first one.
  await push(directory, people(['ann'], ['ben'], { full_name: 'Changed' }));
  const left = await push(directory, people([], [], { full_name: 'Changed' }));
  const answer = await changesOf({ since, application: `wiki${nth}` });
  for (const [who, group] of [['ann', 'editors'] as const, ['ben', 'others'] as const]) {
    const ended = [['ended', 'MEMBER_OF', `${who}${nth}`, `${group}${nth}`, left]];
    expect(causesOf(answer, who)).toEqual([[ended], [ended]]);
    expect(causesOf(await changesBy(left), who)).toEqual([[ended], [ended]]);
  }
});

test('the page of one person says what changed because of what, as Changes does', async () => {
  await push(directory, people(['ben']));
  const { to: since } = await changesBy(await push(wiki, application('read', 'write')));
  await push(directory, people(['ann', 'ben']));
  await push(wiki, application('read'));
  const { to: until } = await changesBy(await push(directory, people(['ann'])));
  for (const who of ['ann', 'ben']) {
    const key = await keyOf(service, 'IdpUser', `${who}${nth}`);
    const time = new URLSearchParams({ since, until });
    const all = await linesAt(
      `/console/changes?${time.toString()}&principal=${encodeURIComponent(key)}`,
    );
    const own = await linesAt(
      `/console/people/${encodeURIComponent(key)}?view=changes&${time.toString()}`,
    );
    expect(own).toEqual(all.map(([, ...cells]) => cells));
    // Of one account alone, each line leads to the ways of that account alone.
    const { text } = await analyst.get(
      `/console/people/${encodeURIComponent(key)}?view=changes&only=true&${time.toString()}`,
    );
    const ways = text.match(/href="\/console\/why[^"]*"/g) ?? [];
    expect(ways).not.toEqual([]);
    expect(ways.filter((href) => href.includes('person='))).toEqual([]);
    const [[, because] = []] = own;
    const began = who === 'ann' ? `^ ?joined editors${nth} ` : `left editors${nth} `;
    expect(because).toMatch(new RegExp(began));
  }
});

test('what came with the first push of a data source is one cause, which names the source', async () => {
  const { to: beginning } = await changesBy(await push(directory, people(['ann'])));
  // A refused push changes nothing, so it is not the first one.
  const { path, ...ids } = wiki;
  expect((await service.post(path, { ...ids, json_data: '{}' })).status).toBe(400);
  const first = await push(wiki, application('read', 'write'));
  const lines = await linesOn(first);
  expect(lines.length).toBeGreaterThan(0);
  for (const [, , because] of lines) {
    expect(because).toMatch(/^ ?first push of Provider \d+, Main ?$/);
  }
  // One line for all resources of somebody, whatever led there.
  const [ann] = lines.filter(([who = '']) => who.includes(`ann${nth}`));
  expect(ann?.[1]).toMatch(/2 resources/);
  await push(wiki, application('read'));
  const again = await push(wiki, application('read', 'write'));
  for (const [, , because] of await linesOn(again)) expect(because).not.toContain('first push');
  // Of each thing that the interface names: whether its push was the first that changed its source.
  const { values } = await changesOf({ since: beginning });
  const things = values.flatMap(({ causes = [] }) => causes.flatMap((each) => each.things ?? []));
  const told = things.map(({ push: by, first_push_of: of }) => [by, of !== undefined]);
  expect(told).toEqual(told.map(([by]) => [by, by === first]));
  const query = new URLSearchParams({ push: first, details: 'true', words: 'true' });
  const { text: file } = await analyst.get(`/console/csv/changes?${query.toString()}`);
  expect(file).toMatch(/,"?first push of Provider \d+, Main"?,/);
});

/** Everybody of a directory reads every page of a wiki. */
const readers = (users: number, pages: number): readonly [directory: object, wiki: object] => [
  {
    idp_type: 'ldap',
    domains: [{ name: 'corp' }],
    groups: [{ name: `editors${nth}` }],
    users: Array.from({ length: users }, (_, at) => ({
      name: `reader${at}`,
      email: `reader${at}@corp${nth}`,
      groups: [{ identity: `editors${nth}` }],
    })),
  },
  {
    applications: [
      {
        name: `wiki${nth}`,
        application_type: 'wiki',
        local_groups: [{ name: 'readers', identities: [`editors${nth}`] }],
        resources: Array.from({ length: pages }, (_, at) => ({
          name: `page${at}`,
          resource_type: 'page',
        })),
      },
    ],
    permissions: [{ name: 'read', permission_type: ['DataRead'] }],
    identity_to_permissions: [
      {
        identity: 'readers',
        identity_type: 'local_group',
        application_permissions: [
          {
            application: `wiki${nth}`,
            permission: 'read',
            resources: Array.from({ length: pages }, (_, at) => `page${at}`),
          },
        ],
      },
    ],
  },
];

/** All pages of the list of a push, each as its text, and as those of its people whose names are there. */
const pagesOf = async (
  id: string,
): Promise<readonly { readonly text: string; readonly people: readonly string[] }[]> => {
  const pages: { readonly text: string; readonly people: readonly string[] }[] = [];
  for (let path: string | undefined = `/console/changes?push=${id}`; path !== undefined;) {
    const { status, text } = await analyst.get(path);
    expect(status).toBe(200);
    const named = [...text.matchAll(/>(reader\d+)<\/bdi>/g)].map(([, name = '']) => name);
    pages.push({
      text: text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '),
      people: [...new Set(named)].sort(),
    });
    path = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  return pages;
};

// A stranger turned 24 pages for 48 people, each of whom was on several.
test('each human is on one page of the list, and the page counts people', async () => {
  const [people, pages] = readers(24, 60);
  await push(directory, people);
  const id = await push(wiki, pages);
  const { total, counts } = await changesOf({ push: id, people_first: 'true' });
  expect([total >= 24 * 60, counts.people]).toEqual([true, 24]);
  const shown = await pagesOf(id);
  expect(shown.flatMap(({ people: named }) => named).sort()).toEqual(
    Array.from({ length: 24 }, (_, at) => `reader${at}`).sort(),
  );
  expect(shown.length).toBeLessThanOrEqual(Math.ceil(total / 300));
  for (const { text, people: named } of shown) {
    expect(text).toContain(`${named.length} of 24 people and `);
  }
});

test('who has more changes than a page has room for is alone on it, and the page says how many follow', async () => {
  const [people, pages] = readers(1, 550);
  await push(directory, people);
  const id = await push(wiki, pages);
  const { values } = await changesOf({ push: id, people_first: 'true', page_size: '10000' });
  const theirs = values.filter(({ is_person }) => is_person === true).length;
  const [first] = await pagesOf(id);
  expect(first?.text).toMatch(
    new RegExp(`reader0 .*has ${theirs - 500} more changes, which follow on the next page`),
  );
  expect(first?.text).toContain('1 of 1 person and 0 of ');
});
