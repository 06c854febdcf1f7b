import fc, { type Arbitrary } from 'fast-check';

import type { DataSource } from '../mirror/rows';

/** A person of whom no random payload has heard. */
export interface Planted {
  readonly id: string;
  readonly login: string;
  readonly email: string;
  readonly name: string;
}

/** A person, and where payloads name her. */
export interface Planting {
  readonly person: Planted;
  /** One of her names, in any case. */
  readonly askedBy: string;
  /** Chooses among the entities of a payload. */
  readonly at: number;
  /** Which of the ways of naming her payloads use. */
  readonly ways: readonly boolean[];
}

const person: Arbitrary<Planted> = fc
  .record({
    first: fc.constantFrom('Zelda', 'Zo\u00efla', 'Xenia', 'Yngv\u00e4r'),
    last: fc.constantFrom('Qvist', 'Wryneck', "O'Xara"),
    number: fc.integer({ min: 1_000, max: 9_999 }),
    sign: fc.constantFrom('-', '|', '#', '%'),
  })
  .map(({ first, last, number, sign }) => ({
    id: `Q${sign}${number}`,
    login: `${first.toLowerCase()}.${number}`,
    email: `${first}.${number}@Planted.example`,
    name: `${first} ${last}`,
  }));

/** Someone to be erased. */
export const planting: Arbitrary<Planting> = fc
  .record({
    person,
    by: fc.constantFrom('id', 'login', 'email', 'name'),
    isLoud: fc.boolean(),
    at: fc.nat({ max: 1_000 }),
    ways: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
  })
  .map(({ person: someone, by, isLoud, at, ways }) => {
    const asked = someone[by];
    return { person: someone, askedBy: isLoud ? asked.toUpperCase() : asked, at, ways };
  });

type Json = Record<string, unknown>;

const listOf = (payload: Json, field: string): Json[] => {
  const list = payload[field];
  return Array.isArray(list) ? (list as Json[]) : [];
};

const added = (entity: Json, field: string, value: unknown): void => {
  entity[field] = [...listOf(entity, field), value];
};

const one = <A>(all: readonly A[], at: number): A | undefined => all[at % Math.max(all.length, 1)];

type Plant = (payload: Json, planting: Planting) => void;

const inDirectory: Plant = (payload, { person: { id, login, email, name }, at, ways }) => {
  const users = listOf(payload, 'users');
  const neighbour = one(users, at);
  if (neighbour !== undefined) {
    // What she takes the place of would not come back.
    if (ways[0] && !neighbour.manager_id) neighbour.manager_id = ways[1] ? id : login;
    if (ways[2]) added(neighbour, 'tags', { key: 'buddy', value: login });
    if (ways[3]) {
      const dynamic = (neighbour.dynamic_properties ?? {}) as Json;
      if (Object.keys(dynamic).length < 5) {
        neighbour.dynamic_properties = { ...dynamic, planted_note: `Ask ${email}.` };
      }
    }
  }
  const group = one(listOf(payload, 'groups'), at);
  const of = group?.identity ?? group?.name;
  const user = {
    name: login,
    identity: id,
    email,
    full_name: name,
    manager_id: neighbour?.name ?? null,
    tags: [{ key: 'planted', value: '' }],
    ...(ways[4] && typeof of === 'string' && { groups: [{ identity: of }] }),
    ...(ways[5] && { entities_owned: [{ node_type: 'LocalUser', id: login }] }),
  };
  payload.users = [...users, user];
};

const inApplication: Plant = (payload, { person: { id, login, email, name }, at, ways }) => {
  const application = one(listOf(payload, 'applications'), at);
  if (application === undefined) return;
  const users = listOf(application, 'local_users');
  if (ways[6]) application.local_users = [...users, { name, unique_id: id, identities: [email] }];
  if (ways[7]) added(application, 'local_users', { name: login, email });
  if (ways[8]) added(application, 'owners', { external_id: email });
  const resource = one(listOf(application, 'resources'), at);
  if (resource !== undefined && ways[9]) {
    added(resource, 'tags', { key: 'author', value: login });
    added(resource, 'owners', { external_id: ways[10] ? id : login });
  }
  const permission = one(listOf(payload, 'permissions'), at);
  if (permission === undefined || !ways[11]) return;
  const element = { application: application.name, permission: permission.name };
  for (const identity of [email, name]) {
    added(payload, 'identity_to_permissions', { identity, application_permissions: [element] });
  }
  if (!ways[6]) return;
  added(payload, 'identity_to_permissions', {
    identity: id,
    identity_type: 'local_user',
    application_permissions: [element],
  });
};

const inHris: Plant = (payload, { person: { id, email, name }, at, ways }) => {
  const employees = listOf(payload, 'employees');
  const neighbour = one(employees, at);
  if (neighbour !== undefined && ways[1]) added(neighbour, 'managers', { id: `hr-${id}` });
  const employee = {
    id: `hr-${id}`,
    name,
    employee_number: 'no-1',
    first_name: 'F',
    last_name: 'L',
    is_active: true,
    employment_status: 'ACTIVE',
    email,
  };
  payload.employees = [...employees, employee];
};

const plants: Readonly<Record<DataSource['template'], Plant>> = {
  identity_provider: inDirectory,
  application: inApplication,
  hris: inHris,
};

/** The payload with the person in it. */
export const planted = (
  payload: object,
  template: DataSource['template'],
  where: Planting,
): object => {
  const copy = structuredClone(payload) as Json;
  plants[template](copy, where);
  return copy;
};
