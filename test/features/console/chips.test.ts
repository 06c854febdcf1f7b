import { afterClick, type Chosen } from '../../../src/features/console/tables/chips';
import { OF_PEOPLE, OF_RESOURCES } from '../../../src/features/console/words/marks';
import { Browser } from '../../http/browser-session';
import { keyOf, pushCompany } from '../../http/company';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from '../../http/service-under-test';
import { compareChips } from './page-chips';

let service: ServiceUnderTest;
let analyst: Browser;

beforeAll(async () => {
  service = await serviceUnderTest();
  await pushCompany(service);
  analyst = new Browser(service.app);
  await analyst.signIn(API_KEY);
});
afterAll(() => service.close());

const page = async (address: string): Promise<string> => (await analyst.get(address)).text;

test('the chips of a page have the numbers of the interface, and lead to as many rows', async () => {
  const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
  const path = `/console/resources/${encodeURIComponent(resource)}`;
  const text = await page(path);
  const chips = [
    ...text.matchAll(/<a href="([^"]*)"[^>]*>([^<]+) <span class="count">([\d,]+)<\/span><\/a>/g),
  ].filter(([, href = '']) => /[?&](?:amp;)?(?:mark|permission_type)=/.test(href));
  expect(chips.length).toBeGreaterThan(5);
  for (const [, href = '', words, count = ''] of chips) {
    const asked = new URL(href.replaceAll('&amp;', '&'), 'http://service').searchParams;
    const query = new URLSearchParams({
      resource,
      page_size: '1000',
      ...Object.fromEntries(asked),
    });
    const answer = await service.send('get', `/api/v1/access?${query.toString()}`);
    const { total, values } = answer.body as { total: number; values: readonly unknown[] };
    expect([words, Number(count)]).toEqual([words, total]);
    const narrowed = await page(href.replaceAll('&amp;', '&'));
    expect([words, narrowed.match(/data-name="Can"/g)?.length]).toEqual([words, values.length]);
  }
});

test('chips combine: each counts its rows under the others, and a second click removes it', async () => {
  const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
  const application = await keyOf(service, 'Application', 'Forge');
  const person = await keyOf(service, 'IdpUser', 'Nadia Haddad');
  const group = await keyOf(service, 'IdpGroup', 'Firmware Maintainers');
  const together = new Set<string>();
  for (const [about, path, clicks] of [
    [{ resource }, 'resources', [0, 1, 2]],
    [{ resource }, 'resources', [1, 2, 3]],
    [{ resource, contents: 'true' }, 'resources', [1, 3, 0, 0]],
    [{ resource: application, contents: 'true' }, 'resources', [1, 2, 3, 4]],
    [{ principal: person, person: 'true' }, 'people', [0, 1, 2, 1]],
    [{ principal: group, person: 'true' }, 'people', [1, 0, 0]],
  ] as const) {
    const id = 'resource' in about ? about.resource : about.principal;
    const contents = 'contents' in about && id === resource ? '?contents=true' : '';
    const first = `/console/${path}/${encodeURIComponent(id)}${contents}`;
    const { chosen, compared } = await compareChips(service, page, about, first, clicks);
    expect([first, compared > clicks.length]).toEqual([first, true]);
    together.add(chosen.join('+'));
  }
  expect([...together].filter((words) => words.includes('+')).length).toBeGreaterThan(2);
});

// A filter replaced the one before.
test('write, inactive and not through a group are chosen together, also with a filter of the form', async () => {
  const resource = await keyOf(service, 'Application', 'Forge');
  const query = new URLSearchParams([
    ['permission_type', 'DataWrite'],
    ['mark', 'inactive'],
    ['mark', 'direct'],
    ['permission', 'Push'],
  ]);
  const html = await page(`/console/resources/${encodeURIComponent(resource)}?${query.toString()}`);
  const [nav = ''] = /<nav class="chips".*?<\/nav>/s.exec(html) ?? [];
  const chosen = [...nav.matchAll(/<a href="([^"]*)" aria-current="true">([^<]+) </g)];
  expect(chosen.map(([, , words]) => words)).toEqual(['write', 'inactive', 'not through a group']);
  // The form keeps the marks, and the chips keep the permission.
  expect(html).toContain('<input type="hidden" name="mark" value="inactive"/>');
  for (const [, href = ''] of chosen) {
    const left = new URL(href.replaceAll('&amp;', '&'), 'http://service').searchParams;
    expect([...left].length).toBe(3);
    expect(left.get('permission')).toBe('Push');
  }
});

// A chip that the interface did not count showed 0.
test('the interface counts exactly what chips narrow lists to', async () => {
  const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
  const principal = await keyOf(service, 'IdpUser', 'Nadia Haddad');
  for (const [about, chips, others] of [
    [{ resource }, OF_PEOPLE, ['all', 'people']],
    [{ principal }, OF_RESOURCES, ['all']],
  ] as const) {
    const query = new URLSearchParams({ ...about, counts: 'true' });
    const answer = await service.send('get', `/api/v1/access?${query.toString()}`);
    const { counts } = answer.body as { readonly counts: Readonly<Record<string, number>> };
    expect(Object.keys(counts).toSorted()).toEqual(
      [...others, ...chips.map(({ counted }) => counted)].toSorted(),
    );
  }
});

test('a second click gives what there was before the first', () => {
  const some: Chosen = { types: ['DataRead'], marks: ['new'] };
  for (const narrower of OF_PEOPLE) {
    const { types, marks } = afterClick(afterClick(some, narrower), narrower);
    expect([types.toSorted(), marks.toSorted()]).toEqual([some.types, some.marks]);
  }
});

test('a table that is narrowed to reading or writing says who is privileged', async () => {
  const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
  const person = await keyOf(service, 'IdpUser', 'Nadia Haddad');
  const tags = (html: string): readonly string[] => [
    ...new Set(
      [
        ...html.matchAll(
          /<th scope="row">(?:(?!<\/th>).)*?<bdi[^>]*>([^<]+)<\/bdi>(?:(?!<\/th>).)*?<span class="tag">privileged</gs,
        ),
      ].map(([, name = '']) => name),
    ),
  ];
  for (const path of [
    `/console/resources/${encodeURIComponent(resource)}`,
    `/console/people/${encodeURIComponent(person)}`,
  ]) {
    const all = tags(await page(path));
    expect([path, all.length > 0]).toEqual([path, true]);
    expect([path, tags(await page(`${path}?permission_type=privileged`))]).toEqual([path, all]);
    const writers = tags(
      await page(`${path}?permission_type=DataWrite&permission_type=privileged`),
    );
    expect(writers.length).toBeGreaterThan(0);
    expect([path, tags(await page(`${path}?permission_type=DataWrite`))]).toEqual([path, writers]);
  }
});
