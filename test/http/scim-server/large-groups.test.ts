/** @more bounds */

import { type ServiceProcess, startServiceProcess } from '../../connectors/service-process';
import { clearGraph, testDriver } from '../../support/neo4j';

/** More than the thread that answers looks at. */
const MEMBERS = 1_500;

let service: ServiceProcess;
let base = '';
let group = '';

interface Answered {
  readonly status: number;
  readonly text: string;
}

const send = async (
  method: string,
  path: string,
  body?: object,
  type = 'application/json',
): Promise<Answered> => {
  const answer = await fetch(`${service.address}${path}`, {
    method,
    headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': type },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
};

const scim = (method: string, path: string, body?: object): Promise<Answered> =>
  send(method, `${base}${path}`, body, 'application/scim+json');

const created = async (path: string, body: object): Promise<string> => {
  const { text } = await send('POST', path, body);
  return (JSON.parse(text) as { value: { id: string } }).value.id;
};

const patch = (...operations: object[]): Promise<Answered> =>
  scim('PATCH', group, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: operations,
  });

const membersNow = async (): Promise<number> => {
  const { text } = await scim('GET', group);
  return ((JSON.parse(text) as { members?: unknown[] }).members ?? []).length;
};

/** How often a push thread has written for a request through SCIM. */
const pushesSaid = (what: string): number =>
  service.printed().split(`"message":"${what}"`).length - 1;

const refusedPushes = async (): Promise<number> => {
  const { text } = await send('GET', '/metrics');
  const line =
    /^grantgraph_pushes_total\{[^}]*template="identity_provider"[^}]*outcome="refused"[^}]*\} (\d+)$/m.exec(
      text,
    );
  return Number(line?.[1] ?? 0);
};

beforeAll(async () => {
  const driver = testDriver();
  await clearGraph(driver);
  await driver.close();
  service = await startServiceProcess({ TLS: '' });
  const providers = '/api/v1/providers/custom';
  const id = await created(providers, { name: 'Directory', custom_template: 'identity_provider' });
  const source = await created(`${providers}/${id}/datasources`, { id, name: 'Main' });
  base = `/scim/v2/${source}`;
  group = '/Groups/everybody';
  const payload = {
    name: 'Directory',
    domains: [{ name: 'Main' }],
    groups: [{ name: 'Everybody', identity: 'everybody' }],
    users: Array.from({ length: MEMBERS }, (_, at) => ({
      name: `user${at}`,
      identity: `u${at}`,
      groups: [{ identity: 'everybody' }],
    })),
  };
  const pushed = await send('POST', `${providers}/${id}/datasources/${source}:push`, {
    id,
    data_source_id: source,
    json_data: JSON.stringify(payload),
  });
  expect(pushed.status).toBe(200);
});
afterAll(() => service.stop());

test('a small PATCH that looks at all members of a large group does what it says', async () => {
  const before = pushesSaid('push accepted');
  const none = await patch({ op: 'remove', path: 'members[value sw "nobody"]' });
  expect([none.status, await membersNow(), pushesSaid('push accepted')]).toEqual([
    204,
    MEMBERS,
    before,
  ]);
  const some = await patch({ op: 'remove', path: 'members[value ew "99"]' });
  expect([some.status, await membersNow()]).toEqual([204, MEMBERS - 15]);
  expect(pushesSaid('push accepted')).toBe(before + 1);
  const all = await patch({ op: 'replace', path: 'members', value: [] });
  expect([all.status, await membersNow()]).toEqual([204, 0]);
});

test('a write that a push thread refuses is counted and logged as a refused push', async () => {
  const [counted, logged] = [await refusedPushes(), pushesSaid('push refused')];
  const { status } = await scim('POST', '/Users', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: 'x'.repeat(70_000),
  });
  expect(status).toBe(400);
  expect([await refusedPushes(), pushesSaid('push refused')]).toEqual([counted + 1, logged + 1]);
});
