import type { MisbehavingServer } from './misbehaving-server';

type Json = Readonly<Record<string, unknown>>;

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const PROPERTIES = {
  external_id: 'externalId',
  title: 'title',
  user_type: 'userType',
  employee_number: 'employeeNumber',
  department: 'department',
  division: 'division',
  cost_center: 'costCenter',
  organization: 'organization',
  manager: 'manager',
};

const some = (entries: readonly (readonly [string, unknown])[]): Json =>
  Object.fromEntries(entries.filter(([, value]) => value !== undefined));

interface Entry {
  readonly value: string;
  readonly display?: string;
}

const asObject = (entry: unknown): Entry =>
  typeof entry === 'string' ? { value: entry } : (entry as Entry);

/**
 * The payload of an application, written by the tests themselves (docs/provisioning.md: What becomes
 * of it). It knows what the tests put into the application, no more.
 */
export const expectedPayload = (
  { users, groups }: Pick<MisbehavingServer, 'users' | 'groups'>,
  name: string,
  isOut: (user: Json) => boolean = () => false,
): Json => {
  const people = [...users.values()].filter((user) => !isOut(user));
  const all = [...groups.values()];
  const groupsOf = (id: string, kind: 'User' | 'Group'): string[] =>
    all
      .filter(({ members }) =>
        ((members ?? []) as Json[]).some(({ value, type = kind }) => value === id && type === kind),
      )
      .map((group) => group.id);
  const roles = new Map<string, string>();
  const permissions = new Set<string>();
  const held: Json[] = [];
  const local_users = people.map((user) => {
    const { id, userName, displayName, active, emails = [], meta } = user;
    const enterprise = (user[ENTERPRISE] ?? {}) as Json;
    const mails = emails as { value: string; primary?: boolean; type?: string }[];
    const email =
      mails.find(({ primary }) => primary)?.value ??
      mails.find(({ type }) => type === 'work')?.value ??
      mails[0]?.value;
    const { givenName, familyName } = (user.name ?? {}) as Record<string, string>;
    const full = givenName === undefined ? undefined : `${givenName} ${familyName}`;
    const of = { ...user, ...enterprise, manager: (enterprise.manager as Json)?.value } as Json;
    const named = ((user.roles ?? []) as unknown[]).map(asObject);
    for (const { value, display } of named) roles.set(value, display ?? value);
    const may = ((user.entitlements ?? []) as Entry[]).map(({ value, display }) =>
      display === undefined ? value : `${display} (${value})`,
    );
    for (const each of may) permissions.add(each);
    held.push({
      identity: id,
      identity_type: 'local_user',
      role_assignments: named.map(({ value }) => ({ application: name, role: value })),
      application_permissions: may.map((permission) => ({ application: name, permission })),
    });
    return some([
      ['unique_id', id],
      ['id', userName],
      ['name', displayName ?? full ?? userName],
      ['email', email],
      [
        'is_active',
        active === undefined
          ? undefined
          : ['true', 'True', true].includes(active as string | boolean),
      ],
      ['created_at', (meta as Json | undefined)?.created],
      ['identities', [email, userName].filter((one) => one !== undefined)],
      ['groups', groupsOf(id, 'User')],
      [
        'custom_properties',
        some(Object.entries(PROPERTIES).map(([property, from]) => [property, of[from]])),
      ],
    ]);
  });
  const strings = (names: readonly string[]): Json =>
    Object.fromEntries(names.map((each) => [each, 'STRING']));
  return {
    custom_property_definition: {
      applications: [
        {
          application_type: name,
          local_user_properties: strings(Object.keys(PROPERTIES)),
          local_group_properties: strings(['external_id']),
        },
      ],
    },
    applications: [
      {
        name,
        application_type: name,
        local_users,
        local_groups: all.map(({ id, displayName, externalId, meta }) =>
          some([
            ['unique_id', id],
            ['name', displayName],
            ['created_at', (meta as Json | undefined)?.created],
            ['groups', groupsOf(id, 'Group')],
            ['custom_properties', some([['external_id', externalId]])],
          ]),
        ),
        local_roles: [...roles].map(([unique_id, role]) => ({ unique_id, name: role })),
      },
    ],
    permissions: [...permissions].map((permission) => ({ name: permission })),
    identity_to_permissions: held,
  };
};
