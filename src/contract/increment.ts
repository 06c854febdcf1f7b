import type * as t from 'io-ts';

import {
  AccessCredential,
  type Application,
  ApplicationPayload,
  applicationWithin,
  LocalAgent,
  LocalGroup,
  LocalModel,
  LocalRole,
  LocalUser,
  optionalOfResource,
  Permission,
  requiredOfResource,
  type Resource,
} from './application';
import type { Codec } from './codec';
import { list, Recursive } from './collections';
import { entry, type EntryOf, type EntryRules } from './entry';
import { App, Domain, Group, IdentityProviderPayload, User } from './identity-provider';
import { struct } from './struct';

const named: EntryRules = { ids: ['name'], missing: 'name' };
const federated: EntryRules = { ids: ['identity', 'name'], missing: 'name' };
const local: EntryRules = { ids: ['unique_id', 'id', 'name'], missing: 'name' };

/** An incremental push to a data source of the template `identity_provider` (graph.md 7). */
export const IdentityProviderIncrement = struct(
  'identity provider payload',
  {},
  {
    ...IdentityProviderPayload.optional,
    domains: list(entry(Domain, named)),
    users: list(entry(User, federated)),
    groups: list(entry(Group, federated)),
    apps: list(entry(App, { ids: ['id'], missing: 'id' })),
  },
);
export type IdentityProviderIncrement = t.TypeOf<typeof IdentityProviderIncrement>;

/** A resource in an increment, with the entries below it. */
export type ResourceEntry = Omit<EntryOf<Resource>, 'sub_resources'> & {
  readonly sub_resources?: readonly ResourceEntry[] | null;
};

const resourceEntryWithin = (levels: number): Recursive<ResourceEntry> => {
  const resource: Recursive<ResourceEntry> = new Recursive('resource', levels, () => inner);
  const inner = entry(
    struct('resource', requiredOfResource, optionalOfResource),
    { ids: ['id', 'name'], missing: 'name', place: ['resource_type'], isResource: true },
    { sub_resources: list(resource) },
  );
  return resource;
};

/** An application in an increment, with the entries in it. */
export type ApplicationEntry = Omit<EntryOf<Application>, 'resources' | LocalList> & {
  readonly resources?: readonly ResourceEntry[] | null;
  readonly local_users?: readonly EntryOf<LocalUser>[] | null;
  readonly local_groups?: readonly EntryOf<LocalGroup>[] | null;
  readonly local_roles?: readonly EntryOf<LocalRole>[] | null;
  readonly local_access_creds?: readonly EntryOf<AccessCredential>[] | null;
  readonly local_agents?: readonly EntryOf<LocalAgent>[] | null;
  readonly local_models?: readonly EntryOf<LocalModel>[] | null;
};

type LocalList =
  | 'local_users'
  | 'local_groups'
  | 'local_roles'
  | 'local_access_creds'
  | 'local_agents'
  | 'local_models';

/** An incremental push to a data source of the template `application`, its resources nested at most so many levels deep. */
export const applicationIncrementWithin = (levels: number) =>
  struct(
    'application payload',
    {},
    {
      ...ApplicationPayload.optional,
      applications: list(
        entry(applicationWithin(levels), named, {
          local_users: list(entry(LocalUser, local)),
          local_groups: list(entry(LocalGroup, local)),
          local_roles: list(entry(LocalRole, local)),
          local_access_creds: list(entry(AccessCredential, { ...local, missing: 'id' })),
          local_agents: list(entry(LocalAgent, local)),
          local_models: list(entry(LocalModel, local)),
          resources: list(resourceEntryWithin(levels)),
        }) as Codec<ApplicationEntry>,
      ),
      permissions: list(entry(Permission, named)),
    },
  );

export type ApplicationIncrement = t.TypeOf<ReturnType<typeof applicationIncrementWithin>>;
