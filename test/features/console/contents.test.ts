/** @more pages */
import { Browser } from '../../http/browser-session';
import { keyOf, pushCompany } from '../../http/company';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from '../../http/service-under-test';
import { type AccessRow, plain, rowsAnswered, rowsOnPage } from './page-rows';

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
  readonly values: readonly (AccessRow & {
    readonly name: string;
    readonly label: string;
    readonly person?: boolean;
  })[];
  readonly total: number;
  readonly people: number;
  readonly without_user: number;
}

interface Around {
  readonly value: Readonly<
    Record<
      'members' | 'contains',
      { readonly total: number; readonly values: readonly { about: { id: string } }[] }
    >
  >;
}

const api = async <A>(path: string, query: Readonly<Record<string, string>> = {}): Promise<A> => {
  const answer = await service.send(
    'get',
    `/api/v1/${path}?${new URLSearchParams(query).toString()}`,
  );
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body as A;
};

const page = async (path: string): Promise<string> => {
  const answer = await analyst.get(`/console/${path}`);
  expect([path, answer.status]).toEqual([path, 200]);
  return plain(answer.text);
};

const words = (html: string): string =>
  html
    .replaceAll(/<span class="unseen">.*?<\/span>/g, '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ');

const sectionOf = (html: string, id: string): string =>
  new RegExp(`<section aria-labelledby="${id}">.*?</section>`, 's').exec(html)?.[0] ?? '';

const linksIn = (html: string, to: string): readonly URL[] =>
  [...html.matchAll(/href="([^"]*)"/g)]
    .map(([, href = '']) => new URL(href, 'http://service'))
    .filter(({ pathname }) => pathname.startsWith(to));

const resourcePage = (key: string, query = ''): Promise<string> =>
  page(`resources/${encodeURIComponent(key)}${query}`);

// Before, the page counted only who reaches the application itself, and did not say so.
test('the page of an application counts who reaches anything in it, and leads to who reaches it itself', async () => {
  for (const name of ['Forge', 'Clientbook']) {
    const resource = await keyOf(service, 'Application', name);
    const all = await api<Answer>('access', { resource, contents: 'true' });
    const itself = await api<Answer>('access', { resource });
    expect(all.people).toBeGreaterThan(itself.people);
    const html = await resourcePage(resource);
    const linked = ({ values }: Answer) => values.filter(({ id }) => !id.includes('|Resource|'));
    expect([name, rowsOnPage(html, 'people')]).toEqual([name, rowsAnswered(linked(all))]);
    expect(words(html)).toContain(
      `${all.people} people and ${all.total - all.people} others can reach it or something in it`,
    );
    expect(words(html)).toContain(
      'Who reaches the application itself or anything in it counts here',
    );
    const narrower = linksIn(html, '/console/resources/').find(
      ({ searchParams }) => searchParams.get('contents') === 'false',
    );
    const other = await resourcePage(resource, narrower?.search ?? '?none');
    expect(rowsOnPage(other, 'people')).toEqual(rowsAnswered(linked(itself)));
    expect(words(other)).toContain(`${itself.people} people`);
    // Each row leads to what of the application one reaches.
    const [row] = all.values;
    const where = linksIn(html, `/console/people/${encodeURIComponent(row?.id ?? '')}`);
    expect(where.map(({ searchParams }) => searchParams.get('application'))).toContain(name);
  }
});

test('the page of a resource counts what is in it on request, and its losses count the same', async () => {
  const resource = await keyOf(service, 'Resource', 'Firmware');
  const all = await api<Answer>('access', { resource, contents: 'true' });
  const itself = await api<Answer>('access', { resource });
  expect(all.total).toBeGreaterThan(itself.total);
  const html = await resourcePage(resource);
  expect(rowsOnPage(html, 'people')).toHaveLength(
    itself.values.filter(({ id }) => !id.includes('|Resource|')).length,
  );
  expect(words(html)).toContain('and not who reaches only what is in it');
  const wide = await resourcePage(resource, '?contents=true');
  expect(words(wide)).toContain(`${all.people} people`);
  const groups = await resourcePage(resource, '?contents=true&view=through');
  const [without] = linksIn(groups, '/console/resources/').filter(({ searchParams }) =>
    searchParams.has('without'),
  );
  expect(without?.searchParams.get('contents')).toBe('true');
  const losses = await resourcePage(resource, without?.search ?? '?none');
  expect(words(losses)).toContain(` of ${all.people} people would lose everything here`);
});

test('the page of an application and of a resource lists what is directly in it', async () => {
  for (const [label, name] of [
    ['Application', 'Forge'],
    ['Resource', 'Firmware'],
  ] as const) {
    const key = await keyOf(service, label, name);
    const { contains } = (await api<Around>(`entities/${encodeURIComponent(key)}`)).value;
    expect(contains.total).toBeGreaterThan(0);
    const section = sectionOf(await resourcePage(key, '?view=inside'), 'contents');
    expect(
      linksIn(section, '/console/resources/').map(({ pathname }) =>
        decodeURIComponent(pathname.replace('/console/resources/', '')),
      ),
    ).toEqual(contains.values.map(({ about }) => about.id));
  }
  const leaf = await keyOf(service, 'Resource', 'Firmware.motor-control');
  const { contains } = (await api<Around>(`entities/${encodeURIComponent(leaf)}`)).value;
  expect(sectionOf(await resourcePage(leaf, '?view=inside'), 'contents') === '').toBe(
    contains.total === 0,
  );
});

test('Why for an application says what in it somebody reaches, and leads to the ways there', async () => {
  const resource = await keyOf(service, 'Application', 'Forge');
  const principal = await keyOf(service, 'IdpUser', 'Amara Nwosu');
  const { total, values } = await api<Answer>('access', {
    principal,
    person: 'true',
    application: 'Forge',
    label: 'Resource',
  });
  expect(total).toBeGreaterThan(1);
  const ends = { principal, resource, person: 'true' };
  const html = await page(`why?${new URLSearchParams(ends).toString()}`);
  expect(words(html)).toContain(`${total} resources in Forge are reached too`);
  const ways = linksIn(html, '/console/why').map(({ searchParams }) =>
    searchParams.get('resource'),
  );
  expect(values.some(({ id }) => ways.includes(id))).toBe(true);
});

// Before, a group's page had no members, and a loss could be found only from a resource.
test('the page of a group or role lists its members, and leads to who would lose what without it', async () => {
  const group = await keyOf(service, 'IdpGroup', 'Firmware Maintainers');
  const role = await keyOf(service, 'LocalRole', 'Developer');
  for (const key of [group, role]) {
    const { members } = (await api<Around>(`entities/${encodeURIComponent(key)}`)).value;
    expect(members.total).toBeGreaterThan(0);
    const html = await page(`people/${encodeURIComponent(key)}`);
    // Before, the page of a role that gives much said that nothing can be reached through it.
    expect(words(html)).not.toContain('Nothing can be reached');
    const section = sectionOf(
      await page(`people/${encodeURIComponent(key)}?view=members`),
      'members',
    );
    expect(words(section)).toContain(`${members.total} member`);
    const linked = linksIn(section, '/console/people/').map(({ pathname }) =>
      decodeURIComponent(pathname.replace('/console/people/', '')),
    );
    expect(linked).toEqual(members.values.map(({ about }) => about.id));
    const losses = linksIn(html, '/console/resources/').filter(
      ({ searchParams }) => searchParams.get('without') === key,
    );
    expect(losses).toHaveLength(rowsOnPage(html, 'resources').length);
    const [loss] = losses;
    if (loss === undefined) continue;
    expect(words((await analyst.get(`${loss.pathname}${loss.search}`)).text)).toContain(
      'would lose',
    );
  }
  const person = await keyOf(service, 'IdpUser', 'Amara Nwosu');
  const html = await page(`people/${encodeURIComponent(person)}`);
  expect(sectionOf(html, 'members') + sectionOf(html, 'everybody')).toBe('');
  expect(html).not.toContain('without=');
});

// The page left out the group of the directory, and those who are in it.
test('the page of a local group has everybody who is in it, each with what they are in it through', async () => {
  const group = await keyOf(service, 'LocalGroup', 'firmware-team');
  const directory = await keyOf(service, 'IdpGroup', 'Firmware Maintainers');
  const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
  const { value } = await api<{
    readonly value: {
      readonly everybody: {
        readonly total: number;
        readonly people: number;
        readonly values: readonly {
          readonly about: { readonly id: string };
          readonly person: boolean;
          readonly way: { readonly steps: readonly { readonly id: string }[] };
        }[];
      };
    };
  }>(`entities/${encodeURIComponent(group)}`, { everybody: 'true' });
  const { total, people, values } = value.everybody;
  // Gateways count the same people.
  const { values: gateways } = await api<{
    readonly values: readonly { readonly id: string; readonly people: number }[];
  }>('access:gateways', { resource });
  expect(gateways.find(({ id }) => id === group)?.people).toBe(people);
  expect(values.filter(({ person }) => person).length).toBe(people);
  const html = await page(`people/${encodeURIComponent(group)}?view=members`);
  expect(words(html)).toContain(`${people} people`);
  const rows = sectionOf(html, 'everybody').split('<tr>').slice(2);
  expect(rows).toHaveLength(total);
  let through = 0;
  for (const [at, { about, way }] of values.entries()) {
    const row = rows[at] ?? '';
    expect(row).toContain(encodeURIComponent(about.id));
    expect(way.steps[0]?.id).toBe(about.id);
    const isThrough = way.steps.some(({ id }) => id === directory);
    if (isThrough) through += 1;
    expect([about.id, row.includes(encodeURIComponent(directory))]).toEqual([about.id, isThrough]);
    if (way.steps.length === 1) expect(row).toContain('directly');
  }
  expect(through).toBeGreaterThan(1);
  // Nobody asked, so the interface has not looked.
  const asked = await api<{ readonly value: object }>(`entities/${encodeURIComponent(group)}`);
  expect(asked.value).not.toHaveProperty('everybody');
});

// Before, an account that no directory names was counted as a person, and nothing said so.
test('counts say how many of the people are only accounts, and together are the rows of the table', async () => {
  const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
  const answer = await api<Answer>('access', { resource });
  const alone = answer.values.filter(
    ({ person, label }) => person === true && ['LocalUser', 'Identity'].includes(label),
  );
  expect(alone.map(({ name }) => name)).toContain('jdoe');
  expect(answer.without_user).toBe(alone.length);
  // Before, the identity of such an account was a row of its own, as nobody's.
  const names = answer.values.map(({ name }) => name);
  expect(names).not.toContain('john.doe@halden.example');
  const html = words(await resourcePage(resource));
  expect(html).toContain(
    `${answer.people} people and ${answer.total - answer.people} others can reach it`,
  );
  expect(html).toContain(`${alone.length} known only by an account`);
  expect(
    html.match(/Account that no directory names|Identity that no directory names/g),
  ).toHaveLength(alone.length);
  const asked = await page(
    `ask?${new URLSearchParams({ query: 'access/who-can-read-a-resource', run: 'true', resource: 'Firmware.motor-control' }).toString()}`,
  );
  expect(words(asked)).toContain('Rows are no people');
});

test('a filter with a name that nothing has says so, and offers names that exist', async () => {
  const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
  const person = await keyOf(service, 'IdpUser', 'Amara Nwosu');
  const narrowed = await resourcePage(resource, '?permission=Pushh');
  expect(words(narrowed)).toContain('There is no permission called Pushh here.');
  const offered = linksIn(narrowed, '/console/resources/').map(({ searchParams }) =>
    searchParams.get('permission'),
  );
  expect(offered).toContain('Push');
  // Permissions of other sources can be held by nobody there.
  expect(offered).not.toContain('View records');
  const reached = await page(`people/${encodeURIComponent(person)}?application=Forg`);
  expect(words(reached)).toContain('There is no application called Forg here.');
  expect(
    linksIn(reached, '/console/people/').map(({ searchParams }) => searchParams.get('application')),
  ).toContain('Forge');
  const changes = await page('changes?application=Forg&list=true');
  expect(words(changes)).toContain('There is no application called Forg here.');
  // What exists, and gives nothing here, is no mistake.
  const exists = await page(`people/${encodeURIComponent(person)}?permission=Pushh`);
  expect(words(exists)).toContain('There is no permission called Pushh here.');
  const nothing = await resourcePage(resource, '?permission=Push&permission_type=NonData');
  expect(words(nothing)).toContain('Nothing matches this filter');
  expect(words(nothing)).not.toContain('There is no permission');
});

test('filters are read without the spaces around them', async () => {
  const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
  const { people } = await api<Answer>('access', { resource, permission: 'Push' });
  expect(words(await resourcePage(resource, '?permission=%20Push%20'))).toContain(
    `${people} people and`,
  );
  const person = await keyOf(service, 'IdpUser', 'Amara Nwosu');
  const path = `people/${encodeURIComponent(person)}`;
  expect(rowsOnPage(await page(`${path}?application=%20Forge%20`), 'resources')).toEqual(
    rowsOnPage(await page(`${path}?application=Forge`), 'resources'),
  );
});

test('the changes of somebody end at the instant of the page from which they are opened', async () => {
  const person = await keyOf(service, 'IdpUser', 'Amara Nwosu');
  const path = `people/${encodeURIComponent(person)}`;
  const at = new Date().toISOString();
  const html = await page(`${path}?${new URLSearchParams({ at }).toString()}`);
  const [changes] = linksIn(html, '/console/people/').filter(
    ({ searchParams }) => searchParams.get('view') === 'changes',
  );
  expect(changes?.searchParams.get('until')).toBe(at);
  const opened = await page(`${path}${changes?.search ?? ''}`);
  expect(opened).toContain(`name="until" value="${at}"`);
  const back = linksIn(opened, '/console/people/').map(({ searchParams }) =>
    searchParams.get('at'),
  );
  expect(back).toContain(at);
});

// The first bars are of a time before somebody came, and the page was 404 then.
test('the changes of somebody who came late are a page', async () => {
  const { path, ...ids } = await service.register('identity_provider');
  const json_data = JSON.stringify({
    idp_type: 'ldap',
    domains: [{ name: 'late.example' }],
    groups: [],
    apps: [],
    users: [{ name: 'Late Comer', identity: 'late.comer' }],
  });
  expect((await service.post(path, { ...ids, json_data })).status).toBe(200);
  const person = await keyOf(service, 'IdpUser', 'Late Comer');
  const html = await page(`people/${encodeURIComponent(person)}?view=changes`);
  expect(words(html)).toContain('Nothing changed between');
});
