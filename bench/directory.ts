import { setTimeout as sleep } from 'node:timers/promises';

import { client, idsOf } from './access-questions';
import type { DataSource, PushAnswer } from './connector';
import type { Stage } from './increment';
import { load, memory, peakMemory } from './machine';
import type { Options } from './options';
import { quantile } from './probe';
import { Random } from './random';
import { median } from './report';
import type { ServiceProcess } from './service-process';

/** Starts a Neo4j and a service of this build; `null` means the build of the bench. */
interface DirectoryStages {
  begin(
    main: string | null,
  ): Promise<Stage & { readonly startService: () => Promise<ServiceProcess> }>;
  end(): Promise<void>;
}

const RESOURCES = 3_000;
const GROUPS = 3_000;
const GROUPS_OF_A_PERSON = 4;
/** Of groups above this, each is in one of the first groups. */
const NESTED_ABOVE = 300;
const OUTER_GROUPS = 30;
const RESOURCES_OF_A_GRANT = 6;
const PERMISSIONS = ['read', 'write', 'admin'] as const;
const PERMISSION_TYPES = { read: 'DataRead', write: 'DataWrite', admin: 'MetadataWrite' } as const;
/** One in so many people moves to other groups by the last push. */
const MOVED = 20;
/** About how many nodes and relationships one person becomes. */
const ELEMENTS_OF_A_PERSON = 7;
/** More people are in several directories. Each directory has an application of its own. */
const PEOPLE_OF_A_DIRECTORY = 150_000;
/** An export of more people has so many lines that nobody waits for it. */
const PEOPLE_OF_AN_EXPORT = 100_000;
const TIMES = 5;
const ASKED = 100;
/** How often it looks whether the service has loaded. */
const LOOK_MS = 50;

/** Names in one of the directories and in its application: no other directory has them. */
const namesOf = (directory: number) => {
  const before = directory === 0 ? '' : `d${directory}`;
  return {
    all: `${before}all`,
    group: (at: number): string => `${before}g${at}`,
    person: (at: number): string => `${before}u${at}`,
    resource: (at: number): string => `${before}r${at}`,
    application: `${before}bigapp`,
    domain: `${before}big.example`,
  };
};
type Names = ReturnType<typeof namesOf>;

const timesOf = <A>(count: number, make: (at: number) => A): A[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** One directory. Each person is in one group of all, and in four others. */
const directoryPayload = (
  names: Names,
  people: number,
  seed: number,
  isMoved: boolean,
): object => ({
  name: names.domain,
  idp_type: 'big',
  domains: [{ name: names.domain }],
  users: timesOf(people, (at) => {
    const hasMoved = isMoved && at % MOVED === 0;
    const random = new Random(seed + at + (hasMoved ? people : 0));
    const groups = new Set([
      names.all,
      ...timesOf(GROUPS_OF_A_PERSON, () => names.group(random.below(GROUPS))),
    ]);
    const name = names.person(at);
    return {
      name,
      email: `${name}@${names.domain}`,
      identity: `id ${name}`,
      groups: [...groups].map((identity) => ({ identity })),
    };
  }),
  groups: [
    { name: names.all, identity: names.all },
    ...timesOf(GROUPS, (at) => ({
      name: names.group(at),
      identity: names.group(at),
      groups: at < NESTED_ABOVE ? [] : [{ identity: names.group(at % OUTER_GROUPS) }],
    })),
  ],
});

/** One application. Each group has grants on some resources, and the group of all on the first. */
const applicationPayload = ({ all, group, resource, application }: Names, seed: number): object => {
  const random = new Random(seed);
  const grant = (permission: string, resources: readonly string[]): object => ({
    application,
    permission,
    resources,
  });
  const of = (identity: string, application_permissions: readonly object[]): object => ({
    identity,
    identity_type: 'idp',
    application_permissions,
  });
  return {
    applications: [
      {
        name: application,
        application_type: 'big',
        resources: timesOf(RESOURCES, (at) => ({
          name: resource(at),
          id: resource(at),
          resource_type: 'repo',
        })),
      },
    ],
    permissions: PERMISSIONS.map((name) => ({ name, permission_type: [PERMISSION_TYPES[name]] })),
    identity_to_permissions: [
      ...timesOf(GROUPS, (at) =>
        of(
          group(at),
          [0, 1].map((nth) =>
            grant(
              PERMISSIONS[(at + nth) % PERMISSIONS.length] ?? 'read',
              timesOf(RESOURCES_OF_A_GRANT, () => resource(random.below(RESOURCES))),
            ),
          ),
        ),
      ),
      of(all, [grant('read', [resource(0)])]),
    ],
  };
};

/** An answer, and how long it took, in seconds. */
interface Answered {
  readonly seconds: number;
  readonly status: number;
  readonly total: number | null;
}

const asking = ({ address, apiKey }: ServiceProcess) => {
  const headers = { authorization: `Bearer ${apiKey}` };
  return async (path: string): Promise<Answered> => {
    const start = performance.now();
    const response = await fetch(`${address}${path}`, { headers });
    const text = await response.text();
    const seconds = (performance.now() - start) / 1_000;
    const total = /"total":(\d+)/.exec(text)?.[1];
    return { seconds, status: response.status, total: total === undefined ? null : Number(total) };
  };
};

const told = (answers: readonly Answered[]): string => {
  const [first] = answers;
  const seconds = answers.map((each) => each.seconds);
  const outcome = first?.status === 200 ? `${first.total ?? ''}` : `HTTP ${first?.status}`;
  const figures = [
    seconds[0] ?? NaN,
    median(seconds),
    quantile(seconds, 0.95),
    Math.max(...seconds),
  ];
  return `${figures.map((each) => each.toFixed(4)).join(' | ')} | ${outcome}`;
};

/** Waits until the service has loaded the graph of access, and says how large it is. */
const loaded = async ({ address, apiKey }: ServiceProcess, start: number): Promise<string> => {
  for (;;) {
    const { access_graph } = (await (await fetch(`${address}/readyz`)).json()) as {
      readonly access_graph?: string;
    };
    // A build before access was answered in memory loads nothing.
    if (access_graph === undefined) return 'nothing to load';
    if (access_graph === 'too large') return 'too large to load';
    if (access_graph === 'ready') break;
    await sleep(LOOK_MS);
  }
  const seconds = (performance.now() - start) / 1_000;
  const headers = { authorization: `Bearer ${apiKey}` };
  const metrics = await (await fetch(`${address}/metrics`, { headers })).text();
  const metric = (name: string): number =>
    Number(new RegExp(`^grantgraph_access_memory_${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
  return `loaded after ${seconds.toFixed(1)} s: ${metric('nodes')} nodes and ${metric('relationships')} relationships in ${(metric('bytes') / 1024 ** 2).toFixed(0)} MiB`;
};

const measureOnce = async (
  {
    service: first,
    connector,
    neo4jPid,
    startService,
  }: Awaited<ReturnType<DirectoryStages['begin']>>,
  { elements, seed }: Options,
  side: string,
  say: (text: string) => void,
): Promise<void> => {
  const everyone = Math.ceil(elements / ELEMENTS_OF_A_PERSON);
  const directories = Math.ceil(everyone / PEOPLE_OF_A_DIRECTORY);
  const people = Math.ceil(everyone / directories);
  const push = async (source: DataSource, payload: object) =>
    connector.push(await connector.prepare(source, payload));
  const pushed: PushAnswer[] = [];
  const sources: DataSource[] = [];
  for (let at = 0; at < directories; at += 1) {
    const names = namesOf(at);
    const directory = await connector.register(`directory ${at}`, 'identity_provider');
    const application = await connector.register(`application ${at}`, 'application');
    sources.push(directory);
    pushed.push(await push(directory, directoryPayload(names, people, seed, false)));
    pushed.push(await push(application, applicationPayload(names, seed)));
  }
  // The instant is after these pushes and before the next one.
  const before = new Date().toISOString();
  const [moving] = sources;
  if (moving === undefined) throw new Error('There is no directory.');
  const last = await push(moving, directoryPayload(namesOf(0), people, seed, true));
  const sum = pushed.reduce((all, { seconds }) => all + seconds, 0);
  say(
    `${side}: ${directories} × ${people} people, pushed in ${pushed.map(({ seconds }) => seconds.toFixed(1)).join(' + ')} = ${sum.toFixed(1)} s, and with people moved in ${last.seconds.toFixed(1)} s; ` +
      `at most ${await peakMemory(first.pid)} MiB in the service and ${await peakMemory(neo4jPid)} in Neo4j; load ${load()}`,
  );
  await first.stop();
  const start = performance.now();
  const service = await startService();
  const started = performance.now();
  say(
    `${side}: started again in ${((started - start) / 1_000).toFixed(1)} s, and ${await loaded(service, start)}; ` +
      `${await memory(service.pid)} MiB in the service and ${await memory(neo4jPid)} in Neo4j`,
  );
  const ask = asking(service);
  const list = client(service);
  const idOf = async (label: string, name: string): Promise<string> => {
    const [id = ''] = await idsOf(list, `name eq "${name}"`, label);
    return encodeURIComponent(id);
  };
  const everybody = await idOf('Resource', namesOf(0).resource(0));
  const then = `&at=${encodeURIComponent(before)}`;
  const row = (name: string, answers: readonly Answered[]): void =>
    say(`| ${side} | ${name} | ${told(answers)} |`);
  const often = async (name: string, path: string): Promise<void> => {
    const answers: Answered[] = [];
    for (let time = 0; time < TIMES; time += 1) {
      const answer = await ask(path);
      answers.push(answer);
      if (answer.status !== 200) break;
    }
    row(name, answers);
  };
  await often(
    'who reaches what all reach, 50 rows',
    `/api/v1/access?page_size=50&resource=${everybody}`,
  );
  await often(
    'the same before the last push',
    `/api/v1/access?page_size=50&resource=${everybody}${then}`,
  );
  await often('changes by the last push', `/api/v1/access:changes?push=${last.push}`);
  await often('through which groups', `/api/v1/access:gateways?resource=${everybody}`);
  const random = new Random(seed);
  const some = async (
    label: string,
    name: (names: Names) => string,
  ): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (let at = 0; at < ASKED; at += 1) {
      ids.push(await idOf(label, name(namesOf(random.below(directories)))));
    }
    return ids;
  };
  const principals = await some('IdpUser', ({ person }) => person(random.below(people)));
  const resources = await some('Resource', ({ resource }) => resource(random.below(RESOURCES)));
  const pairs: string[] = [];
  for (const principal of principals) {
    const { values = [] } = await list(`access?principal=${principal}`);
    const reached = values.length === 0 ? '' : encodeURIComponent(random.pick(values).resource);
    pairs.push(`principal=${principal}&resource=${reached}`);
  }
  for (const [name, paths] of [
    ['what a person reaches', principals.map((id) => `access?principal=${id}`)],
    ['who reaches a resource', resources.map((id) => `access?resource=${id}`)],
    ['check', pairs.map((pair) => `access:check?${pair}&permission_type=DataRead`)],
    ['explain', pairs.map((pair) => `access:explain?${pair}`)],
    ['through which groups', resources.map((id) => `access:gateways?resource=${id}`)],
  ] as const) {
    for (const [when, more] of [
      ['', ''],
      [', before the last push', then],
    ] as const) {
      const answers: Answered[] = [];
      for (const path of paths) answers.push(await ask(`/api/v1/${path}${more}`));
      row(name + when, answers);
    }
  }
  if (everyone <= PEOPLE_OF_AN_EXPORT) {
    row('export of all access', [await ask('/api/v1/access:export?format=csv')]);
  }
  say(`${side}: at most ${await peakMemory(service.pid)} MiB in the service; load ${load()}`);
};

/**
 * Measures questions about one large directory (docs/performance.md: One large directory): each
 * person is in a group of all and in four others, and the last push moves one in twenty. The sides
 * take turns: this build, and another build if one is given.
 */
export const measureDirectory = async (
  stages: DirectoryStages,
  options: Options,
  say: (text: string) => void,
): Promise<void> => {
  const { against, rounds } = options;
  const sides = [
    ['now', null],
    ...(against === undefined ? [] : [['other build', against]]),
  ] as const;
  say('| side | question | first (s) | median (s) | 95 of 100 (s) | most (s) | total |');
  say('| --- | --- | --- | --- | --- | --- | --- |');
  for (let round = 1; round <= rounds; round += 1) {
    for (const [side, main] of sides) {
      await measureOnce(await stages.begin(main ?? null), options, side ?? '', say);
      await stages.end();
    }
  }
};
