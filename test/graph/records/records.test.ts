import { records } from '../../../src/features';
import { graphDeletions } from '../../../src/push/graph/deletion';
import { finishDeletions } from '../../../src/registry/deletion';
import { type FilledGraph, filledGraph, TEST_LIMITS } from '../../support/push';

const directory = (users: readonly object[], more: object = {}): object => ({
  domains: [{ name: 'corp.example' }],
  users,
  ...more,
});
const application = (name: string, type: string, more: object = {}): object => ({
  applications: [{ name, application_type: type, local_users: [{ name: 'a' }], ...more }],
});

let filled: FilledGraph;

beforeAll(async () => {
  filled = await filledGraph();
});
afterAll(() => filled.close());
beforeEach(() => filled.clear());

const pushes = (): Promise<readonly Readonly<Record<string, unknown>>[]> =>
  filled.ask(
    `MATCH (push:Push)-[:FROM]->(source:DataSource)
     RETURN push.outcome AS outcome, push.nodes_put AS put, push.nodes_removed AS removed,
            push.warning_count AS warnings, push.problem_count AS problems, source.name AS source
     ORDER BY push.at`,
  );

const events = async (): Promise<readonly string[]> =>
  (
    await filled.ask(
      `MATCH (event:Event) WHERE event.event_type STARTS WITH 'PUSH'
       RETURN event.event_type AS type, event.severity AS severity, event.name AS name, event.entity_name AS entity
       ORDER BY event.timestamp, type`,
    )
  ).map(
    ({ type, severity, name, entity }) =>
      `${String(severity)} ${String(type)} ${String(name)} ${String(entity)}`,
  );

const source = async (): Promise<Readonly<Record<string, unknown>>> => {
  const [row] = await filled.ask('MATCH (source:DataSource) RETURN properties(source) AS source');
  return row?.source as Readonly<Record<string, unknown>>;
};

test('a refused push changes no row and is recorded with its reasons', async () => {
  const corp = await filled.register('corp', 'identity_provider');
  const { at } = await filled.accept(corp, directory([{ name: 'ann' }]));
  const before = await source();
  const unshaped = await filled.push(corp, directory([{ name: 7 }, {}]));
  const unruly = await filled.push(
    corp,
    directory([{ name: 'ann' }, { name: 'ann', groups: [{ identity: 'nobody' }] }]),
  );
  expect(unshaped).toMatchObject({ left: { _tag: 'Invalid', total: 2 } });
  expect(unruly).toMatchObject({ left: { _tag: 'Invalid', total: 2 } });
  expect(await source()).toEqual({ ...before, status: 'ERROR' });
  expect(await filled.ask('MATCH (n:IdpUser) RETURN n.name AS name, n.changed AS changed')).toEqual(
    [{ name: 'ann', changed: at }],
  );
  expect(await pushes()).toEqual([
    { outcome: 'accepted', put: 2, removed: 0, warnings: 0, problems: 0, source: 'corp' },
    { outcome: 'refused', put: 0, removed: 0, warnings: 0, problems: 2, source: 'corp' },
    { outcome: 'refused', put: 0, removed: 0, warnings: 0, problems: 2, source: 'corp' },
  ]);
  const [told] = await filled.ask(
    "MATCH (push:Push {outcome: 'refused'}) RETURN push.problems AS problems ORDER BY push.at DESC",
  );
  expect(JSON.parse(String(told?.problems))).toMatchObject([
    { pointer: '/users/1', code: 'DUPLICATE_ID' },
    { pointer: '/users/1/groups/0/identity', code: 'UNKNOWN_REFERENCE' },
  ]);
  await filled.accept(corp, directory([{ name: 'ann' }]));
  expect(await source()).toMatchObject({ status: 'SUCCESS', digest: before.digest });
});

test('events tell what became of each push', async () => {
  const wiki = await filled.register('wiki', 'application');
  const warned = application('Wiki', 'wiki', { local_roles: [{ name: 'empty' }] });
  await filled.accept(wiki, warned);
  await filled.accept(wiki, warned);
  await filled.push(wiki, '{');
  expect(await events()).toEqual([
    'INFO PUSH_ACCEPTED OAA push wiki',
    'WARNING PUSH_WARNED OAA push wiki',
    'INFO PUSH_UNCHANGED OAA push wiki',
    'WARNING PUSH_WARNED OAA push wiki',
    'ERROR PUSH_REFUSED OAA push wiki',
  ]);
});

test('the same push again writes nothing but its record', async () => {
  const corp = await filled.register('corp', 'identity_provider');
  const payload = directory([{ name: 'ann', manager_id: 'bob' }, { name: 'bob' }]);
  const whole = (): Promise<readonly unknown[]> =>
    filled.ask(
      `MATCH (n) WHERE NOT n:Push AND NOT n:Event AND NOT n:DataSource AND NOT n:BindingLock
       OPTIONAL MATCH (n)-[r]->(m) WHERE NOT n:Push
       WITH n, r, m ORDER BY type(r), m.key
       RETURN labels(n) AS labels, n.key AS key, n.since AS since, n.changed AS changed, n.row_hash AS hash,
              collect([type(r), r.since, m.key]) AS relationships
       ORDER BY key`,
    );
  const first = await filled.accept(corp, payload);
  const before = await whole();
  const again = await filled.accept(corp, payload);
  expect(again).toMatchObject({
    outcome: 'unchanged',
    digest: first.digest,
    put: { nodes: 0, relationships: 0 },
    removed: { nodes: 0, relationships: 0 },
  });
  expect(await whole()).toEqual(before);
  expect(await source()).toMatchObject({
    status: 'SUCCESS',
    last_push: again.push,
    digest: first.digest,
    rows: 3,
  });
});

test('every since and changed is the moment of one push', async () => {
  const corp = await filled.register('corp', 'identity_provider');
  const wiki = await filled.register('wiki', 'application');
  await filled.accept(corp, directory([{ name: 'ann' }]));
  await filled.accept(wiki, application('Wiki', 'wiki', { owners: [{ external_id: 'ann' }] }));
  await filled.accept(corp, directory([{ name: 'ann', full_name: 'Ann' }, { name: 'bob' }]));
  const lost = await filled.ask(
    `MATCH (n) WHERE n.row_hash IS NOT NULL
     UNWIND [n.since, n.changed] + [(n)-[r]->() | r.since] AS moment
     WITH DISTINCT moment
     OPTIONAL MATCH (push:Push {at: moment})
     WITH moment, count(push) AS pushes WHERE pushes <> 1
     RETURN moment`,
  );
  expect(lost).toEqual([]);
});

test("a provider's lists of types are those of its data sources' newest pushes", async () => {
  const one = await filled.register('apps', 'application');
  const two = await filled.addDataSource(one, 'more apps');
  const lists = async (): Promise<unknown> => {
    const [row] = await filled.ask(
      'MATCH (p:Provider) RETURN p.application_types AS apps, p.resource_types AS resources, p.idp_types AS idps',
    );
    return row;
  };
  expect(await lists()).toEqual({ apps: [], resources: [], idps: [] });
  await filled.accept(
    one,
    application('A', 'crm', {
      resources: [
        {
          name: 'x',
          resource_type: 'folder',
          sub_resources: [{ name: 'y', resource_type: 'file' }],
        },
        { name: 'z', resource_type: 'Folder' },
      ],
    }),
  );
  await filled.accept(
    two,
    application('B', 'wiki', { resources: [{ name: 'x', resource_type: 'file' }] }),
  );
  await filled.accept(one, application('A', 'crm'));
  expect(await lists()).toEqual({
    apps: ['crm', 'wiki'],
    resources: ['file'],
    idps: [],
  });
  // An increment adds; the next full push takes back what it does not bring.
  await filled.accept(one, {
    incremental_change: true,
    applications: [
      { name: 'A', resources: [{ name: 'd', resource_type: 'disk', operation: 'add' }] },
    ],
  });
  expect(await lists()).toMatchObject({ resources: ['disk', 'file'] });
  await filled.accept(one, {
    incremental_change: true,
    applications: [
      { name: 'A', resources: [{ name: 'd', resource_type: 'disk', operation: 'delete' }] },
    ],
  });
  expect(await lists()).toMatchObject({ resources: ['disk', 'file'] });
  // The rows are those of the newest full push by now, and so the types are again.
  expect((await filled.accept(one, application('A', 'crm'))).outcome).toBe('unchanged');
  expect(await lists()).toMatchObject({ resources: ['file'] });
  const deletions = graphDeletions(filled.graph, TEST_LIMITS, records);
  await deletions.markDataSource(two.dataSource.id, { requestId: '' }, () => undefined);
  await finishDeletions(deletions, () => false);
  expect(await lists()).toEqual({ apps: ['crm'], resources: [], idps: [] });
});

test("an identity provider's type is told in NFC", async () => {
  const corp = await filled.register('corp', 'identity_provider');
  await filled.accept(corp, directory([], { idp_type: 'cafe\u0301' }));
  expect(await filled.ask('MATCH (p:Provider) RETURN p.idp_types AS types')).toEqual([
    { types: ['caf\u00e9'] },
  ]);
});

test('definitions are those of the newest whole push and the increments since, and each push declares what it uses', async () => {
  const corp = await filled.register('corp', 'identity_provider');
  const declared = (type: string, value: unknown): object =>
    directory([{ name: 'ann', custom_properties: { level: value } }], {
      custom_property_definition: { user_properties: { level: type } },
    });
  await filled.accept(corp, declared('NUMBER', 3));
  expect(await filled.push(corp, declared('STRING', 'three'))).toMatchObject({
    left: { problems: [{ code: 'PROPERTY_TYPE_CHANGED' }] },
  });
  expect(
    await filled.push(corp, directory([{ name: 'ann', custom_properties: { level: 3 } }])),
  ).toMatchObject({ left: { problems: [{ code: 'UNDECLARED_PROPERTY' }] } });
  expect((await filled.accept(corp, declared('NUMBER', 4))).outcome).toBe('accepted');
  await filled.accept(corp, directory([{ name: 'ann' }]));
  expect((await filled.accept(corp, declared('STRING', 'three'))).outcome).toBe('accepted');
});

test('what increments declare goes with the next whole push, also where that changes no row', async () => {
  const corp = await filled.register('corp', 'identity_provider');
  const whole = directory([{ name: 'ann' }]);
  const declaring = (type: string): object => ({
    incremental_change: true,
    custom_property_definition: { user_properties: { level: type } },
  });
  await filled.accept(corp, whole);
  await filled.accept(corp, declaring('NUMBER'));
  expect(await filled.push(corp, declaring('STRING'))).toMatchObject({ _tag: 'Left' });
  expect((await filled.accept(corp, whole)).outcome).toBe('unchanged');
  await filled.accept(corp, declaring('STRING'));
});
