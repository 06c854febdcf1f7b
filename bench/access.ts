import { BUSY, directoryPayload, hubPayload, WIDE } from './access-payload';
import { applicationPayload } from './application-payload';
import { load, machine, peakMemory } from './machine';
import type { Options } from './options';
import { quantile } from './probe';
import { Random } from './random';
import type { RoundTools } from './round';
import type { ServiceProcess } from './service-process';

/** One thing that is asked again and again, and how fast the slowest in a hundred may be (issue 8, Speed). */
interface Question {
  readonly name: string;
  readonly mostP99Ms: number;
  /** Paths of requests, in turn. */
  readonly paths: readonly string[];
}

interface Listed {
  readonly total?: number;
  readonly values?: readonly { readonly id: string }[];
  readonly value?: { readonly paths?: readonly unknown[]; readonly allowed?: boolean };
}

const WARM_REQUESTS = 200;
const REQUESTS = 500;
/** A first page of thousands takes a while. */
const REQUESTS_FOR_PAGES = 100;

const PER_HUNDRED_THOUSAND = 3650;

const client = ({ address, apiKey }: ServiceProcess) => {
  const headers = { authorization: `Bearer ${apiKey}` };
  return async (path: string): Promise<Listed> => {
    const response = await fetch(`${address}/api/v1/${path}`, { headers });
    const body = await response.text();
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${body}`);
    return JSON.parse(body) as Listed;
  };
};

type Ask = ReturnType<typeof client>;

const idsOf = async (ask: Ask, filter: string, label: string): Promise<readonly string[]> => {
  const query = new URLSearchParams({ filter, label, page_size: '100' });
  const { values = [] } = await ask(`entities?${query.toString()}`);
  return values.map(({ id }) => id);
};

const questionsOn = async (ask: Ask, seed: number): Promise<readonly Question[]> => {
  const random = new Random(seed);
  const [busy = ''] = await idsOf(ask, `name eq "${BUSY}" and application eq "hub"`, 'LocalUser');
  const [wide = ''] = await idsOf(ask, `path eq "${WIDE}" and application eq "hub"`, 'Resource');
  const people = await idsOf(ask, 'name sw "person7"', 'IdpUser');
  const accounts = await idsOf(ask, 'name sw "Person 7"', 'LocalUser');
  const documents = await idsOf(ask, 'name co "7"', 'Resource');
  const many = (count: number, path: () => string): readonly string[] =>
    Array.from({ length: count }, path);
  const is = encodeURIComponent;
  const pair = (): string =>
    `principal=${is(random.pick(people))}&resource=${is(random.happens(0.5) ? wide : random.pick(documents))}`;
  const person = (): number => random.below(2000);
  const searched = (filter: string, label: string): string =>
    `entities?label=${label}&filter=${is(filter)}`;
  return [
    {
      name: 'access of principals',
      mostP99Ms: 50,
      paths: many(50, () => `access?principal=${is(random.pick([...people, ...accounts]))}`),
    },
    {
      name: 'access of an account with 1,000',
      mostP99Ms: 50,
      paths: [`access?principal=${is(busy)}`],
    },
    {
      name: 'access to a resource, 10,000',
      mostP99Ms: 300,
      paths: [`access?resource=${is(wide)}`],
    },
    {
      name: 'the same by person',
      mostP99Ms: 300,
      paths: [`access?resource=${is(wide)}&person=true`],
    },
    {
      name: 'access to documents',
      mostP99Ms: 300,
      paths: many(50, () => `access?resource=${is(random.pick(documents))}`),
    },
    {
      name: 'check',
      mostP99Ms: 10,
      paths: many(100, () => `access:check?${pair()}&permission_type=DataRead`),
    },
    { name: 'explain', mostP99Ms: 50, paths: many(100, () => `access:explain?${pair()}`) },
    {
      name: 'search by email',
      mostP99Ms: 20,
      paths: many(100, () => searched(`email eq "person${person()}.1@example.com"`, 'IdpUser')),
    },
    {
      name: 'search by id',
      mostP99Ms: 20,
      paths: many(100, () =>
        searched(`unique_id eq "u0-${String(person()).padStart(6, '0')}"`, ''),
      ),
    },
    {
      name: 'search by the start of a name',
      mostP99Ms: 20,
      paths: many(100, () => searched(`name sw "person ${person()}"`, 'LocalUser')),
    },
  ];
};

/** How many there are of what an answer tells. */
const sizeOf = ({ total, value }: Listed): number =>
  total ?? value?.paths?.length ?? Number(value?.allowed ?? 0);

const measured = async (ask: Ask, { name, mostP99Ms, paths }: Question): Promise<string> => {
  const count = mostP99Ms >= 300 ? REQUESTS_FOR_PAGES : REQUESTS;
  const path = (at: number): string => paths[at % paths.length] ?? '';
  for (let at = 0; at < Math.min(count, WARM_REQUESTS); at += 1) await ask(path(at));
  const took: number[] = [];
  const sizes: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const start = performance.now();
    const answer = await ask(path(at));
    took.push(performance.now() - start);
    sizes.push(sizeOf(answer));
  }
  const p99 = quantile(took, 0.99);
  return (
    `${name.padEnd(32)} ms: p50 ${quantile(took, 0.5).toFixed(1)}, p99 ${p99.toFixed(1)} ` +
    `(asked: at most ${mostP99Ms}) ${p99 <= mostP99Ms ? 'reached' : 'MISSED'}; ` +
    `results: p50 ${quantile(sizes, 0.5)}, most ${quantile(sizes, 1)}; load ${load()}`
  );
};

/** Fills the graph by pushes, and asks what issue 8 asks of it, one request after the other. */
export const measureAccess = async (
  { service, connector, graph, neo4jPid }: RoundTools,
  { elements, seed, heap }: Options,
  say: (text: string) => void,
): Promise<void> => {
  const people = Math.round((PER_HUNDRED_THOUSAND * elements) / 100_000);
  const apart = Math.max(1, Math.ceil(elements / 100_000));
  const sources = [
    ['Directory', 'identity_provider', directoryPayload(people)],
    ['Hub', 'application', hubPayload()],
    // A push is one transaction: a graph that is larger than the heap takes is made by several.
    ...Array.from({ length: apart }, (_, at) => [
      `Applications ${at}`,
      'application',
      applicationPayload(Math.round(elements / apart), seed + at),
    ]),
  ] as [string, string, object][];
  for (const [name, template, payload] of sources) {
    const source = await connector.register(name, template);
    const { seconds } = await connector.push(await connector.prepare(source, payload));
    say(`Pushed ${name} in ${seconds.toFixed(1)} s`);
  }
  const { nodes, relationships } = await graph.size();
  say(
    `${nodes} nodes and ${relationships} relationships; ${machine().processors} processors, Node ${machine().node}, ` +
      `${await graph.version()}, heap ${neo4jPid === null ? 'its own' : heap}, load ${load()}`,
  );
  const ask = client(service);
  for (const question of await questionsOn(ask, seed)) say(await measured(ask, question));
  say(
    `Peak memory: service ${(await peakMemory(service.pid)) ?? '?'} MiB, Neo4j ${(await peakMemory(neo4jPid)) ?? '?'} MiB`,
  );
};
