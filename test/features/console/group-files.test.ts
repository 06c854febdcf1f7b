/** @more pages */

import { parse } from 'csv-parse/sync';

import { askMembers } from '../../../src/features/console/pages/person/asked-members';
import { visible } from '../../../src/visible-text';
import { Browser } from '../../http/browser-session';
import { keyOf, pushCompany } from '../../http/company';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from '../../http/service-under-test';
import { plain } from './page-rows';

let service: ServiceUnderTest;
let analyst: Browser;
/** The key of a group with more members than its page lists, and the instant at which it had none. */
let large: { readonly id: string; readonly emptyAt: string };

const MANY = 130;
const FORMULA = '=HYPERLINK("http://evil.example")';

const directory = (members: readonly string[]): string =>
  JSON.stringify({
    name: 'Large',
    idp_type: 'directory',
    domains: [{ name: 'large.example' }],
    users: members.map((name, at) => ({
      name,
      identity: `u${at}`,
      email: `u${at}@large.example`,
      groups: [{ identity: 'crowd' }],
    })),
    groups: [{ name: '+crowd', identity: 'crowd' }],
  });

beforeAll(async () => {
  service = await serviceUnderTest();
  await pushCompany(service);
  const { path, ...ids } = await service.register('identity_provider');
  const push = async (members: readonly string[]): Promise<string> => {
    const answer = await service.post(path, { ...ids, json_data: directory(members) });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return (answer.body as { at: string }).at;
  };
  const emptyAt = await push([]);
  await push([FORMULA, ...Array.from({ length: MANY - 1 }, (_, at) => `Member ${at}`)]);
  large = { id: await keyOf(service, 'IdpGroup', '+crowd'), emptyAt };
  analyst = new Browser(service.app);
  await analyst.signIn(API_KEY);
});
afterAll(() => service.close());

const page = async (path: string): Promise<string> => {
  const answer = await analyst.get(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text;
};

const api = async <A>(path: string, query: Readonly<Record<string, string>>): Promise<A> => {
  const asked = new URLSearchParams(query).toString();
  const answer = await service.send('get', `/api/v1/${path}?${asked}`);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body as A;
};

interface FileRead {
  readonly name: string;
  readonly rows: readonly Readonly<Record<string, string>>[];
}

const fileAt = async (href: string): Promise<FileRead> => {
  const { status, text, headers } = await analyst.get(href);
  expect([href, status, headers['content-type']]).toEqual([href, 200, 'text/csv; charset=utf-8']);
  // Excel reads UTF-8 only behind this mark.
  expect([href, text.charAt(0)]).toEqual([href, '\ufeff']);
  const name = /^attachment; filename="([^"]*)"$/.exec(headers['content-disposition'] ?? '')?.[1];
  const rows = parse(text, { bom: true, columns: true }) as FileRead['rows'];
  return { name: name ?? '', rows };
};

/** What the second file says, by the name of each fact. */
const aboutAt = async (href: string): Promise<Readonly<Record<string, string>>> => {
  const { name, rows } = await fileAt(href);
  expect(name).toMatch(/-about\.csv$/);
  return Object.fromEntries(
    rows.map(({ 'About this file': fact = '', '': value = '' }) => [fact, value] as const),
  );
};

/** The files of a page: each with the one that says what it answers. */
const filesOn = (html: string, path: string): readonly (readonly [file: string, about: string])[] =>
  [...plain(html).matchAll(/<p class="asked"><a href="([^"]*)">[^<]*<\/a> · <a href="([^"]*)">/g)]
    .map(([, file = '', about = '']) => [file, about] as const)
    .filter(([file]) => file.startsWith(path));

const MEMBERS = '/console/csv/members';
const LOSSES = '/console/csv/losses';
const TODAY = String.raw`\d{4}-\d\d-\d\d`;

/** What the first column and the named cell of each row of a table of a page say. */
const rowsOf = (html: string, caption: string, cell: string): readonly (readonly string[])[] => {
  const [, table = ''] =
    new RegExp(`<caption[^>]*>${caption}</caption>(.*?)</table>`, 's').exec(html) ?? [];
  const words = (part = ''): string => plain(part.replaceAll(/<[^>]*>/g, '')).trim();
  return [...table.matchAll(/<tr><th scope="row">(.*?)<\/tr>/gs)].map(([, row = '']) => [
    words(/<bdi[^>]*>(.*?)<\/bdi>/s.exec(row)?.[1]),
    words(new RegExp(`data-name="${cell}"[^>]*>(.*?)</td>`, 's').exec(row)?.[1]),
  ]);
};

const personPage = (id: string, query: Readonly<Record<string, string>>): Promise<string> =>
  page(`/console/people/${encodeURIComponent(id)}?${new URLSearchParams(query).toString()}`);

interface Everybody {
  readonly value: {
    readonly everybody: {
      readonly total: number;
      readonly values: readonly {
        readonly about: { readonly name: string };
        readonly person: boolean;
        readonly way: { readonly since: string | null };
      }[];
    };
    readonly members: { readonly total: number };
  };
}

test('the members of a group are a file: its rows are those of the page and of the interface', async () => {
  const id = await keyOf(service, 'LocalGroup', 'firmware-team');
  const html = await personPage(id, { view: 'members' });
  const [[file, about] = ['', ''], [direct, aboutDirect] = ['', '']] = filesOn(html, MEMBERS);
  const { name, rows } = await fileAt(file);
  expect(name).toMatch(new RegExp(`^firmware-team-members-${TODAY}\\.csv$`));
  const { value } = await api<Everybody>(`entities/${encodeURIComponent(id)}`, {
    everybody: 'true',
  });
  const { total, values } = value.everybody;
  expect(rows).toHaveLength(total);
  expect(rows.map((row) => [row.Who, row.Marks?.includes('not a person'), row.Since])).toEqual(
    values.map(({ about: who, person, way }) => [who.name, !person, way.since ?? '']),
  );
  const shown = rowsOf(html, 'Who is in it; people first', 'Through');
  expect(shown.length).toBeGreaterThan(3);
  expect(
    rows.map(({ Who = '', Through = '' }) => [visible(Who), Through.replaceAll(/[()]/g, '')]),
  ).toEqual(shown);
  expect(Object.keys(rows[0] ?? {})).toEqual([
    'Who',
    'Kind',
    'Who is from',
    'Marks',
    'Through',
    'Since',
    'Push',
  ]);
  const pushes = new Set(rows.map(({ Push }) => Push));
  for (const push of pushes) expect(push).toMatch(/^[\da-f-]{36}$/);
  const told = await aboutAt(about);
  expect(told).toMatchObject({
    Question: 'Who is in firmware-team in any way, and through what',
    Filters: 'none',
    Rows: String(total),
    'Asked by': 'API_KEY',
  });
  expect(told['Asked at']).toMatch(/Z$/);
  expect(told['Newest push by then']).toMatch(/^[\da-f-]{36}$/);

  const directly = await fileAt(direct);
  expect(directly.name).toMatch(new RegExp(`^firmware-team-direct-members-${TODAY}\\.csv$`));
  expect(directly.rows.map(({ Who }) => [Who])).toEqual(
    rowsOf(html, 'Directly in it', 'Since').map(([who = '']) => [who]),
  );
  expect(directly.rows).toHaveLength(value.members.total);
  expect(await aboutAt(aboutDirect)).toMatchObject({
    Question: 'Who is directly in firmware-team',
    Rows: String(value.members.total),
  });
});

test('who has a role is a file too', async () => {
  const id = await keyOf(service, 'LocalRole', 'Developer');
  const html = await personPage(id, { view: 'members' });
  const [[file] = ['']] = filesOn(html, MEMBERS);
  const { name, rows } = await fileAt(file);
  expect(name).toMatch(new RegExp(`^developer-members-${TODAY}\\.csv$`));
  expect(rows.map(({ Who }) => Who)).toEqual(rowsOf(html, 'Members', 'Kind').map(([who]) => who));
  expect(rows.length).toBeGreaterThan(0);
});

test('a file has all members of a large group, and no name is a formula', async () => {
  const html = await personPage(large.id, { view: 'members' });
  for (const [[file] = [''], caption] of [
    [filesOn(html, MEMBERS)[0], 'Who is in it; people first'],
    [filesOn(html, MEMBERS)[1], 'Directly in it'],
  ] as const) {
    const { name, rows } = await fileAt(file);
    expect(name).toMatch(/^crowd-/);
    const names = rows.map(({ Who }) => Who);
    expect([new Set(names).size, names.length]).toEqual([MANY, MANY]);
    const onPage = rowsOf(html, caption, 'Since').map(([who]) => who);
    expect(onPage.length).toBeLessThan(MANY);
    expect(names.slice(0, onPage.length)).toEqual(
      onPage.map((who) => (who === FORMULA ? `'${FORMULA}` : who)),
    );
    expect(names).toContain(`'${FORMULA}`);
  }
});

test.each([true, false])('pages of members follow each other (directly: %s)', async (directly) => {
  const names: string[] = [];
  let token = '';
  do {
    const next = await askMembers(service.context, { of: large.id, directly, at: '' }, token, 50)();
    if (next._tag === 'Left') throw new Error(JSON.stringify(next.left));
    names.push(...next.right.values.map(({ about }) => about.name));
    expect(next.right.total).toBe(MANY);
    token = next.right.next_page_token;
  } while (token !== '');
  expect([names.length, new Set(names).size]).toEqual([MANY, MANY]);
});

test('a file is about the instant of its page', async () => {
  const at = large.emptyAt;
  const asked = new URLSearchParams({ of: large.id, at }).toString();
  expect((await fileAt(`${MEMBERS}?${asked}`)).rows).toEqual([]);
  expect(await aboutAt(`${MEMBERS}?${asked}&about=true`)).toMatchObject({
    Rows: '0',
    'As of': at,
  });
  const html = await personPage(await keyOf(service, 'LocalGroup', 'firmware-team'), {
    view: 'members',
    at: new Date().toISOString(),
  });
  const links = [...filesOn(html, MEMBERS)];
  expect(links).toHaveLength(2);
  for (const [file] of links) expect(file).toMatch(/[?&]at=\d{4}-/);
});

interface Losses {
  readonly people: number;
  readonly others: number;
  readonly values: readonly {
    readonly name: string;
    readonly resources: number;
    readonly lost: readonly { readonly name: string }[];
    readonly left: readonly { readonly name: string }[];
    readonly losses: readonly {
      readonly name: string;
      readonly path: string | null;
      readonly lost: readonly { readonly name: string }[];
      readonly left: readonly { readonly name: string }[];
    }[];
  }[];
}

const named = (held: readonly { readonly name: string }[]): string =>
  held.map(({ name }) => name).join(', ');

test('who would lose what if nobody were in a group is a file: a line for each person and resource', async () => {
  const without = await keyOf(service, 'IdpGroup', 'Firmware Maintainers');
  const html = await personPage(without, { view: 'without' });
  const [[file, about] = ['', '']] = filesOn(html, LOSSES);
  const { name, rows } = await fileAt(file);
  expect(name).toMatch(new RegExp(`^firmware-maintainers-if-nobody-were-in-it-${TODAY}\\.csv$`));
  const { values, others } = await api<Losses>('access:gateways', { without });
  const lines = values.flatMap(({ name: who, losses }) =>
    losses.map(({ path, name: what, lost, left }) => [who, path ?? what, named(lost), named(left)]),
  );
  expect(lines.length).toBeGreaterThan(values.length);
  expect(
    rows.map((row) => [row.Who, row.Resource, row['Permissions lost'], row['Permissions left']]),
  ).toEqual(lines);
  expect([...new Set(rows.map(({ Who }) => Who))]).toEqual(
    rowsOf(html, 'Who would lose what', 'Remains').map(([who]) => who),
  );
  for (const row of rows) {
    expect(row['Would still have'] === 'nothing').toBe(row['Permissions left'] === '');
    expect(row['Would lose']).not.toBe('');
  }
  expect(await aboutAt(about)).toMatchObject({
    Question: 'Who would lose what if nobody were in Firmware Maintainers',
    Filters: 'none',
    Rows: String(lines.length),
    'Others that belong to nobody': others === 0 ? 'none' : `${others}, not in this file`,
  });
});

// Before, only the page said that there are others.
test('the second file of losses says how many belong to nobody and are not in the file', async () => {
  const { path, ...ids } = await service.register('application');
  const payload = {
    applications: [
      {
        name: 'Robots',
        application_type: 'robots',
        local_groups: [{ name: 'machines' }, { name: 'arms', groups: ['machines'] }],
      },
    ],
  };
  const answer = await service.post(path, { ...ids, json_data: JSON.stringify(payload) });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  const without = await keyOf(service, 'LocalGroup', 'machines');
  const { others } = await api<Losses>('access:gateways', { without });
  expect(others).toBe(1);
  const asked = new URLSearchParams({ without, about: 'true' }).toString();
  expect(await aboutAt(`${LOSSES}?${asked}`)).toMatchObject({
    'Others that belong to nobody': '1, not in this file',
  });
});

test('so is who would lose what on a resource, with the filters of its page', async () => {
  const without = await keyOf(service, 'IdpGroup', 'Firmware Maintainers');
  const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
  const asked = { without, permission_type: 'DataWrite' };
  const html = await page(
    `/console/resources/${encodeURIComponent(resource)}?${new URLSearchParams(asked).toString()}`,
  );
  const [[file, about] = ['', '']] = filesOn(html, LOSSES);
  const { name, rows } = await fileAt(file);
  expect(name).toMatch(new RegExp(`^motor-control-without-firmware-maintainers-${TODAY}\\.csv$`));
  const { values } = await api<Losses>('access:gateways', { resource, ...asked });
  expect(values.length).toBeGreaterThan(0);
  expect(rows.map((row) => [row.Who, row['Permissions lost'], row['Permissions left']])).toEqual(
    values.map(({ name: who, lost, left }) => [who, named(lost), named(left)]),
  );
  expect(await aboutAt(about)).toMatchObject({
    Question: 'Who would lose what on Firmware.motor-control without Firmware Maintainers',
    Filters: expect.stringContaining('permission type: DataWrite') as string,
    Rows: String(values.length),
  });
});

test.each([
  [MEMBERS, {}, 400, 'needs "of"'],
  [MEMBERS, { of: 'nobody' }, 404, ''],
  [MEMBERS, { of: '$group', directly: 'perhaps' }, 400, 'neither true nor false'],
  [MEMBERS, { of: '$group', at: 'once upon a time' }, 400, 'no time'],
  [MEMBERS, { of: '$group', page_token: 'x' }, 400, ''],
  [MEMBERS, { of: '$group', permission: 'Push' }, 400, ''],
  [LOSSES, {}, 400, 'needs "without"'],
  [LOSSES, { without: 'nobody' }, 404, ''],
  [LOSSES, { without: '$group', permission_type: 'DataWrit' }, 400, 'DataWrite'],
  [LOSSES, { without: '$group', contents: 'true' }, 400, 'everything counts'],
  [LOSSES, { without: '$group', mark: 'inactive' }, 400, ''],
] as const)('%s refuses %j', async (path, query, expected, words) => {
  const asked = Object.entries(query).map(([name, value]): [string, string] => [
    name,
    value === '$group' ? large.id : value,
  ]);
  const { status, type, headers, text } = await analyst.get(
    `${path}?${new URLSearchParams(asked).toString()}`,
  );
  expect([status, type, headers['content-disposition']]).toEqual([
    expected,
    'text/html',
    undefined,
  ]);
  expect(plain(text)).toContain(words);
});
