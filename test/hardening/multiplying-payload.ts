import type { Template } from '../../src/templates/templates';

/** A push in which one list multiplies with another. */
export interface Multiplying {
  /** The two lists; then, behind a colon, what the push is to their data source. */
  readonly name: string;
  readonly template: Template;
  readonly payload: object;
}

/** Below the size from which on a push is large by default. */
const BYTES = 120_000;

const upTo = (count: number, start: string): string[] =>
  Array.from({ length: count }, (_, at) => `${start}${at}`);

/** The largest payload of its kind that has so many bytes. */
const filled = (make: (size: number) => object): object => {
  let [low, high] = [1, 6_000];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (JSON.stringify(make(middle)).length <= BYTES) low = middle;
    else high = middle - 1;
  }
  return make(low);
};

const application = (lists: object, beside: object = {}): object => ({
  applications: [
    { name: 'App', application_type: 'type', local_users: [{ name: 'base' }], ...lists },
  ],
  ...beside,
});

const named = (count: number, start: string, more: object): object[] =>
  upTo(count, start).map((name) => ({ name, ...more }));

const grants = (count: number, more: object): object => ({
  identity_to_permissions: [
    {
      identity: 'base',
      identity_type: 'local_user',
      application_permissions: Array.from({ length: count }, () => ({
        application: 'App',
        permission: 'p',
        ...more,
      })),
    },
  ],
});

const typed = (types: number, more: object = {}): object => ({
  permissions: [{ name: 'p', resource_types: upTo(types, 't'), ...more }],
});

const chain = (depth: number): object[] =>
  depth === 0
    ? []
    : [{ name: `level ${depth}`, resource_type: 'box', sub_resources: chain(depth - 1) }];

/** Each pair of lists of an application payload that multiplies, by how long they are. */
const APPLICATION: Readonly<Record<string, (size: number) => object>> = {
  'resource_types × 1': (size) => application({}, typed(size)),
  'resource_types × application_type': (size) =>
    application({}, typed(size, { application_type: upTo(size, 'a') })),
  'roles × resource_types': (size) =>
    application({ local_roles: named(size, 'r', { permissions: ['p'] }) }, typed(size)),
  'role × one permission again': (size) =>
    application({ local_roles: [{ name: 'r', permissions: upTo(size, '').fill('p') }] }, typed(99)),
  'roles × permissions': (size) => {
    const side = Math.ceil(Math.sqrt(size));
    return application(
      { local_roles: named(side, 'r', { permissions: upTo(side, 'p') }) },
      { permissions: named(side, 'p', {}) },
    );
  },
  'grants × resource_types': (size) =>
    application({}, { ...typed(size), ...grants(size, { apply_to_application: true }) }),
  'statements × resources': (size) => {
    const side = Math.ceil(Math.sqrt(size));
    return application(
      { resources: named(side, 'x', { resource_type: 'box' }) },
      { ...typed(1), ...grants(side, { resources: upTo(side, 'x') }) },
    );
  },
  'statements × resources of one name': (size) =>
    application(
      { resources: upTo(size, 'x').map((id) => ({ id, name: 'same', resource_type: 'box' })) },
      { ...typed(1), ...grants(size, { resources: ['same'] }) },
    ),
  'users × groups': (size) => {
    const side = Math.ceil(Math.sqrt(size));
    return application({
      local_groups: named(side, 'g', {}),
      local_users: [{ name: 'base' }, ...named(side, 'u', { groups: upTo(side, 'g') })],
    });
  },
  'groups × groups': (size) => {
    const groups = upTo(Math.ceil(Math.sqrt(size)), 'g');
    return application({
      local_groups: groups.map((name, at) => ({ name, groups: groups.slice(at + 1) })),
    });
  },
  'references × groups of one name': (size) =>
    application({
      local_groups: upTo(size, 'g').map((id) => ({ id, name: 'same' })),
      local_users: [{ name: 'base' }, ...named(size, 'u', { groups: ['same'] })],
    }),
  'users × one identity': (size) =>
    application({ local_users: [{ name: 'base' }, ...named(size, 'u', { identities: ['same'] })] }),
  'users × tags': (size) => {
    const tags = upTo(Math.ceil(Math.sqrt(size)), 'k').map((key) => ({ key, value: 'v' }));
    return application({ local_users: [{ name: 'base' }, ...named(tags.length, 'u', { tags })] });
  },
  'user × tags': (size) =>
    application({
      local_users: [{ name: 'base', tags: upTo(size, 'k').map((key) => ({ key })) }],
    }),
  'users × owners': (size) => {
    const owners = upTo(Math.ceil(Math.sqrt(size)), 'o').map((external_id) => ({ external_id }));
    return application({
      local_users: [{ name: 'base' }, ...named(owners.length, 'u', { owners })],
    });
  },
  'resources × depth': (size) =>
    application({
      resources: named(Math.ceil(size / 100), 'top', {
        resource_type: 'box',
        sub_resources: chain(95),
      }),
    }),
  'resources × connections': (size) => {
    const connections = upTo(Math.ceil(Math.sqrt(size)), 'c').map((id) => ({ id, node_type: 'T' }));
    return application({
      resources: named(connections.length, 'x', { resource_type: 'box', connections }),
    });
  },
};

const directory = (lists: object): object => ({
  name: 'Directory',
  idp_type: 'ldap',
  domains: [{ name: 'example.com' }],
  users: [{ name: 'base' }],
  ...lists,
});

/** Each pair of lists of an identity provider's payload that multiplies. */
const IDENTITY_PROVIDER: Readonly<Record<string, (size: number) => object>> = {
  'directory users × groups': (size) => {
    const side = Math.ceil(Math.sqrt(size));
    const groups = upTo(side, 'g').map((identity) => ({ identity }));
    return directory({ users: named(side, 'u', { groups }), groups: named(side, 'g', {}) });
  },
  'directory users × one manager': (size) =>
    directory({ users: named(size, 'u', { email: 'same@example.com', manager_id: 'u0' }) }),
  'directory users × assumed roles': (size) => {
    const side = Math.ceil(Math.sqrt(size));
    const roles = upTo(side, 'arn:aws:iam::1:role/r').map((identity) => ({ identity }));
    return directory({ users: named(side, 'u', { assumed_role_arns: roles }) });
  },
};

const ENTITIES = [
  'applications',
  'permissions',
  'local_users',
  'local_groups',
  'local_roles',
  'resources',
  'sub_resources',
  'users',
  'groups',
];

/** The same as an increment that adds all of it to a data source that has nothing but the application or domain. */
const increment = (payload: object): object => {
  const entry = (value: object, list: string): object => ({
    ...added(value),
    operation: list === 'applications' ? 'modify' : 'add',
  });
  const added = (value: object): object =>
    Object.fromEntries(
      Object.entries(value).map(([list, items]: [string, unknown]) => [
        list,
        ENTITIES.includes(list) && Array.isArray(items)
          ? (items as readonly unknown[]).map((item) =>
              typeof item === 'object' && item !== null && !('identity' in item)
                ? entry(item, list)
                : item,
            )
          : items,
      ]),
    );
  // A data source has one domain.
  return 'domains' in payload
    ? { incremental_change: true, ...added(payload), domains: [] }
    : { incremental_change: true, ...added(payload) };
};

/** For each pair: what stands first, an increment, the increment again, and the payload as a whole. */
export function* multiplyingPushes(): Generator<Multiplying> {
  for (const [template, pairs, base] of [
    ['application', APPLICATION, application({}, { permissions: [{ name: 'other' }] })],
    ['identity_provider', IDENTITY_PROVIDER, directory({})],
  ] as const) {
    for (const [name, make] of Object.entries(pairs)) {
      const payload = filled(make);
      yield { name: `${name}: base`, template, payload: base };
      yield { name: `${name}: increment`, template, payload: increment(payload) };
      yield { name: `${name}: whole`, template, payload };
    }
  }
}
