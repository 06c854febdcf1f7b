import { nanosOf, parseInstant, present } from '../../src/model/instant';
import { isPrivileged, MARKS } from '../../src/model/access-narrowing';
import { keyOf, pushCompanyTwice } from './company';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

/*
 * Marks, ways and counts of lists of access (docs/rules.md: Marks). Each number has a second
 * derivation: from the rows, from the gateways, from or from the explanation.
 */
let service: ServiceUnderTest;
let places: readonly string[];

interface Row {
  readonly id: string;
  readonly label: string;
  readonly inactive: boolean;
  readonly person: boolean;
  readonly marks: readonly string[];
  readonly accounts?: readonly {
    readonly id: string;
    readonly label: string;
    readonly inactive: boolean;
  }[];
  readonly permissions: readonly {
    readonly name: string;
    readonly permission_type: readonly string[];
  }[];
  readonly way: {
    readonly steps: readonly { readonly id: string }[];
    readonly since: string;
    readonly others: number | null;
    readonly has_more: boolean;
  } | null;
}

interface List {
  readonly values: readonly Row[];
  readonly total: number;
  readonly people: number;
  readonly without_user: number;
}

const get = async <A>(path: string, query: Readonly<Record<string, string>>): Promise<A> => {
  const words = new URLSearchParams(query).toString();
  const answer = await service.send('get', `/api/v1/${path}?${words}`);
  expect([path, query, answer.status]).toEqual([path, query, 200]);
  return answer.body as A;
};

const list = (query: Readonly<Record<string, string>>): Promise<List> =>
  get('access', { page_size: '1000', ...query });

beforeAll(async () => {
  service = await serviceUnderTest();
  await pushCompanyTwice(service);
  places = [
    await keyOf(service, 'Resource', 'Firmware.motor-control'),
    await keyOf(service, 'Resource', 'Firmware'),
    await keyOf(service, 'Application', 'Clientbook'),
  ];
});
afterAll(() => service.close());

/** Whether a row is inactive, or a human who reaches something through inactive users and accounts alone. */
const isInactive = ({ inactive, label, person, accounts = [], ...row }: Row): boolean => {
  const signingIn = [{ ...row, inactive, label }, ...accounts].filter(
    (each) => each.label === 'IdpUser' || each.label === 'LocalUser',
  );
  return inactive || (person && signingIn.length > 0 && signingIn.every((each) => each.inactive));
};

const FORMS: readonly Readonly<Record<string, string>>[] = [{}, { contents: 'true' }];

test('the list of each mark has exactly the rows that have it, and the counts that others derive', async () => {
  const seen = new Set<string>();
  for (const resource of places) {
    for (const form of FORMS) {
      const about = { resource, ...form };
      const all = await list({ ...about, details: 'true' });
      const gateways = await get<{ readonly direct: number }>('access:gateways', about);
      const told: Readonly<Record<string, number>> = {
        without_user: all.without_user,
        not_people: all.total - all.people,
        inactive: all.values.filter(isInactive).length,
        direct: gateways.direct,
        // No HR system has been pushed yet.
        not_employees: 0,
      };
      for (const mark of MARKS) {
        const those = await list({ ...about, mark });
        const rows = all.values.filter(({ marks }) => marks.includes(mark)).map(({ id }) => id);
        expect([mark, those.values.map(({ id }) => id)]).toEqual([mark, rows]);
        expect([mark, those.total]).toEqual([mark, told[mark] ?? rows.length]);
        expect(those.people).toBe(those.values.filter(({ person }) => person).length);
        if (rows.length > 0) seen.add(mark);
      }
    }
  }
  expect([...seen].toSorted()).toEqual(MARKS.filter((mark) => mark !== 'not_employees').toSorted());
});

/** Pushes a complete model of a new data source. */
const push = async (template: string, model: object): Promise<void> => {
  const { path, ...ids } = await service.register(template);
  const answer = await service.post(path, { ...ids, json_data: JSON.stringify(model) });
  expect([answer.status, answer.body]).toEqual([200, expect.not.objectContaining({ details: [] })]);
};

// Nobody found who was on leave: the employee is active, and the accounts are not.
test('a human whose accounts are all inactive is inactive, whatever the employee says', async () => {
  const names = ['leave', 'works'];
  await push('hris', {
    name: 'Staff',
    hris_type: 'x',
    system: { id: 'staff', name: 'Staff' },
    employees: names.map((name) => ({
      id: `S-${name}`,
      name,
      employee_number: name,
      first_name: name,
      last_name: name,
      is_active: true,
      employment_status: 'ACTIVE',
      email: `${name}@staff.example`,
    })),
  });
  await push('identity_provider', {
    idp_type: 'ldap',
    domains: [{ name: 'staff.example' }],
    users: names.map((name) => ({
      name,
      identity: `${name}@staff.example`,
      email: `${name}@staff.example`,
      is_active: name === 'works',
    })),
  });
  await push('application', {
    applications: [
      {
        name: 'tills',
        application_type: 'till',
        local_users: names.map((name) => ({
          name,
          identities: [`${name}@staff.example`],
          is_active: false,
        })),
      },
    ],
    permissions: [{ name: 'open', permission_type: ['DataRead'] }],
    identity_to_permissions: names.map((name) => ({
      identity: name,
      identity_type: 'local_user',
      application_permissions: [
        { application: 'tills', permission: 'open', apply_to_application: true },
      ],
    })),
  });
  const resource = await keyOf(service, 'Application', 'tills');
  const rows = ({ values }: List): readonly (readonly unknown[])[] =>
    values.map(({ label, inactive, accounts }) => [label, inactive, accounts?.length]);
  // Who works has an active user in the directory.
  expect(rows(await list({ resource }))).toEqual([
    ['Employee', false, 3],
    ['Employee', false, 3],
  ]);
  const marked = await list({ resource, mark: 'inactive', details: 'true', counts: 'true' });
  expect(marked.values.map(({ id, marks }) => [id, marks.includes('inactive')])).toEqual([
    [await keyOf(service, 'Employee', 'leave'), true],
  ]);
});

test('not an employee is who has no employee, and whose employee has left', async () => {
  const names = ['stays', 'left', 'outside', 'unknown'];
  await push('hris', {
    name: 'Yard',
    hris_type: 'x',
    system: { id: 'yard', name: 'Yard' },
    employees: ['stays', 'left'].map((name) => ({
      id: `Y-${name}`,
      name,
      employee_number: name,
      first_name: name,
      last_name: name,
      is_active: name === 'stays',
      employment_status: 'ACTIVE',
      email: `${name}@yard.example`,
    })),
  });
  await push('identity_provider', {
    idp_type: 'ldap',
    domains: [{ name: 'yard.example' }],
    users: ['stays', 'left', 'outside'].map((name) => ({
      name,
      identity: `${name}@yard.example`,
      email: `${name}@yard.example`,
    })),
  });
  await push('application', {
    applications: [
      {
        name: 'gate',
        application_type: 'gate',
        local_users: names.map((name) => ({
          name,
          ...(name === 'unknown' ? {} : { identities: [`${name}@yard.example`] }),
        })),
      },
    ],
    permissions: [{ name: 'open', permission_type: ['DataRead'] }],
    identity_to_permissions: names.map((name) => ({
      identity: name,
      identity_type: 'local_user',
      application_permissions: [
        { application: 'gate', permission: 'open', apply_to_application: true },
      ],
    })),
  });
  const resource = await keyOf(service, 'Application', 'gate');
  const others = await counted({ resource, mark: 'not_employees', details: 'true' });
  expect(others.values.map(({ id }) => id).toSorted()).toEqual(
    [
      await keyOf(service, 'Employee', 'left'),
      await keyOf(service, 'IdpUser', 'outside'),
      await keyOf(service, 'LocalUser', 'unknown'),
    ].toSorted(),
  );
  const all = await counted({ resource, counts: 'true' });
  expect([all.total, all.counts?.not_employees]).toEqual([names.length, others.total]);
});

type Query = Readonly<Record<string, string | readonly string[]>>;

const counted = async (
  query: Query,
): Promise<
  List & {
    readonly counts?: Readonly<Record<string, number>>;
    readonly filter?: Readonly<Record<string, unknown>>;
  }
> => {
  const words = new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) => [values].flat().map((each) => [name, each])),
  );
  const answer = await service.send('get', `/api/v1/access?${words.toString()}`);
  expect([words.toString(), answer.status]).toEqual([words.toString(), 200]);
  return answer.body as List;
};

const NAMED_TYPES = { privileged: 'privileged', write: 'DataWrite' } as const;

const isNamedType = (name: string): name is keyof typeof NAMED_TYPES => name in NAMED_TYPES;

const TYPE_CHOICES = [[], ['DataWrite'], ['privileged'], ['DataWrite', 'privileged']] as const;

test('counts are the totals of the lists that they count, in addition to each choice of types and marks', async () => {
  const principal = await keyOf(service, 'IdpUser', 'Nadia Haddad');
  const ofPeople = [[], ...MARKS.map((mark, at) => [mark, MARKS[(at + 1) % MARKS.length] ?? mark])];
  const questions = [
    ...places.map((resource, at) => ({ ...FORMS[at % 2], resource })),
    { principal, person: 'true' },
    { principal, person: 'true', application: 'Forge' },
  ];
  for (const question of questions) {
    const choices = 'principal' in question ? [[], ['new']] : ofPeople;
    for (const mark of choices) {
      for (const types of TYPE_CHOICES) {
        const chosen = { ...question, page_size: '1', mark, permission_type: types };
        const asked = { ...chosen, every_type: 'true' };
        const { counts = {} } = await counted({ ...asked, counts: 'true' });
        for (const [name, count] of Object.entries(counts)) {
          const added = isNamedType(name)
            ? { ...asked, permission_type: [...new Set([...types, NAMED_TYPES[name]])] }
            : { ...asked, mark: [...new Set([...mark, name])] };
          const isOfAll = name === 'all' || name === 'people';
          const { total, people } = await counted(
            isOfAll ? { ...question, page_size: '1' } : added,
          );
          expect([asked, name, count]).toEqual([asked, name, name === 'people' ? people : total]);
        }
        expect(Object.keys(counts).length).toBeGreaterThan(3);
      }
    }
  }
});

test('several marks and each of several types leave the rows that have all of them', async () => {
  const has = ({ permissions }: Row, type: string): boolean =>
    permissions.some(({ permission_type }) =>
      type === 'privileged' ? isPrivileged(permission_type) : permission_type.includes(type),
    );
  let found = 0;
  for (const [at, resource] of places.entries()) {
    const question = { ...FORMS[at % 2], resource, page_size: '1000' };
    const all = await list({ ...question, details: 'true' });
    for (const one of MARKS) {
      for (const mark of MARKS.map((other) => [one, other])) {
        const { values } = await counted({ ...question, mark });
        const wanted = all.values.filter(({ marks }) => mark.every((each) => marks.includes(each)));
        expect([mark, values.map(({ id }) => id)]).toEqual([mark, wanted.map(({ id }) => id)]);
        if (mark[0] !== mark[1]) found += wanted.length;
      }
    }
    const permission_type = ['DataWrite', 'privileged'];
    const { values } = await counted({ ...question, permission_type, every_type: 'true' });
    const wanted = all.values.filter((row) => permission_type.every((type) => has(row, type)));
    expect(values.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
    // Without `every_type` any of them is enough.
    const any = await counted({ ...question, permission_type });
    expect(any.total).toBe(
      all.values.filter((row) => permission_type.some((type) => has(row, type))).length,
    );
    found += any.total > values.length && values.length > 0 ? 1 : 0;
  }
  expect(found).toBeGreaterThan(5);
});

// `privileged` was repeated as its types, of which rows had to have each.
test('the filter of an answer, sent again, leaves the same rows', async () => {
  let found = 0;
  for (const resource of places) {
    for (const more of [{}, { every_type: 'true' }]) {
      const question = { resource, contents: 'true', page_size: '1000' };
      const permission_type = ['DataWrite', 'privileged'];
      const first = await counted({ ...question, ...more, permission_type });
      const { filter = {} } = first;
      expect(filter).toEqual({
        permission_type,
        contents: true,
        ...('every_type' in more ? { every_type: true } : {}),
      });
      const texts = Object.entries(filter).map(([name, value]): [string, string | string[]] => [
        name,
        Array.isArray(value) ? value.map(String) : String(value),
      ]);
      const again = await counted({ ...question, ...Object.fromEntries(texts) });
      expect(again.values).toEqual(first.values);
      expect(again.filter).toEqual(filter);
      found += first.values.length;
    }
  }
  expect(found).toBeGreaterThan(0);
});

test('the details of a row say whether it is privileged, also where the list leaves that out', async () => {
  const principal = await keyOf(service, 'IdpUser', 'Nadia Haddad');
  for (const question of [{ resource: places[0] ?? '' }, { principal, person: 'true' }]) {
    const all = await list({ ...question, details: 'true' });
    const privileged = new Set(
      all.values.flatMap(({ id, permissions }) =>
        permissions.some(({ permission_type }) => isPrivileged(permission_type)) ? [id] : [],
      ),
    );
    const writers = await counted({
      ...question,
      page_size: '1000',
      permission_type: 'DataWrite',
      details: 'true',
    });
    const told = writers.values.map(
      (row) => (row as unknown as { privileged: boolean }).privileged,
    );
    expect(told).toEqual(writers.values.map(({ id }) => privileged.has(id)));
    expect(new Set(told).size).toBe(2);
  }
});

test('a row of a list of entities is not marked as nobody’s: the list does not know whose it is', async () => {
  const [resource = ''] = places;
  const { values } = await list({ resource, entities: 'true', details: 'true' });
  const marks = new Set(values.flatMap((row) => row.marks));
  expect([...marks].filter((mark) => mark !== 'inactive' && mark !== 'new')).toEqual([]);
  expect(values.some(({ way }) => way !== null)).toBe(true);
});

test('guests are the people whom a directory says to be guests, and nobody else', async () => {
  const [resource = ''] = places;
  const { values } = await list({ resource, mark: 'guest' });
  const { values: guests } = await get<{ values: readonly { id: string }[] }>('entities', {
    label: 'IdpUser',
    filter: 'is_guest eq true',
    page_size: '1000',
  });
  const known = new Set(guests.map(({ id }) => id));
  expect(values.length).toBeGreaterThan(0);
  const isGuest = ({ id, accounts = [] }: Row): boolean =>
    [id, ...accounts.map((each) => each.id)].some((each) => known.has(each));
  expect(values.filter((row) => !isGuest(row))).toEqual([]);
  const everybody = await list({ resource, person: 'true' });
  expect(everybody.values.filter(isGuest).map(({ id }) => id)).toEqual(values.map(({ id }) => id));
});

test('privileged means its types, in lists and gateways, and the rows have no other permission', async () => {
  for (const resource of places) {
    const all = await list({ resource, contents: 'true' });
    const those = await list({ resource, contents: 'true', permission_type: 'privileged' });
    const wanted = all.values.filter(({ permissions }) =>
      permissions.some(({ permission_type }) => isPrivileged(permission_type)),
    );
    expect(those.values.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
    for (const { permissions } of those.values) {
      expect(permissions.every(({ permission_type }) => isPrivileged(permission_type))).toBe(true);
    }
    const { people } = await get<{ readonly people: number }>('access:gateways', {
      resource,
      contents: 'true',
      permission_type: 'privileged',
    });
    expect(people).toBe(those.people);
  }
});

test('the way of a row is one of its explanation, with its time, and the others are counted', async () => {
  const [resource = ''] = places;
  const { values } = await list({ resource, details: 'true' });
  let several = 0;
  for (const { id, way } of values) {
    const { value } = await get<{
      readonly value: {
        readonly paths: readonly {
          readonly hops: readonly { readonly id: string; readonly since: string | null }[];
          readonly scope: readonly { readonly since: string | null }[];
        }[];
      };
    }>('access:explain', { principal: id, resource });
    const ways = value.paths.map(({ hops, scope }) => ({
      steps: hops.map((hop) => hop.id),
      since: [...hops.slice(1), ...scope].reduce((newest, { since }) => {
        const at = parseInstant(since ?? '');
        return at !== null && nanosOf(at) > newest ? nanosOf(at) : newest;
      }, 0n),
    }));
    const since = parseInstant(way?.since ?? '');
    expect(ways).toContainEqual({
      steps: way?.steps.map((step) => step.id),
      since: since === null ? 0n : nanosOf(since),
    });
    expect([id, (way?.others ?? 0) + 1, way?.has_more]).toEqual([
      id,
      Math.min(20, ways.length),
      ways.length > 20,
    ]);
    if (ways.length > 1) several += 1;
  }
  expect(several).toBeGreaterThan(3);
});

test('each row of what is in an application has a way there', async () => {
  const resource = await keyOf(service, 'Application', 'Forge');
  const { values } = await list({ resource, contents: 'true', details: 'true' });
  expect(values.length).toBeGreaterThan(10);
  for (const { id, way } of values) {
    expect([id, way?.steps[0]?.id]).toEqual([id, id]);
    expect(way?.since).toMatch(/^20/);
  }
});

test('new are those who could not reach it seven days before', async () => {
  const [resource = ''] = places;
  // The graph is younger, so everybody is new, and nobody was before it began.
  const { total } = await list({ resource });
  expect((await list({ resource, mark: 'new' })).total).toBe(total);
  const principal = await keyOf(service, 'IdpUser', 'Amara Nwosu');
  const reached = await list({ principal, person: 'true' });
  expect((await list({ principal, person: 'true', mark: 'new' })).total).toBe(reached.total);
});

test.each([
  [{ principal: 'x', mark: 'guest' }, 'goes with a list of the people'],
  [{ resource: 'x', entities: 'true', mark: 'inactive' }, 'goes with a list of the people'],
  [{ resource: 'x', mark: 'new', cypher: 'true' }, 'goes without mark'],
  [{ resource: 'x', mark: 'old' }, 'old'],
  [{ principal: 'x', mark: 'direct' }, 'goes with a list of the people'],
])('%j is refused', async (query, words) => {
  const path = `/api/v1/access?${new URLSearchParams(query).toString()}`;
  const { status, text } = await service.send('get', path);
  expect([status, text]).toEqual([400, expect.stringContaining(words)]);
});

test('a search compares times as the rows of everything do', async () => {
  const query = { label: 'Entity', page_size: '10000' };
  const all = await get<{ values: readonly { id: string; since: string }[] }>('entities', query);
  const nanos = (text: string): bigint => nanosOf(parseInstant(text) ?? present());
  const dated = all.values.flatMap(({ since }) => (since === null ? [] : [since]));
  const times = [...new Set(dated)].toSorted();
  expect(times.length).toBeGreaterThan(2);
  const time = times[1] ?? '';
  const fits = {
    eq: (one: bigint) => one === nanos(time),
    ne: (one: bigint) => one !== nanos(time),
    lt: (one: bigint) => one < nanos(time),
    le: (one: bigint) => one <= nanos(time),
    gt: (one: bigint) => one > nanos(time),
    ge: (one: bigint) => one >= nanos(time),
  };
  for (const [operator, isFound] of Object.entries(fits)) {
    const filter = `since ${operator} "${time}"`;
    const { total } = await get<{ total: number }>('entities', { label: 'IdpUser', filter });
    const users = await get<{ values: readonly { since: string }[] }>('entities', {
      label: 'IdpUser',
      page_size: '10000',
    });
    const wanted = users.values.filter(({ since }) => isFound(nanos(since))).length;
    expect([operator, total]).toEqual([operator, wanted]);
  }
});
