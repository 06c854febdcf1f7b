/** @more access */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { finishDeletions } from '../../src/registry/deletion';
import { ask } from '../../src/neo4j/ask';
import { nodeKinds, sharedKinds } from '../../src/templates/graph/nodes';
import type { Route } from '../../src/web/routing/route';
import { idleRoutes } from '../support/idle-app';
import { sized } from '../support/test-size';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

/*
 * What a question about an instant, or about a period, answers if it names something that never
 * existed, did not exist yet, existed, or no longer existed (docs/rules.md: History). The endpoints
 * and their parameters are those that the routes declare.
 */

type Told = Readonly<Record<string, string>>;

const COMPANY = [
  ['corporate-directory', 'identity_provider'],
  ['hr-system', 'hris'],
  ['source-code-host', 'application'],
  ['crm', 'application'],
] as const;

/** What each parameter can name: labels of nodes, or a data source. A new parameter that names something belongs here. */
const NAMING: Readonly<Record<string, readonly string[] | 'data source' | 'any'>> = {
  principal: ['Principal', 'Resource'],
  without: ['Principal', 'Resource'],
  resource: ['Application', 'Resource'],
  entityId: 'any',
  data_source: 'data source',
};
/** Parameters that narrow an answer, or say how it is told. They name nothing by an id. */
const NARROWING = [
  'permission',
  'permission_type',
  'application',
  'label',
  'change',
  'person',
  'entities',
  'contents',
  'cypher',
  'format',
  'mark',
  'details',
  'counts',
  'every_type',
  'everybody',
  'people_first',
  'order_by',
  'page_size',
  'page_token',
  'at',
  'since',
  'until',
  'push',
];

interface Endpoint {
  readonly path: string;
  /** The parameters that name something, and those of them that each request needs. */
  readonly named: readonly string[];
  readonly needed: readonly string[];
  readonly others: readonly string[];
  readonly isPeriod: boolean;
}

const endpointOf = ({ path, query }: Route): Endpoint => {
  const inPath = [...path.matchAll(/(?<!\\):(\w+)/g)].map(([, name = '']) => name);
  const required = Object.keys(query?.required ?? {});
  const all = [...inPath, ...required, ...Object.keys(query?.optional ?? {})];
  const unknown = all.filter((name) => !(name in NAMING) && !NARROWING.includes(name));
  expect([path, unknown]).toEqual([path, []]);
  return {
    path: path.replaceAll('\\:', ':'),
    named: all.filter((name) => name in NAMING),
    needed: [...inPath, ...required],
    others: all,
    isPeriod: all.includes('since'),
  };
};

/** All endpoints about an instant or a period, as the routes declare them. */
const endpoints = (): readonly Endpoint[] =>
  idleRoutes()
    .filter(({ query, access }) => {
      const known = { ...query?.required, ...query?.optional };
      return (
        typeof access === 'object' && 'scopes' in access && ('at' in known || 'until' in known)
      );
    })
    .map(endpointOf);

let service: ServiceUnderTest;
const at: Record<string, string> = {};
const nodes: {
  readonly key: string;
  readonly label: string;
  readonly labels: readonly string[];
}[] = [];
/** Something that exists at every instant: what a question needs besides what it is about. */
const always: Record<string, string> = {};
const sources: string[] = [];

const now = async (): Promise<string> => {
  const [row] = await ask(service.graph, 'RETURN toString(datetime.realtime("Z")) AS at');
  return String(row?.at);
};

const push = async (template: string, json_data: string): Promise<string> => {
  const { path, ...ids } = await service.register(template);
  await service.post(path, { ...ids, json_data }).expect(200);
  return path.replace(/:push$/, '');
};

const pushCompany = async (): Promise<readonly string[]> => {
  const paths: string[] = [];
  for (const [name, template] of COMPANY) {
    const file = join(__dirname, '../../examples/company', `${name}.json`);
    paths.push(await push(template, readFileSync(file, 'utf8')));
  }
  return paths;
};

beforeAll(async () => {
  service = await serviceUnderTest();
  const door = {
    applications: [
      {
        name: 'door',
        application_type: 'door',
        local_users: [{ name: 'porter' }],
        resources: [{ name: 'gate', resource_type: 'Gate' }],
      },
    ],
    permissions: [{ name: 'open', permission_type: ['DataRead'] }],
  };
  await push('application', JSON.stringify(door));
  const [own] = await ask(
    service.graph,
    'MATCH (user:LocalUser {name: "porter"}), (gate:Resource {name: "gate"}) RETURN user.key AS user, gate.key AS gate',
  );
  const [user, gate] = [String(own?.user), String(own?.gate)];
  Object.assign(always, { principal: user, entityId: user, resource: gate, without: user });
  at.before = await now();
  at.earlier = await now();
  const paths = await pushCompany();
  sources.push(...paths.map((path) => path.split('/').at(-1) ?? ''));
  const found = await ask(
    service.graph,
    `MATCH (n:Entity) WHERE n.since >= datetime($before) OR n.data_source IS NULL
     WITH [label IN labels(n) WHERE label IN $all][0] AS label, n ORDER BY n.key
     WITH label, collect(n)[..$most] AS some UNWIND some AS n
     RETURN label, n.key AS key, labels(n) AS labels`,
    { before: at.before, all: nodeKinds.map(({ label }) => label), most: sized(1, 3) },
  );
  nodes.push(...(found as unknown as typeof nodes));
  at.during = await now();
  for (const path of paths) await service.send('delete', path).expect(200);
  await finishDeletions(service.deletions, () => false);
  at.gone = await now();
  at.later = await now();
  // What is shared exists again, so the present says nothing about the past.
  await pushCompany();
});
afterAll(() => service.close());

/** Sends a question, and gives its status. */
const statusOf = async (endpoint: Endpoint, asked: Told, many: readonly string[] = []) => {
  const search = new URLSearchParams();
  let { path } = endpoint;
  for (const [name, value] of Object.entries(asked)) {
    if (path.includes(`:${name}`)) path = path.replace(`:${name}`, encodeURIComponent(value));
    else search.append(name, value);
  }
  for (const principal of many) search.append('principal', principal);
  if (path.endsWith(':check')) search.append('permission_type', 'DataRead');
  const answer = await service.send('get', `${path}?${search.toString()}`);
  return { path, search: search.toString(), status: answer.status, body: answer.body as unknown };
};

/** The other parameters that a question about one needs. */
const besides = ({ needed, named }: Endpoint, about: string): Told => {
  // Who would lose what without somebody is asked of a resource.
  const wanted = about === 'without' ? [...needed, 'resource'] : needed;
  return Object.fromEntries(
    wanted
      .filter((name) => name !== about && named.includes(name))
      .map((name) => [name, always[name] ?? '']),
  );
};

const fits = (name: string, labels: readonly string[]): boolean => {
  const wanted = NAMING[name];
  return wanted === 'any' || (Array.isArray(wanted) && labels.some((one) => wanted.includes(one)));
};

/** The same kind of key, of something that nobody ever named. */
const invented = (key: string): string => `${key}x-nobody`;

const isShared = (label: string): boolean => sharedKinds.some((kind) => kind.label === label);

const spans = (): readonly (readonly [since: string, until: string, exists: boolean])[] => [
  [at.before ?? '', at.earlier ?? '', false],
  [at.before ?? '', at.during ?? '', true],
  [at.during ?? '', at.gone ?? '', true],
  [at.gone ?? '', at.later ?? '', false],
  // It was created and ended in between: the comparison is net.
  [at.before ?? '', at.gone ?? '', false],
];
const instants = (): readonly (readonly [at: string, exists: boolean])[] => [
  [at.before ?? '', false],
  [at.during ?? '', true],
  [at.gone ?? '', false],
];

test('what a question about an instant names must have existed then, of every kind, at every endpoint', async () => {
  expect(new Set(nodes.map(({ label }) => label))).toEqual(
    new Set(nodeKinds.map(({ label }) => label)),
  );
  const asking: (readonly [status: number, ...Parameters<typeof statusOf>])[] = [];
  const all = endpoints();
  expect(all.filter(({ isPeriod }) => isPeriod).length).toBeGreaterThan(0);
  expect(all.length).toBeGreaterThan(5);
  for (const endpoint of all) {
    const { named, others, isPeriod } = endpoint;
    for (const name of named.filter((one) => NAMING[one] !== 'data source')) {
      const rest = besides(endpoint, name);
      for (const { key, label, labels } of nodes) {
        const isOne = fits(name, labels);
        const whens = isPeriod
          ? spans().map(([since, until, exists]) => [{ since, until }, exists] as const)
          : instants().map(([moment, exists]) => [{ at: moment }, exists] as const);
        const present = whens[1]?.[0] ?? {};
        asking.push([404, endpoint, { ...rest, ...present, [name]: invented(key) }]);
        // A kind that a parameter cannot name is never found.
        for (const [when, exists] of isOne ? whens : whens.slice(1, 2)) {
          const asked = { ...rest, ...when, [name]: key };
          const status = isOne && exists ? 200 : 404;
          asking.push([status, endpoint, asked]);
          if (name !== 'principal' || !isShared(label)) continue;
          if (others.includes('person'))
            asking.push([status, endpoint, { ...asked, person: 'true' }]);
          // With another one it is not found either, and not "of two people".
          if (!exists) asking.push([404, endpoint, asked, [always.principal ?? '']]);
        }
      }
    }
  }
  const wrong: unknown[] = [];
  const questions = asking.values();
  const askOn = async (): Promise<void> => {
    for (const [expected, ...asked] of questions) {
      const got = await statusOf(...asked);
      if (got.status !== expected) wrong.push({ ...got, expected });
    }
  };
  await Promise.all([askOn(), askOn(), askOn(), askOn()]);
  expect(wrong).toEqual([]);
  expect(asking.length).toBeGreaterThan(200);
});

test('a data source that a question about changes names must be registered, or be in the history', async () => {
  const asking = endpoints().filter(({ named }) => named.includes('data_source'));
  expect(asking.length).toBeGreaterThan(0);
  for (const endpoint of asking) {
    for (const [data_source, status] of [
      ...sources.map((id) => [id, 200] as const),
      ['nobody', 404],
    ] as const) {
      const when = { since: at.during ?? '', until: at.gone ?? '' };
      const got = await statusOf(endpoint, { ...when, data_source });
      expect([data_source, got.status]).toEqual([data_source, status]);
    }
  }
});

test('the refusal names the instant, so that nobody takes it for an answer', async () => {
  const identity = nodes.find(({ label }) => label === 'Identity')?.key ?? '';
  const [access] = endpoints().filter(({ path }) => path === '/api/v1/access');
  if (access === undefined) throw new Error('There is no endpoint.');
  const got = await statusOf(access, { principal: identity, at: at.gone ?? '' });
  expect(got.body).toMatchObject({
    message: expect.stringMatching(/^There was no principal with this id at 20/) as unknown,
  });
});
