import type { Response } from 'supertest';

import { ask } from '../../src/neo4j/ask';
import { closeGraph, openGraph } from '../../src/neo4j/driver';
import { KNOWN_PROPERTY_NAMES } from '../../src/push/statements/property-name-statements';
import { testNeo4j } from '../support/neo4j';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
let directory: RegisteredIds;
let known: ReadonlySet<string>;

/** Neo4j never forgets a name: each test takes its own. */
let round = 0;
const named = (name: string): string => `${name}_in_test_${process.pid}_${round}`;

const knownNames = async (): Promise<ReadonlySet<string>> => {
  const graph = openGraph(testNeo4j());
  try {
    const [row] = await ask(graph, KNOWN_PROPERTY_NAMES);
    return new Set(row?.names as readonly string[]);
  } finally {
    await closeGraph(graph);
  }
};

const started = async (limits: Parameters<typeof serviceUnderTest>[0]): Promise<void> => {
  service = await serviceUnderTest(limits);
  directory = await service.register('identity_provider');
};

beforeEach(async () => {
  round += 1;
  known = await knownNames();
});
afterEach(() => service.close());

const post = (verb: 'push' | 'plan', { path, ...ids }: RegisteredIds, payload: object) =>
  service.post(path.replace(/:push$/, `:${verb}`), { ...ids, json_data: JSON.stringify(payload) });

const people = (users: readonly object[], user_properties: object = {}): object => ({
  idp_type: 'ldap',
  custom_property_definition: { user_properties },
  domains: [{ name: 'corp' }],
  users,
});

/** A user with dynamic properties of these names. */
const user = (name: string, ...names: readonly string[]): object => ({
  name,
  dynamic_properties: Object.fromEntries(names.map((each) => [named(each), 'x'])),
});

const accept = async (payload: object, ids = directory): Promise<void> => {
  expect((await post('push', ids, payload)).status).toBe(200);
};

/** The problems of a refused push, `pointer CODE` each, by the names as the tests call them. */
const problemsOf = ({ status, body }: Response): readonly string[] => {
  expect(status).toBe(400);
  const { details } = body as {
    details: readonly [{ field_violations: readonly { pointer: string; code: string }[] }];
  };
  return details[0].field_violations.map(
    ({ pointer, code }) => `${pointer.replace(named(''), '')} ${code}`,
  );
};

const newNames = async (): Promise<readonly string[]> =>
  [...(await knownNames())]
    .filter((name) => !known.has(name))
    .map((name) => name.replace(named(''), ''))
    .sort();

test('a name too many is refused where it is first declared or set, and Neo4j never hears of it', async () => {
  await started({ propertyNames: 3 });
  await accept(people([user('ann', 'a', 'b')]));
  const answer = await post(
    'push',
    directory,
    people([user('ann', 'a', 'd'), user('bob', 'b', 'd', 'e')], {
      [named('c')]: 'STRING',
      [named('c2')]: 'STRING',
    }),
  );
  expect(problemsOf(answer)).toEqual([
    '/custom_property_definition/user_properties/c2 TOO_MANY_PROPERTY_NAMES',
    '/users/0/dynamic_properties/d TOO_MANY_PROPERTY_NAMES',
    '/users/1/dynamic_properties/e TOO_MANY_PROPERTY_NAMES',
  ]);
  expect(await newNames()).toEqual(['dynprop_a', 'dynprop_b']);
  await accept(people([user('ann', 'a', 'b', 'c')]));
});

test('names count on when nothing has such a property any more', async () => {
  await started({ propertyNames: 2 });
  await accept(people([user('ann', 'a', 'b')]));
  await accept(people([{ name: 'ann' }]));
  expect(problemsOf(await post('push', directory, people([user('ann', 'b', 'c')])))).toEqual([
    '/users/0/dynamic_properties/c TOO_MANY_PROPERTY_NAMES',
  ]);
  const again = people([user('ann', 'b', 'a')]);
  await accept(again);
  // What is answered from memory leaves the count as it is.
  await accept(again);
  expect((await post('push', directory, people([user('ann', 'c')]))).status).toBe(400);
});

test('an increment brings names as a whole push does; what it does not write is not counted', async () => {
  await started({ propertyNames: 2 });
  await accept(people([user('ann', 'a'), { name: 'bob' }]));
  const increment = (...users: readonly object[]): object => ({ incremental_change: true, users });
  await accept(
    increment({ ...user('ann', 'x', 'y', 'z') }, { ...user('bob', 'b'), operation: 'modify' }),
  );
  const answer = await post(
    'push',
    directory,
    increment({ ...user('ann', 'b', 'c'), operation: 'modify' }),
  );
  expect(problemsOf(answer)).toEqual(['/users/0/dynamic_properties/c TOO_MANY_PROPERTY_NAMES']);
});

test('one provider uses up no names of others, whatever data sources it makes and deletes', async () => {
  await started({ providerPropertyNames: 2 });
  await accept(people([user('ann', 'a')]));
  const sources = directory.path.replace(/\/[^/]*:push$/, '');
  const created = await service.post(sources, { id: directory.id, name: 'another' });
  const { id: data_source_id } = (created.body as { value: { id: string } }).value;
  const another = { ...directory, data_source_id, path: `${sources}/${data_source_id}:push` };
  await accept(people([user('bob', 'a', 'b')]), another);
  expect(problemsOf(await post('push', another, people([user('bob', 'a', 'c')])))).toEqual([
    '/users/0/dynamic_properties/c TOO_MANY_PROPERTY_NAMES',
  ]);
  expect((await service.send('delete', another.path.replace(/:push$/, ''))).status).toBe(200);
  expect(problemsOf(await post('push', directory, people([user('ann', 'a', 'c')])))).toEqual([
    '/users/0/dynamic_properties/c TOO_MANY_PROPERTY_NAMES',
  ]);
  await accept(people([user('ann', 'a', 'b')]));
  await accept(people([user('cid', 'c', 'd')]), await service.register('identity_provider'));
});

test('all data sources together may bring so many names; which of them others brought nobody can tell', async () => {
  await started({ allPropertyNames: known.size + 2 });
  await accept(people([user('ann', 'a')], { [named('declared')]: 'STRING' }));
  const other = await service.register('identity_provider');
  for (const name of ['a', 'b']) {
    expect(problemsOf(await post('push', other, people([user('bob', name)])))).toEqual([
      `/users/0/dynamic_properties/${name} TOO_MANY_PROPERTY_NAMES`,
    ]);
  }
  await accept(people([user('ann', 'a'), user('bob', 'a')], { [named('declared')]: 'STRING' }));
});

test('a plan tells what new names bring, and leaves none of them behind in Neo4j', async () => {
  await started({});
  const assigned = (value: string): object => ({
    app_assignments: [
      { id: '1', app_id: 'app', custom_properties: { [named('assigned')]: value } },
    ],
  });
  const wanted = (more: object): object => ({
    ...people([{ ...user('ann', 'a'), ...more }, user('new', 'b')], { [named('level')]: 'STRING' }),
    apps: [{ id: 'app', name: 'App' }],
    custom_property_definition: {
      user_properties: { [named('level')]: 'STRING' },
      app_assignment_properties: { [named('assigned')]: 'STRING' },
    },
  });
  await accept(people([{ name: 'ann' }]));
  const payload = wanted({
    ...assigned('x'),
    custom_properties: { [named('level')]: 'high' },
  });
  const plan = await post('plan', directory, payload);
  expect(plan.status).toBe(200);
  expect(await newNames()).toEqual([]);
  expect(plan.body).toMatchObject({
    put: { nodes: 3, relationships: 1 },
    nodes: {
      values: [
        { change: 'created', name: 'App' },
        {
          change: 'changed',
          name: 'ann',
          properties: {
            [`customprop_${named('level')}`]: { from: null, to: 'high' },
            [`dynprop_${named('a')}`]: { from: null, to: 'x' },
          },
        },
        { change: 'created', name: 'new' },
      ],
    },
  });

  const pushed = await post('push', directory, payload);
  expect(pushed.status).toBe(200);
  expect(await newNames()).toEqual([
    'customprop_assigned',
    'customprop_level',
    'dynprop_a',
    'dynprop_b',
  ]);
  expect((await post('plan', directory, payload)).body).toMatchObject({ unchanged: true });
});

test('a payload that is pushed again is read where an increment has declared more since', async () => {
  await started({});
  const whole = people([{ name: 'ann' }]);
  const declaring = (type: string): object => ({
    incremental_change: true,
    custom_property_definition: { user_properties: { [named('level')]: type } },
  });
  await accept(whole);
  await accept(declaring('NUMBER'));
  await accept(whole);
  await accept(declaring('STRING'));
});
