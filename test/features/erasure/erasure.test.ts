/** @more erasure */
import { randomUUID } from 'node:crypto';

import type { Session } from 'neo4j-driver';

import { records } from '../../../src/features';
import { forgetCommits } from '../../../src/graph/records/forgotten-commits';
import { FORGET_COMMITS } from '../../../src/graph/statements/data-source-statements';
import type { Graph } from '../../../src/neo4j/driver';
import { runTransaction } from '../../../src/neo4j/transaction';
import {
  type Asked,
  type Erasure,
  ErasureChanged,
  graphErasures,
} from '../../../src/features/erasure/removal/erasure';
import { NobodyFound, SeveralPeople } from '../../../src/features/erasure/person/person';
import { graphDeletions } from '../../../src/push/graph/deletion';
import { PushUnfinished } from '../../../src/push/graph/store';
import { writeEvent } from '../../../src/graph/records/event-record';
import { graphUploads } from '../../../src/push/graph/uploads';
import { finishDeletions } from '../../../src/registry/deletion';
import type { DataSourceOfProvider } from '../../../src/graph/records/provider-record';
import { serviceEvent } from '../../../src/graph/records/event';
import { dumpGraph } from '../../support/graph-dump';
import { type FilledGraph, filledGraph, TEST_LIMITS } from '../../support/push';
import { verified } from '../../support/verified';
import type { Template } from '../../../src/templates/templates';
import { cloud, directory, ERIN, ERINS_NAMES, people, wiki } from './everywhere';
import { events } from '../../../src/features/erasure/events';
import { events as ofActions } from '../../../src/scim/actions/events';

let filled: FilledGraph;
/** All providers: the operator believes what each says of the person. */
let providers: string[] = [];

beforeAll(async () => {
  filled = await filledGraph();
});
afterAll(() => filled.close());
beforeEach(async () => {
  await filled.clear();
  providers = [];
});

/** Registers a data source, whose provider the operator believes. */
const register = (name: string, template: Template): Promise<DataSourceOfProvider> => {
  providers.push(name);
  return filled.register(name, template);
};

interface Sources {
  readonly corp: DataSourceOfProvider;
  readonly cloud: DataSourceOfProvider;
  readonly people: DataSourceOfProvider;
  readonly wiki: DataSourceOfProvider;
}

const registered = async (): Promise<Sources> => ({
  corp: await register('corp', 'identity_provider'),
  cloud: await register('cloud', 'identity_provider'),
  people: await register('people', 'hris'),
  wiki: await register('wiki', 'application'),
});

const pushAll = async (sources: Sources, isThere: boolean): Promise<void> => {
  await filled.accept(sources.wiki, wiki(isThere));
  await filled.accept(sources.corp, directory(isThere, ERIN.former));
  if (isThere) await filled.accept(sources.corp, directory(true));
  await filled.accept(sources.cloud, cloud(isThere));
  await filled.accept(sources.people, people(isThere));
};

const tell = () =>
  serviceEvent(
    { at: new Date().toISOString(), requestId: randomUUID() },
    {
      severity: 'INFO',
      name: 'Person erased',
      event_type: events.PERSON_ERASED,
      message: '',
      metadata: {},
    },
  );

const erasures = (graph = filled.graph) => graphErasures(graph, TEST_LIMITS, records);

/** Whom to erase, and what the operator has decided. */
const of = (
  principal: string,
  also: readonly string[] = [],
  except: readonly string[] = [],
): Asked => ({ principal, also, except, trusted: providers });

const erase = async (...asked: Parameters<typeof of>): Promise<Erasure> => {
  const { token } = await erasures().plan(of(...asked));
  return erasures().erase(of(...asked), token, tell);
};

/** Keys of what is doubtful, and Erin's all the same: whoever asks knows that it is. */
const doubtfulOf = async (principal: string): Promise<readonly string[]> => {
  const { doubtful } = await erasures().plan(of(principal));
  return doubtful.map(({ key }) => key).filter((key) => /\|(erin|w-)/i.test(key));
};

/** Every text of the graph that holds one of these, in any case. */
const textsWith = async (names: readonly string[]): Promise<readonly string[]> => {
  const rows = await filled.ask(`MATCH (n) RETURN labels(n)[0] AS label, properties(n) AS properties
    UNION ALL MATCH (a)-[r]->(b) RETURN type(r) AS label, properties(r) AS properties`);
  return rows
    .map(({ label, properties }) => `${String(label)} ${JSON.stringify(properties)}`)
    .filter((text) => names.some((name) => text.toLowerCase().includes(name.toLowerCase())));
};

/** The graph of now without dates. */
const contents = async (): Promise<unknown> => {
  const { nodes, relationships } = await dumpGraph(filled);
  return {
    nodes: nodes.map((node) => ({ ...node, since: null, changed: null })),
    relationships: relationships.map(({ properties, ...ends }) => ({
      ...ends,
      properties: { ...properties, since: null },
    })),
  };
};

test.each([
  ['email', ERIN.email],
  ['login', ERIN.login],
  ['id', ERIN.id],
  ['name', ERIN.name.toUpperCase()],
])('a person who is named by %s leaves no trace anywhere', async (_by, asked) => {
  const sources = await registered();
  await pushAll(sources, false);
  const without = await contents();
  await pushAll(sources, true);
  expect((await textsWith(ERINS_NAMES)).length).toBeGreaterThan(20);
  const also = await doubtfulOf(asked);
  const plan = await erasures().plan(of(asked, also));
  expect(plan.kept).toEqual([]);
  expect(plan.sharedNames).toEqual([]);
  await erase(asked, also);
  expect(await textsWith(ERINS_NAMES)).toEqual([]);
  expect(await contents()).toEqual(without);
  for (const source of Object.values(sources) as readonly DataSourceOfProvider[]) {
    expect(await verified(filled, source)).toMatchObject({ sound: true });
  }
});

const users = (...all: readonly object[]): object => ({
  domains: [{ name: 'corp.example' }],
  users: all,
});

const holding = (...identities: readonly string[]): object => ({
  applications: [{ name: 'Wiki', application_type: 'wiki', local_users: [{ name: 'root' }] }],
  permissions: [{ name: 'read', permission_type: ['DataRead'] }],
  identity_to_permissions: identities.map((identity) => ({
    identity,
    application_permissions: [{ application: 'Wiki', permission: 'read' }],
  })),
});

test('a person who is in the history alone leaves it', async () => {
  const sources = await registered();
  await pushAll(sources, true);
  await pushAll(sources, false);
  const corp = sources.corp.dataSource.id;
  const deletions = graphDeletions(filled.graph, TEST_LIMITS, records);
  await deletions.markDataSource(corp, { requestId: 'r' }, () => undefined);
  await finishDeletions(deletions, () => false);
  expect((await textsWith(ERINS_NAMES)).length).toBeGreaterThan(20);
  const { counts, rows } = await erase(ERIN.email, await doubtfulOf(ERIN.email));
  // Tags accumulate, so this one was still there.
  expect(rows.map(({ change, loses }) => [change, loses])).toEqual([['changed', ['TAGGED']]]);
  expect(counts.past).toBeGreaterThan(20);
  expect(await textsWith(ERINS_NAMES)).toEqual([]);
  // What is about others stays.
  expect(await textsWith(['bob@corp.example'])).not.toEqual([]);
  await expect(erasures().plan(of(ERIN.email))).rejects.toThrow(NobodyFound);
});

test('warnings, problems and events lose the names, and nothing else', async () => {
  const wikiSource = await register('wiki', 'application');
  await filled.accept(wikiSource, holding(ERIN.email, 'carl'));
  const refused = await filled.push(wikiSource, {
    ...holding('carl'),
    identity_to_permissions: [
      { identity: ERIN.login, identity_type: 'local_user', application_permissions: [] },
      {
        identity: ERIN.login,
        identity_type: 'local_user',
        application_permissions: [{ application: 'Wiki', permission: 'read' }],
      },
    ],
  });
  expect(refused._tag).toBe('Left');
  const corp = await register('corp', 'identity_provider');
  await filled.accept(corp, users({ name: ERIN.login, identity: ERIN.id, email: ERIN.email }));
  await erase(ERIN.id);
  expect(await textsWith(ERINS_NAMES)).toEqual([]);
  const [push] = await filled.ask(
    'MATCH (p:Push) WHERE p.warning_count > 0 RETURN p.warnings AS warnings, p.warning_details AS details',
  );
  expect(push?.warnings).toEqual([
    'Cannot find identity by names ["(erased)"] (identity_to_permissions)',
    'Cannot find identity by names ["carl"] (identity_to_permissions)',
  ]);
  expect(JSON.parse(String(push?.details))).toMatchObject([
    { code: 'UNKNOWN_IDENTITY', subject: { kind: 'identity', name: '(erased)' } },
    { subject: { name: 'carl' } },
  ]);
  const [problem] = await filled.ask(
    "MATCH (p:Push {outcome: 'refused'}) RETURN p.problems AS problems",
  );
  expect(JSON.parse(String(problem?.problems))).toMatchObject([
    { code: 'UNKNOWN_REFERENCE', message: expect.stringContaining('(erased)') as unknown },
  ]);
  const events = await filled.ask(
    "MATCH (e:Event) WHERE e.event_type IN ['PUSH_WARNED', 'PUSH_REFUSED', 'PERSON_ERASED'] RETURN e.event_type AS type, e.metadata + coalesce(e.error, '') AS told ORDER BY type",
  );
  expect(events.map(({ type }) => type)).toEqual(['PERSON_ERASED', 'PUSH_REFUSED', 'PUSH_WARNED']);
  for (const { type, told } of events) {
    if (type !== 'PERSON_ERASED') expect(told).toContain('(erased)');
  }
});

test('an event that names the person by key loses the key, though the name is an ordinary word', async () => {
  const corp = await register('corp', 'identity_provider');
  await filled.accept(corp, users({ name: 'zelda' }));
  const [row] = await filled.ask("MATCH (n:IdpUser {name: 'zelda'}) RETURN n.key AS key");
  const user = String(row?.key);
  const event = {
    ...tell(),
    event_type: ofActions.ACCOUNT_CREATED,
    message: `The account of ${JSON.stringify(user)} is made`,
    metadata: { user, account: '7' },
  };
  await runTransaction(filled.graph, { mode: 'write' }, (tx) => writeEvent(tx, event));
  await erase('zelda');
  expect(await textsWith(['zelda'])).toEqual([]);
});

test('the next push brings the person back and says so; the same again is unchanged', async () => {
  const sources = await registered();
  await pushAll(sources, true);
  await erase(ERIN.id);
  const back = await filled.accept(sources.corp, directory(true));
  expect(back.outcome).toBe('accepted');
  expect(back.warnings.listed).toMatchObject([
    {
      code: 'ERASED_PERSON',
      subject: { kind: 'user', name: ERIN.login },
      message: `A person who was erased is in the graph again (user "${ERIN.login}")`,
    },
    { code: 'ERASED_PERSON', subject: { kind: 'user', name: 'bob' } },
  ]);
  const granted = await filled.accept(sources.wiki, wiki(true));
  const told = granted.warnings.listed.filter(({ code }) => code === 'ERASED_PERSON');
  expect(told.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining([
      { kind: 'local user', name: 'erin', application: 'Wiki' },
      { kind: 'identity', name: ERIN.email },
      { kind: 'application', name: 'Wiki', application: 'Wiki' },
    ]) as unknown,
  );
  const again = await filled.accept(sources.corp, directory(true));
  expect([again.outcome, again.warnings.count]).toEqual(['unchanged', 0]);
  // Whoever was never erased comes without a warning.
  const other = await register('other', 'identity_provider');
  const { warnings } = await filled.accept(other, users({ name: 'zoe', email: 'zoe@x.example' }));
  expect(warnings.count).toBe(0);
});

test('an increment that names the person warns as well', async () => {
  const corp = await register('corp', 'identity_provider');
  const erin = { name: ERIN.login, identity: ERIN.id, email: ERIN.email };
  await filled.accept(corp, users({ name: 'bob' }, erin));
  await erase(ERIN.login);
  const { warnings } = await filled.accept(corp, {
    ...users({ ...erin, operation: 'add' }),
    incremental_change: true,
  });
  expect(warnings.listed.map(({ code }) => code)).toEqual(['ERASED_PERSON']);
});

test('a token confirms what it was told for, and nothing else', async () => {
  const corp = await register('corp', 'identity_provider');
  const erin = { name: ERIN.login, email: ERIN.email };
  await filled.accept(corp, users(erin));
  const { token } = await erasures().plan(of(ERIN.email));
  expect((await erasures().plan(of(ERIN.login.toUpperCase()))).token).toBe(token);
  await filled.accept(corp, users(erin, { name: 'bob' }));
  expect((await erasures().plan(of(ERIN.email))).token).toBe(token);
  await filled.accept(corp, users(erin, { name: 'bob', manager_id: ERIN.login }));
  await expect(erasures().erase(of(ERIN.email), token, tell)).rejects.toThrow(ErasureChanged);
  expect(await textsWith([ERIN.login])).not.toEqual([]);
  await erase(ERIN.email);
  expect(await textsWith([ERIN.login])).toEqual([]);
});

test('a name of several people is refused, and what somebody else has too stays', async () => {
  const corp = await register('corp', 'identity_provider');
  const other = await register('other', 'identity_provider');
  const wikiSource = await register('wiki', 'application');
  const group = { name: 'sales' };
  await filled.accept(corp, {
    ...users({ name: 'ann', identity: 'u-4711', email: 'ann@corp.example', full_name: 'Sales' }),
    groups: [group],
  });
  await filled.accept(other, users({ name: 'Ann', identity: 'u-0815' }));
  await filled.accept(wikiSource, holding('ann', 'ann@corp.example', 'sales'));
  await expect(erasures().plan(of('ANN'))).rejects.toThrow(SeveralPeople);
  await expect(erasures().plan(of('nobody'))).rejects.toThrow(NobodyFound);
  await expect(erasures().plan(of(`${corp.dataSource.id}|IdpGroup|sales`))).rejects.toThrow(
    NobodyFound,
  );
  const erasure = await erase(`${corp.dataSource.id}|IdpUser|u-4711`);
  expect(erasure.sharedNames).toEqual(['ann', 'sales']);
  // In her own directory nobody else is called ann.
  expect(erasure.names).toEqual(['ann', 'ann@corp.example', 'u-4711']);
  expect(await filled.ask('MATCH (n:Identity) RETURN n.name AS name ORDER BY name')).toEqual([
    { name: 'ann' },
    { name: 'sales' },
  ]);
  expect(await filled.ask('MATCH (n:IdpUser) RETURN n.identity AS id')).toEqual([{ id: 'u-0815' }]);
  expect(await textsWith(['ann@corp.example', 'u-4711'])).toEqual([]);
});

test('what has the name and is something else stays, and the plan lists it', async () => {
  const named = await register(`Laptop of ${ERIN.login}`, 'identity_provider');
  await filled.accept(named, users({ name: 'dora', email: 'dora@corp.example' }));
  const wikiSource = await register('wiki', 'application');
  await filled.accept(wikiSource, {
    applications: [
      {
        name: 'dora@corp.example',
        application_type: 'wiki',
        local_groups: [{ name: 'Dora' }],
        resources: [{ name: 'dora', resource_type: 'page' }],
      },
    ],
  });
  const { kept, doubtful } = await erase('dora');
  expect(kept.map(({ label, name }) => [label, name])).toEqual([
    ['Application', 'dora@corp.example'],
  ]);
  expect(doubtful.map(({ label, name, reason }) => [label, name, reason])).toEqual([
    ['LocalGroup', 'Dora', 'SAME_NAME'],
    ['Resource', 'dora', 'SAME_NAME'],
  ]);
  expect(await filled.ask('MATCH (n:Resource) RETURN n.name AS name')).toEqual([{ name: 'dora' }]);
  for (const source of [named, wikiSource]) {
    expect(await verified(filled, source)).toMatchObject({ sound: true });
  }
});

test('an ordinary word counts only where somebody is named', async () => {
  const corp = await register('corp', 'identity_provider');
  const bob = { name: 'bob', tags: [{ key: 'role', value: 'admin' }] };
  await filled.accept(corp, {
    ...users(
      { name: 'admin', email: 'root@corp.example' },
      { ...bob, manager_id: 'admin', custom_properties: { contact: 'admin' } },
    ),
    custom_property_definition: { user_properties: { contact: 'STRING' } },
  });
  const { rows } = await erase('root@corp.example');
  expect(rows).toMatchObject([
    { name: 'admin', change: 'removed' },
    { name: 'bob', change: 'changed', loses: ['manager_id'] },
  ]);
  expect(
    await filled.ask(
      'MATCH (u:IdpUser)-[:TAGGED]->(t) RETURN u.customprop_contact AS contact, t.value AS tag',
    ),
  ).toEqual([{ contact: 'admin', tag: 'admin' }]);
});

test('an assignment that a name tells apart stays with it, and the plan lists it', async () => {
  const wikiSource = await register('wiki', 'application');
  const corp = await register('corp', 'identity_provider');
  await filled.accept(corp, users({ name: ERIN.login, email: ERIN.email }));
  await filled.accept(wikiSource, {
    applications: [
      {
        name: 'Wiki',
        application_type: 'wiki',
        local_users: [{ name: 'root' }],
        local_roles: [{ name: 'editor', permissions: ['read'] }],
      },
    ],
    permissions: [{ name: 'read', permission_type: ['DataRead'] }],
    custom_property_definition: {
      applications: [
        { application_type: 'wiki', role_assignment_properties: { approver: 'STRING' } },
      ],
    },
    identity_to_permissions: [
      {
        identity: 'root',
        identity_type: 'local_user',
        role_assignments: [
          {
            application: 'Wiki',
            role: 'editor',
            apply_to_application: true,
            custom_properties: { approver: ERIN.email },
          },
        ],
      },
    ],
  });
  const { kept } = await erase(ERIN.email);
  expect(kept).toMatchObject([{ label: 'RoleAssignment', name: 'editor' }]);
  expect(await verified(filled, wikiSource)).toMatchObject({ sound: true });
});

test('uploads that are under way end, since they may hold the name', async () => {
  const corp = await register('corp', 'identity_provider');
  await filled.accept(corp, users({ name: ERIN.login }));
  const uploads = graphUploads(filled.graph);
  const upload = { id: randomUUID(), dataSource: corp.dataSource.id };
  const quota = {
    ofDataSource: 9,
    ofProvider: 9,
    inAll: 9,
    bytesOfDataSource: 1e6,
    bytesOfProvider: 1e6,
    bytesInAll: 1e6,
  };
  await uploads.start(upload, quota)();
  const bytes = Buffer.from(JSON.stringify(users({ name: ERIN.login })));
  await uploads.store(upload, { number: 1, bytes }, { payloadBytes: 1e6, quota })();
  const count = async () =>
    Number((await filled.ask('MATCH (n:UploadSlice) RETURN count(n) AS count'))[0]?.count);
  expect(await count()).toBe(1);
  await erase(ERIN.login);
  expect(await uploads.parts(upload)()).toMatchObject({ right: null });
  while (await uploads.removeSome());
  expect(await count()).toBe(0);
});

/** A graph that breaks a transaction at one of its statements, or at its commit. */
const breaking = (graph: Graph, at: number, counted: (statements: number) => void): Graph => {
  const session = (options: Parameters<Graph['driver']['session']>[0]): Session => {
    const opened = graph.driver.session(options);
    const begin = opened.beginTransaction.bind(opened);
    opened.beginTransaction = (config) => {
      const tx = begin(config);
      const run = tx.run.bind(tx);
      let statements = 0;
      tx.run = ((...statement: Parameters<typeof run>) => {
        // Records of commits go first, in transactions of their own.
        if (statement[0] === FORGET_COMMITS) return run(...statement);
        statements += 1;
        if (statements === at) throw new Error('killed');
        return run(...statement);
      }) as typeof tx.run;
      const commit = tx.commit.bind(tx);
      tx.commit = async () => {
        if (statements === 0) return commit();
        counted(statements);
        await tx.rollback();
        throw new Error('killed');
      };
      return tx;
    };
    return opened;
  };
  const driver = Object.assign(Object.create(graph.driver) as object, { session });
  return { ...graph, driver: driver as Graph['driver'] };
};

test('whatever statement an erasure is killed at, it erases all or nothing', async () => {
  const sources = await registered();
  await pushAll(sources, true);
  const everything = async () =>
    (await textsWith([''])).map((text) => text.replace(/"lock":"[^"]*"/, '')).toSorted();
  await forgetCommits(filled.graph, 60);
  const before = await everything();
  const asked = of(ERIN.email, await doubtfulOf(ERIN.email));
  const { token } = await erasures().plan(asked);
  let statements = 0;
  const killed = async (at: number): Promise<void> => {
    const graph = breaking(filled.graph, at, (run) => {
      statements = run;
    });
    await expect(erasures(graph).erase(asked, token, tell)).rejects.toThrow('killed');
    expect(await everything()).toEqual(before);
  };
  await killed(Infinity);
  expect(statements).toBeGreaterThan(100);
  for (const back of [0, 1, 2, 3, 5, 8, 20, 60]) await killed(statements - back);
  await erasures().erase(asked, token, tell);
  expect(await textsWith(ERINS_NAMES)).toEqual([]);
});

test('an erasure and pushes at once leave no half of a person', async () => {
  const sources = await registered();
  await pushAll(sources, true);
  const asked = of(ERIN.email, await doubtfulOf(ERIN.email));
  const { token } = await erasures().plan(asked);
  const [erased, ...pushed] = await Promise.allSettled([
    erasures().erase(asked, token, tell),
    filled.accept(sources.corp, directory(true, 'Erin of the push')),
    filled.accept(sources.wiki, wiki(false)),
  ]);
  expect(pushed.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  if (erased.status === 'rejected') expect(erased.reason).toBeInstanceOf(ErasureChanged);
  for (const source of Object.values(sources) as readonly DataSourceOfProvider[]) {
    expect(await verified(filled, source)).toMatchObject({ sound: true });
  }
  await erase(ERIN.email, await doubtfulOf(ERIN.email));
  expect(await textsWith(ERINS_NAMES)).toEqual([]);
});

test('an erasure waits for no chunked push: it is refused while one is unfinished', async () => {
  const corp = await register('corp', 'identity_provider');
  await filled.accept(corp, users({ name: ERIN.login }));
  const { token } = await erasures().plan(of(ERIN.login));
  const { driver, database } = filled.graph;
  const large = { key: corp.dataSource.id };
  await driver.executeQuery('CREATE (:LargePush {key: $key, push: "p"})', large, { database });
  await expect(erasures().erase(of(ERIN.login), token, tell)).rejects.toThrow(PushUnfinished);
  await expect(erasures().plan(of(ERIN.login))).rejects.toThrow(PushUnfinished);
  expect(await textsWith([ERIN.login])).not.toEqual([]);
});
