import {
  ACCOUNT_PROPERTIES,
  GROUP_PROPERTIES,
  type ReadAccount,
  type ReadGroup,
} from './read-resource';

/** Fields of an entry of a payload; null unsets one in an increment. */
export type Entry = Readonly<Record<string, unknown>>;

/** An entry of a full push, or what an increment adds: without the fields that are not set. */
export const setFields = (entry: Entry): Entry =>
  Object.fromEntries(
    Object.entries(entry)
      .filter(([, value]) => value !== null)
      .map(([name, value]) =>
        name === 'custom_properties' ? [name, setFields(value as Entry)] : [name, value],
      ),
  );

/** The fields of a local user, apart from its groups (docs/provisioning.md: What becomes of it). */
export const accountEntry = (account: ReadAccount): Entry => ({
  unique_id: account.id,
  id: account.user_name,
  name: account.name,
  email: account.email,
  is_active: account.is_active,
  created_at: account.created_at,
  identities: account.identities,
  custom_properties: account.custom,
});

/** The fields of a local group, apart from the groups that it is in. */
export const groupEntry = ({
  id,
  name,
  created_at,
  custom,
}: Omit<ReadGroup, 'members'>): Entry => ({
  unique_id: id,
  name,
  created_at,
  custom_properties: custom,
});

/** A group that is known only from its members. */
export const mentionedGroup = (id: string, name: string | null): Omit<ReadGroup, 'members'> => ({
  id,
  name: name ?? id,
  created_at: null,
  custom: { external_id: null },
});

/** What an account holds, as an entry of `identity_to_permissions`; null if it holds nothing. */
export const holdings = (
  application: string,
  { id, roles, entitlements }: Pick<ReadAccount, 'id' | 'roles' | 'entitlements'>,
): Entry | null =>
  roles.length + entitlements.length === 0
    ? null
    : {
        identity: id,
        identity_type: 'local_user',
        ...holdingLists(application, roles, entitlements),
      };

/** The lists of what an account holds. */
export const holdingLists = (
  application: string,
  roles: ReadAccount['roles'],
  entitlements: readonly string[],
): Entry => ({
  role_assignments: roles.map((role) => ({ application, role: role.id })),
  application_permissions: entitlements.map((permission) => ({ application, permission })),
});

const strings = (names: readonly string[]): Entry =>
  Object.fromEntries(names.map((name) => [name, 'STRING']));

/** The declaration of the custom properties of imported accounts and groups. */
export const definition = (applicationType: string): Entry => ({
  applications: [
    {
      application_type: applicationType,
      local_user_properties: strings(ACCOUNT_PROPERTIES),
      local_group_properties: strings(GROUP_PROPERTIES),
    },
  ],
});
