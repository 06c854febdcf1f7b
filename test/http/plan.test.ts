import { gzipSync } from 'node:zlib';

import supertest from 'supertest';

import { ask } from '../../src/neo4j/ask';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

const ROWS = 20;
const LISTED = 5;

let service: ServiceUnderTest;
let directory: RegisteredIds;
let wiki: RegisteredIds;

beforeAll(async () => {
  service = await serviceUnderTest({ guardRows: ROWS, listedChanges: LISTED });
});
afterAll(() => service.close());
beforeEach(async () => {
  directory = await service.register('identity_provider');
  wiki = await service.register('application');
});

type Body = Readonly<Record<string, unknown>>;

const post = (
  verb: 'push' | 'plan',
  { path, ...ids }: RegisteredIds,
  payload: object | string,
  more: object = {},
) =>
  service.post(path.replace(/:push$/, `:${verb}`), {
    ...ids,
    json_data: typeof payload === 'string' ? payload : JSON.stringify(payload),
    ...more,
  });

/** A plan that must be made. */
const plan = async (ids: RegisteredIds, payload: object | string, more?: object): Promise<Body> => {
  const answer = await post('plan', ids, payload, more);
  expect(answer.status).toBe(200);
  return answer.body as Body;
};

const accept = async (ids: RegisteredIds, payload: object): Promise<Body> => {
  const answer = await post('push', ids, payload);
  expect(answer.status).toBe(200);
  return answer.body as Body;
};

const people = (...users: readonly object[]): object => ({
  idp_type: 'ldap',
  domains: [{ name: 'corp' }],
  users,
});

const application = (...identities: readonly string[]): object => ({
  applications: [
    {
      name: 'wiki',
      application_type: 'wiki',
      local_users: identities.map((name) => ({ name, identities: [`${name}@x`] })),
    },
  ],
});

/** Everything in the graph, the service's own records as well. */
const everything = (): Promise<readonly unknown[]> =>
  ask(
    service.graph,
    `MATCH (n) OPTIONAL MATCH (n)-[r]->(m)
     RETURN labels(n) AS labels, properties(n) AS node, type(r) AS type, properties(r) AS said, m.key AS other
     ORDER BY n.key, type, other`,
  );

test('a plan tells who would gain what, and leaves nothing behind', async () => {
  await accept(wiki, application('ann', 'bob'));
  await accept(directory, people({ name: 'ann', email: 'ann@x' }, { name: 'bob' }));
  const before = await everything();
  const answer = await plan(
    directory,
    people(
      { name: 'ann', email: 'other@x', tags: [{ key: 'level', value: 'high' }] },
      { name: 'cid', email: 'bob@x' },
    ),
  );
  expect(await everything()).toEqual(before);

  const key = (name: string): string => `${directory.data_source_id}|IdpUser|${name}`;
  expect(answer).toMatchObject({
    warnings: [],
    unchanged: false,
    put: { nodes: 2, relationships: 1 },
    removed: { nodes: 1, relationships: 0 },
    confirmation: null,
    nodes: { total: 3, created: 1, changed: 1, removed: 1, truncated: false },
    relationships: {
      total: 1,
      values: [
        {
          change: 'created',
          type: 'TAGGED',
          from: { label: 'IdpUser', id: key('ann') },
          to: { label: 'Tag', id: 'Tag|level|high' },
        },
      ],
    },
    shared_nodes: { created: 1, values: [{ change: 'created', id: 'Tag|level|high' }] },
    derived_relationships: {
      values: [
        {
          change: 'removed',
          type: 'KNOWN_AS',
          from: { id: key('ann') },
          to: { id: 'Identity|ann@x' },
        },
        {
          change: 'created',
          type: 'KNOWN_AS',
          from: { id: key('cid') },
          to: { id: 'Identity|bob@x' },
        },
      ],
    },
  });
  expect((answer.nodes as Body).values).toEqual([
    {
      change: 'changed',
      label: 'IdpUser',
      id: key('ann'),
      name: 'ann',
      properties: { email: { from: 'ann@x', to: 'other@x' } },
      tags: {
        total: 1,
        truncated: false,
        added: [{ label: 'Tag', id: 'Tag|level|high' }],
        removed: [],
      },
      relationships: { total: 0, truncated: false, added: [], changed: [], removed: [] },
    },
    { change: 'removed', label: 'IdpUser', id: key('bob'), name: 'bob' },
    { change: 'created', label: 'IdpUser', id: key('cid'), name: 'cid' },
  ]);
});

test('a relationship that says something else is told with what it said', async () => {
  const assigned = (name: string): object => ({
    ...people({ name: 'ann', app_assignments: [{ id: '1', name, app_id: 'mail' }] }),
    apps: [{ id: 'mail', name: 'Mail' }],
  });
  await accept(directory, assigned('reads'));
  expect(await plan(directory, assigned('writes'))).toMatchObject({
    put: { nodes: 1, relationships: 1 },
    nodes: {
      values: [
        {
          change: 'changed',
          name: 'ann',
          properties: {},
          relationships: {
            total: 1,
            added: [],
            changed: [{ type: 'ASSIGNED_TO', to: { label: 'IdpApp' } }],
            removed: [],
          },
        },
      ],
    },
    relationships: {
      total: 1,
      changed: 1,
      values: [
        {
          change: 'changed',
          type: 'ASSIGNED_TO',
          properties: { name: { from: 'reads', to: 'writes' } },
        },
      ],
    },
  });
});

test('tags and relationships of a changed node are told as such', async () => {
  const groups = ['a', 'b'].map((name) => ({ name }));
  const member = (group: string): object => ({
    ...people({ name: 'ann', groups: [{ identity: group }], tags: [{ key: 'old' }] }),
    groups,
  });
  await accept(directory, member('a'));
  const moved = await plan(directory, member('b'));
  const group = (name: string): object => ({
    type: 'MEMBER_OF',
    to: { label: 'IdpGroup', id: `${directory.data_source_id}|IdpGroup|${name}` },
  });
  expect((moved.nodes as Body).values).toEqual([
    {
      change: 'changed',
      label: 'IdpUser',
      id: `${directory.data_source_id}|IdpUser|ann`,
      name: 'ann',
      properties: {},
      tags: { total: 0, truncated: false, added: [], removed: [] },
      relationships: {
        total: 2,
        truncated: false,
        added: [group('b')],
        changed: [],
        removed: [group('a')],
      },
    },
  ]);
  const untagged = await plan(directory, {
    incremental_change: true,
    users: [{ name: 'ann', operation: 'remove_tag', tags: [{ key: 'old' }] }],
  });
  expect(untagged).toMatchObject({
    nodes: {
      total: 1,
      values: [
        {
          properties: {},
          tags: { total: 1, added: [], removed: [{ label: 'Tag', id: 'Tag|old|' }] },
          relationships: { total: 0 },
        },
      ],
    },
  });
});

test('a relationship that leads to the changed node tells where it comes from', async () => {
  const wikiOf = (parent: string): object => ({
    applications: [
      {
        name: 'wiki',
        application_type: 'wiki',
        local_users: [{ name: 'ann' }],
        resources: ['a', 'b'].map((id) => ({
          id,
          name: id,
          resource_type: 'space',
          sub_resources: id === parent ? [{ id: 'p', name: 'p', resource_type: 'page' }] : [],
        })),
      },
    ],
  });
  await accept(wiki, wikiOf('a'));
  const moved = (await plan(wiki, wikiOf('b'))).nodes as { values: readonly Body[] };
  const from = (id: string): object => ({
    type: 'CONTAINS',
    from: { label: 'Resource', id: `${wiki.data_source_id}|Resource|wiki|#space|${id}` },
  });
  expect(moved.values.find(({ name }) => name === 'p')?.relationships).toEqual({
    total: 2,
    truncated: false,
    added: [from('b')],
    changed: [],
    removed: [from('a')],
  });
});

test('the tags and relationships of a changed node are cut, and say so', async () => {
  await accept(directory, people({ name: 'ann' }));
  const tags = Array.from({ length: LISTED + 1 }, (_, at) => ({ key: `t${at}` }));
  const answer = await plan(directory, people({ name: 'ann', tags }));
  const [ann] = (answer.nodes as { values: readonly Body[] }).values;
  expect(ann?.tags).toMatchObject({ total: LISTED + 1, truncated: true });
  expect((ann?.tags as { added: readonly unknown[] }).added).toHaveLength(LISTED);
});

test('a node that says the same, with a hash that did not prove it, tells its new hash', async () => {
  await accept(directory, people({ name: 'ann' }));
  const key = `${directory.data_source_id}|IdpUser|ann`;
  const { driver, database } = service.graph;
  await driver.executeQuery(
    `MATCH (n:IdpUser {key: $key}), (source:DataSource {key: $source})
     SET n.row_hash = $unproven, source.digest = 'another'
     WITH source MATCH (payload:KnownPayload {key: source.key}) DETACH DELETE payload`,
    { key, source: directory.data_source_id, unproven: '0'.repeat(64) },
    { database },
  );
  const answer = await plan(directory, people({ name: 'ann' }));
  expect((answer.nodes as Body).values).toMatchObject([
    { id: key, properties: { row_hash: { from: '0'.repeat(64) } }, tags: { total: 0 } },
  ]);
});

test('a plan answers what the push then does', async () => {
  await accept(wiki, application('ann'));
  const changed = application('bob', 'eve');
  const { warnings, unchanged, put, removed, digest } = await plan(wiki, changed);
  expect(warnings).toHaveLength(2);
  expect(await accept(wiki, changed)).toMatchObject({ warnings, unchanged, put, removed, digest });
  expect(await plan(wiki, changed)).toMatchObject({
    unchanged: true,
    put: { nodes: 0, relationships: 0 },
    nodes: { total: 0, values: [] },
    derived_relationships: { total: 0 },
  });
});

test('an increment is planned too, and a compressed payload', async () => {
  await accept(directory, people({ name: 'ann' }));
  const increment = { incremental_change: true, users: [{ name: 'ann', operation: 'delete' }] };
  const packed = gzipSync(JSON.stringify(increment)).toString('base64');
  expect(await plan(directory, packed, { compression_type: 'GZIP' })).toMatchObject({
    removed: { nodes: 1 },
    nodes: { values: [{ change: 'removed', name: 'ann' }] },
  });
  const answer = await post('plan', wiki, { incremental_change: true });
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toContain('INCREMENTAL_FIRST_PUSH');
});

test('a plan of what would be refused is answered as the push, and recorded nowhere', async () => {
  await accept(directory, people({ name: 'ann' }));
  const before = await everything();
  const details = async (verb: 'plan' | 'push', payload: string): Promise<unknown> => {
    const answer = await post(verb, directory, payload);
    expect(answer.status).toBe(400);
    return (answer.body as { readonly details: unknown }).details;
  };
  const bad = ['{', JSON.stringify({ usrs: [] }), JSON.stringify({ ...people(), domains: [] })];
  const planned = [];
  for (const payload of bad) planned.push(await details('plan', payload));
  expect(await everything()).toEqual(before);
  const pushed = [];
  for (const payload of bad) pushed.push(await details('push', payload));
  expect(planned).toEqual(pushed);
});

test('a plan tells that the removal guard would stop the push, and by which digest it is confirmed', async () => {
  await accept(directory, people(...Array.from({ length: ROWS }, (_, at) => ({ name: `u${at}` }))));
  const answer = await plan(directory, people());
  expect(answer).toMatchObject({
    confirmation: {
      standing: ROWS + 1,
      removed: ROWS,
      digest: answer.digest,
      message: expect.stringContaining('Grantgraph-Confirm-Removal') as string,
    },
    nodes: { total: ROWS, removed: ROWS, truncated: true },
  });
  expect((answer.nodes as { readonly values: readonly unknown[] }).values).toHaveLength(LISTED);
  expect((await post('push', directory, people())).status).toBe(409);
  const confirmed = { 'grantgraph-confirm-removal': String(answer.digest) };
  const again = await post('plan', directory, people()).set(confirmed);
  expect(again.body).toMatchObject({ confirmation: null, removed: { nodes: ROWS } });
  expect((await post('push', directory, people()).set(confirmed)).status).toBe(200);
});

describe('a team key', () => {
  const withKey = async (more: object, ids: RegisteredIds, payload: object) => {
    const created = await service.post('/api/preview/teamkeys', { name: 'Connector', ...more });
    const { access_key } = (created.body as { value: { access_key: string } }).value;
    const { path, ...rest } = ids;
    return supertest(service.app)
      .post(path.replace(/:push$/, ':plan'))
      .set('authorization', `Bearer ${access_key}`)
      .send({ ...rest, json_data: JSON.stringify(payload) });
  };

  test.each([
    [['push'], 403],
    [['read'], 403],
    [['push', 'read'], 200],
    [['admin'], 200],
  ])('with the scopes %j is answered %d: a plan shows what stands', async (scopes, status) => {
    expect((await withKey({ scopes }, directory, people())).status).toBe(status);
  });

  test('that is limited to a provider is not told what others hold', async () => {
    const other = await service.register('identity_provider');
    await accept(other, people({ name: 'boss' }));
    const payload = people({
      name: 'ann',
      source_identity: { identity: 'boss', provider_type: 'any' },
    });
    const hidden = await withKey({ providers: [directory.id] }, directory, payload);
    expect(hidden.body).toMatchObject({
      limited: true,
      nodes: { created: 2 },
      shared_nodes: null,
      derived_relationships: { total: 0, created: 0, values: [] },
    });
    expect(JSON.stringify(hidden.body)).not.toContain(other.data_source_id);
    const whole = await plan(directory, payload);
    expect(JSON.stringify(whole)).toContain(other.data_source_id);
    expect(whole).not.toHaveProperty('limited');

    // Of what changes in a node that stands it is told its own part alone, too.
    await accept(directory, people({ name: 'ann' }));
    const changed = await withKey({ providers: [directory.id] }, directory, {
      ...payload,
      groups: [{ name: 'staff' }],
      users: [
        {
          name: 'ann',
          groups: [{ identity: 'staff' }],
          tags: [{ key: 'level', value: 'high' }],
          source_identity: { identity: 'boss', provider_type: 'any' },
        },
      ],
    });
    expect(changed.body).toMatchObject({ limited: true, nodes: { changed: 1, created: 1 } });
    const { values } = (changed.body as { nodes: { values: readonly Body[] } }).nodes;
    expect(values.find(({ name }) => name === 'ann')).toMatchObject({
      tags: { added: [{ id: 'Tag|level|high' }] },
      relationships: { added: [{ type: 'MEMBER_OF' }] },
    });
    expect(JSON.stringify(changed.body)).not.toContain(other.data_source_id);
  });
});
