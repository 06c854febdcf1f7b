/** @more pages */

import { Browser } from '../../http/browser-session';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from '../../http/service-under-test';
import { visible } from '../../../src/visible-text';
import { expectPlainPage, HOSTILE } from './page-parts';
import { plain } from './page-rows';

let service: ServiceUnderTest;
let analyst: Browser;

const PROVIDERS = '/api/v1/providers/custom';

beforeAll(async () => {
  service = await serviceUnderTest(
    {},
    { settings: { console: { neo4jBrowserUrl: 'http://localhost:7474/browser' } } },
  );
  analyst = new Browser(service.app);
  await analyst.signIn(API_KEY);
});
afterAll(() => service.close());

const idIn = (answer: {
  readonly status: number;
  readonly text: string;
  readonly body: unknown;
}) => {
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return (answer.body as { value: { id: string } }).value.id;
};

/** A data source of a provider, both called nearly so; gives what a push needs. */
const registered = async (template: string, name: string) => {
  // Providers and data sources may have few other characters.
  const called = `${template} ${name.replaceAll(/[^\w @#$%&*:()!,'"=.-]/g, '_')}`.slice(0, 200);
  const id = idIn(await service.post(PROVIDERS, { name: called, custom_template: template }));
  const sources = `${PROVIDERS}/${id}/datasources`;
  const data_source_id = idIn(await service.post(sources, { id, name: called }));
  return { id, data_source_id, path: `${sources}/${data_source_id}:push` };
};

const push = async ({ path, ...ids }: Awaited<ReturnType<typeof registered>>, payload: object) => {
  const answer = await service.post(path, { ...ids, json_data: JSON.stringify(payload) });
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return (answer.body as { push_id: string }).push_id;
};

/** Everything that a payload can name is called so. */
const pushed = async (name: string) => {
  const directory = await registered('identity_provider', name);
  await push(directory, {
    name,
    idp_type: name,
    domains: [{ name }],
    groups: [{ name, identity: name }],
    users: [{ name, identity: `u ${name}`, full_name: name, groups: [{ identity: name }] }],
  });
  const wiki = await registered('application', name);
  const warned = await push(wiki, {
    applications: [
      {
        name,
        application_type: name,
        resources: [{ name, resource_type: name }],
        local_groups: [{ name: `g ${name}`, identities: [name] }],
        local_users: [{ name: `a ${name}`, identities: [`n ${name}`] }],
      },
    ],
    permissions: [{ name, permission_type: ['DataRead'] }],
    identity_to_permissions: [
      {
        identity: `g ${name}`,
        identity_type: 'local_group',
        application_permissions: [{ application: name, permission: name, resources: [name] }],
      },
    ],
  });
  return { directory, wiki, warned };
};

const keysOf = async (label: string, name: string): Promise<readonly string[]> => {
  const answer = await service.send(
    'get',
    `/api/v1/entities?label=${label}&filter=${encodeURIComponent(`name eq ${JSON.stringify(name)}`)}`,
  );
  return (answer.body as { values: readonly { id: string }[] }).values.map(({ id }) => id);
};

test.each(HOSTILE)('every page shows %j as text', async (name) => {
  const { directory, wiki, warned } = await pushed(name);
  const [person = '', resource = ''] = [
    ...(await keysOf('IdpUser', name)),
    ...(await keysOf('Resource', name)),
  ];
  const asked = (path: string, words: Readonly<Record<string, string>>): string =>
    `${path}?${new URLSearchParams(words).toString()}`;
  const paths = [
    '/console',
    '/console/sources',
    '/console/changes',
    '/console/mine',
    ...[directory, wiki].map(({ data_source_id }) => `/console/sources/${data_source_id}`),
    asked(`/console/sources/${wiki.data_source_id}`, { push: warned }),
    asked('/console', { q: name }),
    asked('/console', { q: `${name} can read ${name}` }),
    `/console/people/${encodeURIComponent(person)}`,
    asked(`/console/people/${encodeURIComponent(person)}`, { application: name, sort: name }),
    `/console/resources/${encodeURIComponent(resource)}`,
    asked('/console/why', { principal: person, resource }),
    // What a form holds is shown again, and so is what is wrong with it.
    asked('/console/changes', { principal: person, list: 'true' }),
    asked('/console/changes', { application: name, list: 'true' }),
    asked('/console/changes', { principal: name, resource: name, data_source: name }),
    asked('/console/changes', { since: name }),
    asked('/console/ask', {
      query: 'access/explain-access',
      run: 'true',
      principal: person,
      resource,
      names: '',
      permission_type: 'DataRead',
    }),
    asked('/console/ask', { query: 'groups/members-of-a-group', run: 'true', group: name }),
    asked('/console/ask', {
      query: 'accounts/credentials-that-are-unused',
      run: 'true',
      days: name,
    }),
    asked('/console/ask', { query: name }),
    asked('/console/sources', { days: name }),
    asked('/console/people/x', { [name]: name }),
  ];
  let naming = 0;
  for (const path of paths) {
    const { status, type, text, headers } = await analyst.get(path);
    if (status === 303) {
      expect(headers.location).toMatch(/^\/console/);
      continue;
    }
    expect([path, type, [200, 400, 404].includes(status)]).toEqual([path, 'text/html', true]);
    expectPlainPage(text);
    if (plain(text).includes(visible(name))) naming += 1;
  }
  expect(naming).toBeGreaterThan(10);
});
