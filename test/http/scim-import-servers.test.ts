/** @more scim */

import { httpTransport } from '../../src/scim/client/requests/transport';
import { allowing, TOKEN } from '../scim/acting';
import { expectedPayload } from '../scim/expected-payload';
import { type Application, scim2Server } from '../scim/scim2-server';
import { scimmyServer } from '../scim/scimmy-server';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

type Json = Readonly<Record<string, unknown>>;

const PROVIDERS = '/api/v1/providers/custom';
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** Servers that others have written, as they are. */
describe.each([
  ['scim2-server of PyPI', scim2Server],
  ['scimmy-routers of npm', scimmyServer],
])('an import from %s', (_name, start) => {
  let application: Application;
  let service: ServiceUnderTest;
  let now = Date.parse('2026-11-25T12:00:00Z');
  let path: string;
  let provider: string;
  const name = 'Foreign';

  beforeAll(async () => {
    application = await start();
    const allowed = allowing(Number(new URL(application.base).port));
    const clock = { now: () => now, sleep: () => Promise.resolve(), random: () => 0.5 };
    service = await serviceUnderTest(
      { jsonBytes: 8e6, bodyBytes: 8e6 },
      { provisioning: { allowed, clock, transport: httpTransport(allowed, { mostBytes: 1e6 }) } },
    );
    const made = await service.post(PROVIDERS, {
      name,
      custom_template: 'application',
      external_lifecycle_management_type: 'SCIM',
    });
    provider = (made.body as { value: { id: string } }).value.id;
    path = `${PROVIDERS}/${provider}/scim`;
    const authentication = { type: 'bearer', token: TOKEN };
    const connection = { base_url: application.base, authentication, profile: { page_size: 5 } };
    await service.send('put', path, connection).expect(200);
    await service.send('put', `${path}/import`, {}).expect(200);
  });
  afterAll(async () => {
    await service.close();
    await application.stop();
  });

  const send = async (method: string, to: string, body?: Json): Promise<Json> => {
    const answer = await fetch(`${application.base}${to}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/scim+json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect([answer.status < 300, text]).toEqual([true, text]);
    return text === '' ? {} : (JSON.parse(text) as Json);
  };
  const create = async (kind: 'Users' | 'Groups', body: Json): Promise<string> => {
    const schemas = kind === 'Users' ? [USER, ENTERPRISE] : [GROUP];
    return String((await send('POST', `/${kind}`, { schemas, ...body })).id);
  };
  const patch = (to: string, ...Operations: readonly Json[]) =>
    send('PATCH', to, { schemas: [PATCH], Operations });

  /** All resources, as the tests read them themselves. */
  const all = async (kind: string): Promise<Map<string, Json & { id: string }>> => {
    const { Resources } = await send('GET', `/${kind}?count=100`);
    return new Map((Resources as (Json & { id: string })[]).map((one) => [one.id, one]));
  };
  const run = async (query = ''): Promise<Json> => {
    const answer = await service.post(`${path}:import${query}`, {});
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return answer.body as Json;
  };
  const settings = async (): Promise<Json> =>
    ((await service.send('get', `${path}/import`)).body as { value: Json }).value;
  const expectMirrored = async (): Promise<void> => {
    const data_source_id = String((await settings()).data_source_id);
    const read = { users: await all('Users'), groups: await all('Groups') };
    const json_data = JSON.stringify(expectedPayload(read, name));
    const pushed = await service.post(
      `${PROVIDERS}/${provider}/datasources/${data_source_id}:push`,
      {
        id: provider,
        data_source_id,
        json_data,
      },
    );
    expect(pushed.body).toMatchObject({ unchanged: true });
  };

  test('whole, again, only what changed, and whole after one has gone', async () => {
    const accounts: string[] = [];
    for (let each = 0; each < 12; each += 1) {
      accounts.push(
        await create('Users', {
          userName: `ann${each}@halden.example`,
          externalId: `p-${each}`,
          displayName: `Ann ${each}`,
          active: each % 3 > 0,
          title: 'Engineer',
          emails: [{ value: `ann${each}@halden.example`, type: 'work', primary: true }],
          roles: each % 2 === 0 ? [{ value: 'admin', display: 'Administrator' }] : [],
          entitlements: each === 5 ? [{ value: 'seat' }] : [],
          [ENTERPRISE]: { department: 'IT', employeeNumber: String(each) },
        }),
      );
    }
    const member = (value: string | undefined, type = 'User') => ({ value, type });
    const readers = await create('Groups', {
      displayName: 'Readers',
      members: accounts.slice(0, 7).map((id) => member(id)),
    });
    const writers = await create('Groups', {
      displayName: 'Writers',
      members: [member(accounts[8]), member(readers, 'Group')],
    });
    const empty = await create('Groups', { displayName: 'Empty' });
    expect(await run()).toMatchObject({
      reading: 'whole',
      problem: null,
      read: { accounts: 12, groups: 3, memberships: 9, unknown_members: 0 },
    });
    await expectMirrored();
    now += 60_000;
    expect(await settings()).toMatchObject({ finds_changes: true });
    expect(await run('?whole=true')).toMatchObject({ push: { unchanged: true } });
    now += 60_000;

    await patch(
      `/Users/${accounts[0]}`,
      { op: 'replace', path: 'title', value: 'Director' },
      { op: 'replace', path: 'active', value: true },
    );
    const joiner = await create('Users', { userName: 'zoe@halden.example', displayName: 'Zoe' });
    await patch(`/Groups/${empty}`, { op: 'add', path: 'members', value: [member(joiner)] });
    await patch(`/Groups/${readers}`, { op: 'remove', path: `members[value eq "${accounts[1]}"]` });
    const changed = await run();
    expect(changed).toMatchObject({ reading: 'changes', push: { unchanged: false } });
    await expectMirrored();

    await send('DELETE', `/Users/${accounts[2]}`);
    await patch(`/Groups/${readers}`, {
      op: 'remove',
      path: `members[value eq "${accounts[2]}"]`,
    }).catch(() => undefined);
    now += 60_000;
    expect(await run('?whole=true')).toMatchObject({ read: { accounts: 12, unknown_members: 0 } });
    await expectMirrored();
    expect(await settings()).toMatchObject({ finds_changes: true, misses_changes: false });
    expect(writers).not.toBe('');
  });
});
