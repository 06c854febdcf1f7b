/** @more pages */
import { Browser } from '../../http/browser-session';
import {
  API_KEY,
  type RegisteredIds,
  type ServiceUnderTest,
  serviceUnderTest,
} from '../../http/service-under-test';
import { plain } from './page-rows';

/* Findings of the overview that are in no single application: each number is that of the interface. */

let service: ServiceUnderTest;
let administrator: Browser;

beforeAll(async () => {
  service = await serviceUnderTest();
  administrator = new Browser(service.app);
  await administrator.signIn(API_KEY);
});
afterAll(() => service.close());

const run = async (statement: string): Promise<void> => {
  const session = service.graph.driver.session({ database: service.graph.database });
  await session.run(statement);
  await session.close();
};

const push = async ({ path, ...ids }: RegisteredIds, payload: object): Promise<void> => {
  const answer = await service.post(path, { ...ids, json_data: JSON.stringify(payload) });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
};

/** The findings of the overview: the number, the words, the names below and where they lead. */
const findings = async (): Promise<
  ReadonlyMap<string, { count: number; names: string; href: string }>
> => {
  const html = (await administrator.get('/console')).text;
  const [, list = ''] = /<h2 id="look">(.*?)<\/section>/s.exec(html) ?? [];
  return new Map(
    [
      ...list.matchAll(
        /<a href="([^"]+)"><b>([\d,]+)<\/b> ([^<]+)<\/a>.*?<td data-name="Who"[^>]*>(.*?)<\/td>/gs,
      ),
    ].map(([, href = '', count = '', words = '', names = '']) => [
      plain(words),
      { count: Number(count), names: plain(names.replaceAll(/<[^>]+>/g, '')), href: plain(href) },
    ]),
  );
};

const PEOPLE = (active: boolean): object => ({
  idp_type: 'ldap',
  domains: [{ name: 'corp' }],
  users: [
    { name: 'ann', identity: 'ann', is_active: true },
    { name: 'ben', identity: 'ben', is_active: active },
  ],
});

const owners = (...names: readonly string[]): object => ({
  owners: names.map((external_id) => ({ external_id, owner_type: 'user' })),
});

const BOTS = {
  applications: [
    {
      name: 'bots',
      application_type: 'bots',
      local_agents: [
        { id: 'a1', name: 'Writer', ...owners('ann', 'ben') },
        { id: 'a2', name: 'Reader', ...owners('ann') },
        { id: 'a3', name: 'Nobody', ...owners() },
      ],
      local_access_creds: [
        { id: 'k1', name: 'writer key', ...owners('ben') },
        { id: 'k2', name: 'lost key', ...owners('left@corp') },
      ],
      resources: [{ name: 'pages', resource_type: 'space' }],
    },
  ],
  permissions: [],
  identity_to_permissions: [],
};

test('agents and keys whose owner is gone are counted as their saved query lists them', async () => {
  const [directory, bots] = [
    await service.register('identity_provider'),
    await service.register('application'),
  ];
  await push(directory, PEOPLE(true));
  await push(bots, BOTS);
  const asked = async (): Promise<readonly unknown[]> => {
    const path = '/api/v1/queries/accounts/agents-and-keys-whose-owner-is-gone';
    const answer = await service.send('post', path, { parameters: {} });
    const { value } = answer.body as {
      readonly value: { readonly columns: string[]; readonly rows: (readonly unknown[])[] };
    };
    return value.rows.map((row) => row[value.columns.indexOf('name')]);
  };
  expect(await asked()).toEqual(['lost key']);
  expect((await findings()).get('agent or key has an owner who is gone')).toEqual({
    count: 1,
    names: expect.stringMatching(/^lost key from Provider \d+$/) as unknown,
    href: '/console/ask?query=accounts%2Fagents-and-keys-whose-owner-is-gone&run=true',
  });
  // Ben leaves. Of the agent another owner is there.
  await push(directory, PEOPLE(false));
  expect(await asked()).toEqual(['Writer', 'lost key', 'writer key']);
  const found = (await findings()).get('agents or keys have an owner who is gone');
  expect(found?.count).toBe(3);
  expect(found?.names.replaceAll(/ from Provider \d+/g, '*')).toBe(
    'Writer*, lost key*, writer key*',
  );
  const list = await administrator.get(found?.href ?? '');
  expect(list.status).toBe(200);
  expect(list.text).toContain('3 rows.');
});

test('stale data sources and refused actions are counted as the interface lists them', async () => {
  const ofSources = async (): Promise<readonly string[]> =>
    [...(await findings()).keys()].filter((words) => /push|policies|policy/.test(words));
  expect(await ofSources()).toEqual([]);
  await service.register('application');
  // Before, a data source was stale from its registration on.
  expect(await ofSources()).toEqual([]);
  const waiting = (await administrator.get('/console/sources')).text;
  expect(waiting).toContain(
    '1 of them is new and waits for a first push. All others were pushed to within 7 days.',
  );
  await run(`MATCH (source:DataSource) WHERE source.last_push_at IS NULL
    SET source.since = source.since - duration('P8D')`);
  const late = (await administrator.get('/console/sources')).text;
  expect(late).toContain('1 of them is stale: no push was accepted for more than 7 days.');
  const { values } = (await service.send('get', '/api/v1/providers/custom')).body as {
    readonly values: readonly { readonly id: string; readonly name: string }[];
  };
  const sources = await Promise.all(
    values.map(async ({ id }) => {
      const answer = await service.send('get', `/api/v1/providers/custom/${id}/datasources`);
      return (answer.body as { values: readonly { last_push_at: string | null }[] }).values;
    }),
  );
  const stale = sources.flat().filter(({ last_push_at }) => last_push_at === null);
  expect(stale).toHaveLength(1);
  const [provider] = values;
  await run(`UNWIND range(1, 4) AS n
    CREATE (:LifecycleAction {key: 'a' + n, id: 'a' + n, provider: '${provider?.id ?? ''}',
      status: ['FAILED', 'DEAD', 'DEAD', 'DONE'][n - 1], kind: 'disable', people: [], attempts: 1})`);
  // Of one provider they are on the page of its data source; before, a list of all had to be searched.
  const ofOne = (await findings()).get('actions of policies were refused');
  expect(ofOne).toEqual({
    count: 3,
    names: '',
    href: expect.stringMatching(/^\/console\/sources\/[\da-f-]+#provisioning$/) as unknown,
  });
  const shown = await administrator.get(ofOne?.href.split('#')[0] ?? '');
  expect(shown.text).toContain('id="provisioning"');
  expect(shown.text.match(/given up after|>failed</g)).toHaveLength(3);
  await run(`CREATE (:LifecycleAction {key: 'a5', id: 'a5', provider: '${values[1]?.id ?? ''}',
    status: 'DEAD', kind: 'disable', people: [], attempts: 1})`);
  const found = await findings();
  expect(found.get('data source had no push for 7 days')).toEqual({
    count: 1,
    names: expect.stringMatching(/^Main from Provider \d+$/) as unknown,
    href: '/console/sources',
  });
  expect(found.get('actions of policies were refused')).toEqual({
    count: 4,
    names: '',
    href: '/console/sources?troubled=true',
  });
  // The person of an action is named, and the id of one who is gone.
  const directory = await service.register('identity_provider');
  await push(directory, PEOPLE(true));
  await run(`MATCH (ann:IdpUser {data_source: '${directory.data_source_id}', name: 'ann'})
    MATCH (action:LifecycleAction) WHERE action.id IN ['a2', 'a5']
    SET action.people = CASE action.id WHEN 'a2' THEN ['gone|IdpUser|lee'] ELSE [ann.key] END`);
  expect((await findings()).get('actions of policies were refused')?.names).toMatch(
    /^ann from Provider \d+, lee and 1 more$/,
  );
  // Before, the names led nowhere.
  const overview = plain((await administrator.get('/console')).text);
  for (const page of [
    /people\/[\da-f-]+%7CIdpUser%7Cann"><bdi dir="auto">ann</,
    /people\/gone%7CIdpUser%7Clee"><bdi dir="auto">lee</,
    /sources\/[\da-f-]+"><bdi dir="auto">Main</,
    /people\/[^"]+%7CAccessCredential%7C[^"]+"><bdi dir="auto">lost key</,
  ]) {
    expect(overview).toMatch(new RegExp(`data-name="Who".*href="/console/${page.source}`, 's'));
  }
  const list = (await administrator.get('/console/sources?troubled=true')).text;
  expect(list).toMatch(/3 actions/);
});
