import { BUSY, CENTRE, LOST, WIDE } from './access-payload';
import { Random } from './random';
import type { ServiceProcess } from './service-process';

/**
 * A question that the bench asks repeatedly, and its limit for the 99th percentile
 * (docs/performance.md: Questions about access).
 */
export interface Question {
  readonly name: string;
  readonly mostP99Ms: number;
  /** The paths of its requests, which the bench sends in turn. */
  readonly paths: readonly string[];
}

/** The fields of answers that the bench reads. */
export interface Listed {
  readonly total?: number;
  readonly values?: readonly { readonly id: string; readonly resource: string }[];
  readonly value?: { readonly paths?: readonly unknown[]; readonly allowed?: boolean };
}

/** A client of the service. */
export const client = ({ address, apiKey }: ServiceProcess) => {
  const headers = { authorization: `Bearer ${apiKey}` };
  return async (path: string): Promise<Listed> => {
    const response = await fetch(`${address}/api/v1/${path}`, { headers });
    const body = await response.text();
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${body}`);
    return JSON.parse(body) as Listed;
  };
};

/** Sends a request to a path. */
export type Ask = ReturnType<typeof client>;

/** The ids of the first entities that a filter finds. */
export const idsOf = async (
  ask: Ask,
  filter: string,
  label: string,
): Promise<readonly string[]> => {
  const query = new URLSearchParams({ filter, label, page_size: '100' });
  const { values = [] } = await ask(`entities?${query.toString()}`);
  return values.map(({ id }) => id);
};

/** The questions about the graph that `fillGraph` makes. */
export const questionsOn = async (ask: Ask, seed: number): Promise<readonly Question[]> => {
  const random = new Random(seed);
  const [busy = ''] = await idsOf(ask, `name eq "${BUSY}" and application eq "hub"`, 'LocalUser');
  const [wide = ''] = await idsOf(ask, `path eq "${WIDE}" and application eq "hub"`, 'Resource');
  const people = await idsOf(ask, 'name sw "person7"', 'IdpUser');
  const accounts = await idsOf(ask, 'name sw "Person 7"', 'LocalUser');
  const documents = await idsOf(ask, 'name co "7"', 'Resource');
  const [lost = ''] = await idsOf(ask, `name eq "${LOST}" and application eq "maze"`, 'LocalUser');
  const [centre = ''] = await idsOf(
    ask,
    `path eq "${CENTRE}" and application eq "maze"`,
    'Resource',
  );
  const [first = ''] = await idsOf(ask, 'name eq "person0.0@example.com"', 'IdpUser');
  const many = (count: number, path: () => string): readonly string[] =>
    Array.from({ length: count }, path);
  const is = encodeURIComponent;
  const pair = (): string =>
    `principal=${is(random.pick(people))}&resource=${is(random.happens(0.5) ? wide : random.pick(documents))}`;
  const person = (): number => random.below(2000);
  const connected: string[] = [];
  for (const principal of [...people, ...accounts, busy]) {
    const { values = [] } = await ask(`access?principal=${is(principal)}`);
    if (values.length === 0) continue;
    connected.push(`principal=${is(principal)}&resource=${is(random.pick(values).resource)}`);
  }
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
      paths: [`access?resource=${is(wide)}&entities=true`],
    },
    {
      name: 'the same, people first',
      mostP99Ms: 600,
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
      paths: many(50, () => `access?resource=${is(random.pick(documents))}&entities=true`),
    },
    {
      name: 'check',
      mostP99Ms: 10,
      paths: many(100, () => `access:check?${pair()}&permission_type=DataRead`),
    },
    { name: 'explain', mostP99Ms: 50, paths: many(100, () => `access:explain?${pair()}`) },
    {
      name: 'explain what is connected',
      mostP99Ms: 50,
      paths: connected.map((each) => `access:explain?${each}`),
    },
    {
      name: 'explain half a million ways',
      mostP99Ms: 50,
      paths: [lost, first].map(
        (who) => `access:explain?principal=${is(who)}&resource=${is(centre)}`,
      ),
    },
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
