import { client, idsOf } from './access-questions';
import type { Stage } from './increment';
import { load, peakMemory } from './machine';
import type { Options } from './options';
import { Random } from './random';
import { median } from './report';
import type { ServiceProcess } from './service-process';

/** Starts a Neo4j and a service of this build; `null` means the build of the bench. */
interface DirectoryStages {
  begin(main: string | null): Promise<Stage>;
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
const TIMES = 5;
const ASKED = 60;

const ALL = 'all';
const groupName = (at: number): string => `g${at}`;

const timesOf = <A>(count: number, make: (at: number) => A): A[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** One directory. Each person is in one group of all, and in four others. */
const directoryPayload = (people: number, seed: number, isMoved: boolean): object => ({
  name: 'Big',
  idp_type: 'big',
  domains: [{ name: 'big.example' }],
  users: timesOf(people, (at) => {
    const hasMoved = isMoved && at % MOVED === 0;
    const random = new Random(seed + at + (hasMoved ? people : 0));
    const groups = new Set([
      ALL,
      ...timesOf(GROUPS_OF_A_PERSON, () => groupName(random.below(GROUPS))),
    ]);
    return {
      ...{ name: `u${at}`, email: `u${at}@big.example`, identity: `id${at}` },
      groups: [...groups].map((identity) => ({ identity })),
    };
  }),
  groups: [
    { name: ALL, identity: ALL },
    ...timesOf(GROUPS, (at) => ({
      ...{ name: groupName(at), identity: groupName(at) },
      groups: at < NESTED_ABOVE ? [] : [{ identity: groupName(at % OUTER_GROUPS) }],
    })),
  ],
});

/** One application. Each group has grants on some resources, and the group of all on the first. */
const applicationPayload = (seed: number): object => {
  const random = new Random(seed);
  const resource = (at: number): string => `r${at}`;
  const grant = (permission: string, resources: readonly string[]): object => ({
    ...{ application: 'bigapp', permission, resources },
  });
  const of = (identity: string, application_permissions: readonly object[]): object => ({
    ...{ identity, identity_type: 'idp', application_permissions },
  });
  return {
    applications: [
      {
        ...{ name: 'bigapp', application_type: 'big' },
        resources: timesOf(RESOURCES, (at) => ({
          ...{ name: resource(at), id: resource(at), resource_type: 'repo' },
        })),
      },
    ],
    permissions: PERMISSIONS.map((name) => ({ name, permission_type: [PERMISSION_TYPES[name]] })),
    identity_to_permissions: [
      ...timesOf(GROUPS, (at) =>
        of(
          groupName(at),
          [0, 1].map((nth) =>
            grant(
              PERMISSIONS[(at + nth) % PERMISSIONS.length] ?? 'read',
              timesOf(RESOURCES_OF_A_GRANT, () => resource(random.below(RESOURCES))),
            ),
          ),
        ),
      ),
      of(ALL, [grant('read', [resource(0)])]),
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
  return `${seconds[0]?.toFixed(3)} | ${median(seconds).toFixed(3)} | ${Math.max(...seconds).toFixed(3)} | ${outcome}`;
};

const measureOnce = async (
  { service, connector }: Stage,
  { elements, seed }: Options,
  side: string,
  say: (text: string) => void,
): Promise<void> => {
  const people = Math.ceil(elements / ELEMENTS_OF_A_PERSON);
  const directory = await connector.register('big directory', 'identity_provider');
  const application = await connector.register('big application', 'application');
  const push = async (source: typeof directory, payload: object) =>
    connector.push(await connector.prepare(source, payload));
  const pushed = [
    await push(directory, directoryPayload(people, seed, false)),
    await push(application, applicationPayload(seed)),
  ];
  // The instant is after these pushes and before the next one.
  const before = new Date().toISOString();
  pushed.push(await push(directory, directoryPayload(people, seed, true)));
  say(
    `${side}: ${people} people, pushed in ${pushed.map(({ seconds }) => seconds.toFixed(1)).join(' + ')} s`,
  );
  const ask = asking(service);
  const list = client(service);
  const idOf = async (label: string, name: string): Promise<string> => {
    const [id = ''] = await idsOf(list, `name eq "${name}"`, label);
    return encodeURIComponent(id);
  };
  const everybody = await idOf('Resource', 'r0');
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
  await often('changes by the last push', `/api/v1/access:changes?push=${pushed[2]?.push}`);
  await often('through which groups', `/api/v1/access:gateways?resource=${everybody}`);
  const random = new Random(seed);
  for (const [name, label, most, prefix] of [
    ['what a person reaches', 'IdpUser', people, 'u'],
    ['who reaches a resource', 'Resource', RESOURCES, 'r'],
  ] as const) {
    const paths: string[] = [];
    for (let at = 0; at < ASKED; at += 1) {
      const id = await idOf(label, `${prefix}${random.below(most)}`);
      paths.push(`/api/v1/access?${label === 'IdpUser' ? 'principal' : 'resource'}=${id}`);
    }
    for (const [when, more] of [
      ['', ''],
      [', before the last push', then],
    ] as const) {
      const answers: Answered[] = [];
      for (const path of paths) answers.push(await ask(path + more));
      row(name + when, answers);
    }
  }
  row('export of all access', [await ask('/api/v1/access:export?format=csv')]);
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
  say('| side | question | first (s) | median (s) | most (s) | total |');
  say('| --- | --- | --- | --- | --- | --- |');
  for (let round = 1; round <= rounds; round += 1) {
    for (const [side, main] of sides) {
      await measureOnce(await stages.begin(main ?? null), options, side ?? '', say);
      await stages.end();
    }
  }
};
