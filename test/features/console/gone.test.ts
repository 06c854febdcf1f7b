/** @more pages */
import { Browser } from '../../http/browser-session';
import { keyOf } from '../../http/company';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from '../../http/service-under-test';
import { plain } from './page-rows';

let service: ServiceUnderTest;
let analyst: Browser;
/** The keys of a user and a resource that are gone, and of a user with another name. */
let gone: Readonly<Record<'user' | 'resource' | 'renamed', string>>;

const directory = (...users: readonly (readonly [id: string, name: string])[]): string =>
  JSON.stringify({
    name: 'Directory',
    idp_type: 'directory',
    domains: [{ name: 'acme.example' }],
    users: users.map(([identity, name]) => ({
      name,
      identity,
      email: `${identity}@acme.example`,
    })),
  });

const application = (...resources: readonly string[]): string =>
  JSON.stringify({
    applications: [
      {
        name: 'Wiki',
        application_type: 'wiki',
        local_users: [{ name: 'wiki-user' }],
        resources: resources.map((name) => ({ name, resource_type: 'page' })),
      },
    ],
  });

beforeAll(async () => {
  service = await serviceUnderTest();
  const [people, wiki] = [
    await service.register('identity_provider'),
    await service.register('application'),
  ];
  const push = async ({ path, ...ids }: typeof people, json_data: string): Promise<void> => {
    const answer = await service.post(path, { ...ids, json_data });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
  };
  await push(people, directory(['kit', 'Kit Marlowe'], ['ada', 'Ada King'], ['bo', 'Bo Diaz']));
  await push(wiki, application('old-plans', 'new-plans'));
  gone = {
    user: await keyOf(service, 'IdpUser', 'Kit Marlowe'),
    resource: await keyOf(service, 'Resource', 'old-plans'),
    renamed: await keyOf(service, 'IdpUser', 'Ada King'),
  };
  await push(people, directory(['ada', 'Ada Lovelace'], ['bo', 'Bo Diaz']));
  await push(wiki, application('new-plans'));
  analyst = new Browser(service.app);
  await analyst.signIn(API_KEY);
});
afterAll(() => service.close());

const page = async (path: string, status = 200): Promise<string> => {
  const answer = await analyst.get(path);
  expect([path, answer.status]).toEqual([path, status]);
  return plain(answer.text);
};

const found = (q: string): Promise<string> =>
  page(`/console?${new URLSearchParams({ q }).toString()}`);

const words = (html: string): string => html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');

const linkIn = (html: string, text: RegExp): string =>
  new RegExp(`<a href="([^"]*)">(?:<bdi[^>]*>)?${text.source}`).exec(html)?.[1] ?? '';

// Before, the page said only that there is nothing, whether it had ever been there or not.
test.each(['user', 'resource'] as const)(
  'the page of a %s that is gone says when it ended, and leads to its last instant',
  async (kind) => {
    const folder = kind === 'user' ? 'people' : 'resources';
    const html = await page(`/console/${folder}/${encodeURIComponent(gone[kind])}`, 404);
    expect(words(html)).toMatch(
      /This is gone\. It ended at \d{4}-\d{2}-\d{2} \d{2}:\d{2} by a push/,
    );
    const last = await page(linkIn(html, /Show it as it was last/));
    expect(last).toContain(kind === 'user' ? 'Kit Marlowe' : 'old-plans');
    expect(await page(linkIn(html, /what that push changed/))).toContain('Changes');
  },
);

test('what never existed is not said to be gone', async () => {
  expect(await page('/console/people/nobody', 404)).not.toContain('This is gone');
});

// Before, Find answered that nothing has the name.
test.each(['Kit Marlowe', 'kit marl', 'its key'])('Find says that %s is gone', async (written) => {
  const html = await found(written === 'its key' ? gone.user : written);
  expect(words(html)).toContain('Nothing has this in its name now.');
  expect(words(html)).toMatch(/Kit Marlowe Directory user from .* ended \d{4}/);
  expect(await page(linkIn(html, /Kit Marlowe/))).toContain('Kit Marlowe');
});

test('Find says that somebody has another name now', async () => {
  const html = await found('Ada King');
  expect(words(html)).toMatch(/called so until .*, now Ada Lovelace/);
  expect(await page(linkIn(html, /Ada Lovelace/))).toContain('Ada Lovelace');
});

test('many versions of one who is gone hide nobody else', async () => {
  const people = await service.register('identity_provider');
  const push = async (users: readonly object[]): Promise<void> => {
    const domains = [{ name: 'zoo.example' }];
    const { path, ...ids } = people;
    const payload = { name: 'Zoo', idp_type: 'directory', domains, users };
    const answer = await service.post(path, { ...ids, json_data: JSON.stringify(payload) });
    expect(answer.status).toBe(200);
  };
  await push([{ name: 'Zoe Quill', identity: 'quill' }]);
  for (const year of Array.from({ length: 25 }, (_, at) => 2000 + at)) {
    await push([{ name: 'Zoe Quirk', identity: 'quirk', email: `zoe${year}@zoo.example` }]);
  }
  await push([]);
  const html = words(await found('Zoe'));
  expect([html.match(/Zoe Quirk/g)?.length, html.match(/Zoe Quill/g)?.length]).toEqual([1, 1]);
});

test('what exists is found without what is gone', async () => {
  expect(words(await found('Bo Diaz'))).not.toContain('No longer');
});

// Before, the only one that exists hid all that are gone.
test('Find looks at what ended too, if somebody asks for it', async () => {
  const html = words(await page('/console?q=plans&ended=true'));
  expect(html).toContain('new-plans');
  expect(html).toMatch(/No longer 1These had.*old-plans Resource from .* ended \d{4}/);
  const only = await found('Bo Diaz');
  const both = await page(linkIn(only, /Search what ended last too/));
  expect(words(both)).toContain('Nothing else of what ended last had it in its name.');
});

// Before, versions of what exists took the places of what is gone, and the page said that there is nothing.
test('many who exist and had versions that ended hide nobody who is gone', async () => {
  const { path, ...ids } = await service.register('identity_provider');
  const push = async (names: readonly string[], year: number): Promise<void> => {
    const users = names.map((name, at) => ({
      name,
      identity: `mik${at}`,
      email: `mik${at}.${year}@mik.example`,
    }));
    const domains = [{ name: 'mik.example' }];
    const payload = { name: 'Mik', idp_type: 'directory', domains, users };
    const answer = await service.post(path, { ...ids, json_data: JSON.stringify(payload) });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
  };
  const many = Array.from({ length: 21 }, (_, at) => `Mikkel ${at}`);
  await push([...many, 'Mikkel Aas'], 1);
  await push(many, 1);
  await push(many, 2);
  const both = words(await page('/console?q=Mikkel&ended=true'));
  expect(both).toMatch(/No longer 1These had.*Mikkel Aas Directory user from .* ended \d{4}/);
  const ofKind = (kind: string): Promise<string> =>
    page(`/console?q=Mikkel+Aas&kind=${kind}&ended=true`);
  expect(words(await ofKind('IdpUser'))).toContain('No longer 1');
  // Before, what ended was of any kind.
  expect(words(await ofKind('Resource'))).not.toContain('No longer');
  await push([], 2);
  const first = words(await found('Mikkel'));
  expect(first).toContain(
    'No longer 20The first 20 that had it in their names, among what ended last.',
  );
});

test('a question about somebody who is gone leads to them as they were', async () => {
  const html = await found('what can Kit Marlowe do');
  expect(words(html)).toMatch(
    /Nobody is called Kit Marlowe.*Kit Marlowe Directory user from .* ended/,
  );
  expect(await page(linkIn(html, /Kit Marlowe<\/bdi><\/a>/))).toContain('Kit Marlowe');
});

// Before, Changes showed them without names, and each of their nodes by itself.
test('Changes name who is gone, once with the accounts that were theirs', async () => {
  const [people, shop] = [
    await service.register('identity_provider'),
    await service.register('application'),
  ];
  const push = async (
    { path, ...ids }: typeof people,
    payload: Readonly<Record<string, unknown>>,
  ): Promise<string> => {
    const answer = await service.post(path, { ...ids, json_data: JSON.stringify(payload) });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return (answer.body as { at: string }).at;
  };
  const staff = (users: readonly object[]): Promise<string> =>
    push(people, {
      name: 'Staff',
      idp_type: 'directory',
      domains: [{ name: 'staff.example' }],
      users,
    });
  const till = (accounts: readonly string[]): Promise<string> =>
    push(shop, {
      applications: [
        {
          name: 'Shop',
          application_type: 'shop',
          local_users: [
            { name: 'clerk' },
            ...accounts.map((name) => ({ name, identities: ['lea@staff.example'] })),
          ],
          resources: [{ name: 'till', resource_type: 'register' }],
        },
      ],
      permissions: [{ name: 'sell', permission_type: ['DataWrite'] }],
      identity_to_permissions: accounts.map((identity) => ({
        identity,
        identity_type: 'local_user',
        application_permissions: [{ application: 'Shop', permission: 'sell', resources: ['till'] }],
      })),
    });
  await staff([{ name: 'Lea Frost', identity: 'lea', email: 'lea@staff.example' }]);
  const since = await till(['lfrost']);
  await till([]);
  await staff([]);
  const asked = new URLSearchParams({ since, application: 'Shop' }).toString();
  const html = await page(`/console/changes?${asked}`);
  const heads = [...html.matchAll(/<th scope="row"[^>]*>(.*?)<\/th>/gs)].map(([, head]) =>
    words(head ?? ''),
  );
  expect(heads[0]).toMatch(/^Lea Frost Directory user /);
  // Before, the name that nobody has now was somebody of its own.
  for (const head of heads) expect(head).toMatch(/^Lea Frost /);
  for (const account of [/lfrost Account in Shop/, /lea@staff\.example Identity/]) {
    expect(heads.join(' ')).toMatch(account);
  }
});

// Before, a mistyped name got no offer.
describe('A mistyped name', () => {
  test('is answered with names that exist and differ little', async () => {
    const html = await found('Ada Lovelase');
    expect(words(html)).toContain('Did you mean Ada Lovelace?');
    expect(words(await page(linkIn(html, /Ada Lovelace/)))).toContain('1 found');
  });

  test('in a sentence leads to the same sentence with the right name', async () => {
    const html = await found('who can write new-plnas');
    expect(linkIn(html, /new-plans/)).toBe('/console?q=who+can+write+new-plans');
    const other = await found('Ada Lovelase can write new-plans');
    expect(linkIn(other, /Ada Lovelace/)).toBe('/console?q=Ada+Lovelace+can+write+new-plans');
  });

  test('that is like nothing gets no offer', async () => {
    expect(words(await found('zzzzzzzz'))).not.toContain('Did you mean');
  });
});

// Before, the page said that nothing else of what ended had it, whatever filled the place of what ended before.
test('Find says since when it looked, if more versions ended than it looks at', async () => {
  const { driver, database } = service.graph;
  await driver.executeQuery(
    `UNWIND range(1, 50001) AS at
     CREATE (:PastNode {key: 'Permission|many' + at, label: 'Permission', name: 'many',
       until: datetime('2999-01-01T00:00:00Z')})`,
    {},
    { database },
  );
  const html = await page('/console?q=Bo+Diaz&ended=true');
  await driver.executeQuery(
    "MATCH (version:PastNode) WHERE version.key STARTS WITH 'Permission|many' DETACH DELETE version",
    {},
    { database },
  );
  expect(words(html)).toContain(
    'Nothing else of what ended after 2999-01-01 00:00:00 had it in its name.',
  );
});
