import type * as t from 'io-ts';

import { type Codec } from './codec';
import { list, Recursive } from './collections';
import { flag } from './scalars';
import { CustomProperties, Operation, PropertyTypes, Tag } from './shared';
import { struct, type StructOf } from './struct';
import { description, enumeration, requiredText, text, time } from './text';

/** Who is responsible for an application's entity (api.md 4). */
export const Owner = struct(
  'owner',
  { external_id: requiredText },
  { owner_type: text, primary: flag },
);
export type Owner = t.TypeOf<typeof Owner>;

// What every entity of an application may have.
const common = {
  tags: list(Tag),
  custom_properties: CustomProperties,
  owners: list(Owner),
  operation: Operation,
};

/** An account of an application (spec: Local user). */
export const LocalUser = struct(
  'local user',
  { name: requiredText },
  {
    id: text,
    unique_id: text,
    email: text,
    identities: list(text),
    groups: list(requiredText),
    access_creds: list(requiredText),
    is_active: flag,
    created_at: time,
    last_login_at: time,
    password_last_changed_at: time,
    deactivated_at: time,
    user_type: enumeration('user type', ['human', 'service_account']),
    ...common,
  },
);
export type LocalUser = t.TypeOf<typeof LocalUser>;

/** A group of an application (spec: Local group). */
export const LocalGroup = struct(
  'local group',
  { name: requiredText },
  {
    id: text,
    unique_id: text,
    identities: list(text),
    groups: list(requiredText),
    created_at: time,
    ...common,
  },
);
export type LocalGroup = t.TypeOf<typeof LocalGroup>;

/** A named set of permissions and roles (spec: Local role). */
export const LocalRole = struct(
  'local role',
  { name: requiredText },
  {
    id: text,
    unique_id: text,
    permissions: list(requiredText),
    roles: list(requiredText),
    ...common,
  },
);
export type LocalRole = t.TypeOf<typeof LocalRole>;

/** A key, token or the like with which accounts and agents act (api.md 4). */
export const AccessCredential = struct(
  'access credential',
  {},
  {
    id: text,
    unique_id: text,
    name: text,
    is_active: flag,
    created_at: time,
    expires_at: time,
    last_used_at: time,
    can_expire: flag,
    ...common,
  },
  { oneOf: { fields: ['id', 'unique_id', 'name'], missing: 'id' } },
);
export type AccessCredential = t.TypeOf<typeof AccessCredential>;

/** An AI agent of an application (api.md 4). */
export const LocalAgent = struct(
  'local agent',
  { name: requiredText },
  {
    id: text,
    unique_id: text,
    ai_platform: text,
    ai_agent_publisher: text,
    is_active: flag,
    created_at: time,
    groups: list(requiredText),
    access_creds: list(requiredText),
    models: list(requiredText),
    ...common,
  },
);
export type LocalAgent = t.TypeOf<typeof LocalAgent>;

/** A model that agents use (api.md 4). */
export const LocalModel = struct(
  'local model',
  { name: requiredText },
  {
    id: text,
    unique_id: text,
    ai_platform: text,
    ai_model_publisher: text,
    ai_model_family: text,
    ai_model_series: text,
    created_at: time,
    ...common,
  },
);
export type LocalModel = t.TypeOf<typeof LocalModel>;

/** An entity whose permissions a resource can assume (spec: Connection). */
export const Connection = struct('connection', { id: requiredText, node_type: requiredText });
export type Connection = t.TypeOf<typeof Connection>;

/** Fields that every resource has. */
export const requiredOfResource = { name: requiredText, resource_type: requiredText };
/** Fields that a resource may have beside those below it. */
export const optionalOfResource = {
  id: text,
  description: description(255),
  connections: list(Connection),
  ...common,
};

/** A thing in an application that permissions are held on, with the things below it (spec: Resource). */
export type Resource = StructOf<typeof requiredOfResource, typeof optionalOfResource> & {
  readonly sub_resources?: readonly Resource[] | null;
};

/** How deep resources may be nested unless the caller says otherwise. */
export const RESOURCE_LEVELS = 100;

const resourceWithin = (levels: number): Recursive<Resource> => {
  const resource: Recursive<Resource> = new Recursive('resource', levels, () => inner);
  const inner: Codec<Resource> = struct('resource', requiredOfResource, {
    ...optionalOfResource,
    sub_resources: list(resource),
  });
  return resource;
};

/** An application whose resources are nested at most so many levels deep. */
export const applicationWithin = (levels: number) =>
  struct(
    'application',
    { name: requiredText, application_type: requiredText },
    {
      description: description(256),
      local_users: list(LocalUser),
      local_groups: list(LocalGroup),
      local_roles: list(LocalRole),
      local_access_creds: list(AccessCredential),
      local_agents: list(LocalAgent),
      local_models: list(LocalModel),
      resources: list(resourceWithin(levels)),
      ...common,
    },
  );

/** An application with all that is in it (spec: Application). */
export type Application = t.TypeOf<ReturnType<typeof applicationWithin>>;

/** Canonical meanings of permissions (spec: Permission). */
export const PermissionType = enumeration('permission type', [
  'DataRead',
  'DataWrite',
  'MetadataRead',
  'MetadataWrite',
  'NonData',
  'DataCreate',
  'DataDelete',
  'MetadataCreate',
  'MetadataDelete',
  'Uncategorized',
]);
export type PermissionType = t.TypeOf<typeof PermissionType>;

/** A native permission (spec: Permission). */
export const Permission = struct(
  'permission',
  { name: requiredText },
  {
    permission_type: list(PermissionType),
    application_type: list(requiredText),
    apply_to_sub_resources: flag,
    resource_types: list(requiredText),
    operation: Operation,
  },
);
export type Permission = t.TypeOf<typeof Permission>;

/** A permission that an identity holds on a scope (spec: Application permission). */
export const ApplicationPermission = struct(
  'application permission',
  { application: requiredText, permission: requiredText },
  { resources: list(requiredText), apply_to_application: flag, operation: Operation },
);
export type ApplicationPermission = t.TypeOf<typeof ApplicationPermission>;

/** A role that an identity holds on a scope (spec: Role assignment). */
export const RoleAssignment = struct(
  'role assignment',
  { application: requiredText, role: requiredText },
  {
    resources: list(requiredText),
    apply_to_application: flag,
    custom_properties: CustomProperties,
    operation: Operation,
  },
);
export type RoleAssignment = t.TypeOf<typeof RoleAssignment>;

/** What the identity of an entry is; `idp` unless set (spec: Identity to permissions entry). */
export const IdentityType = enumeration('identity type', [
  'idp',
  'local_user',
  'local_group',
  'local_role',
  'local_access_creds',
  'local_agent',
]);
export type IdentityType = t.TypeOf<typeof IdentityType>;

/** All that one identity holds (spec: Identity to permissions entry). */
export const IdentityToPermissions = struct(
  'identity to permissions entry',
  { identity: requiredText },
  {
    identity_type: IdentityType,
    application_permissions: list(ApplicationPermission),
    role_assignments: list(RoleAssignment),
    operation: Operation,
  },
);
export type IdentityToPermissions = t.TypeOf<typeof IdentityToPermissions>;

/** The declared custom properties of one resource type (api.md 4). */
export const ResourceDefinition = struct(
  'resource definition',
  { resource_type: requiredText },
  { properties: PropertyTypes },
);
export type ResourceDefinition = t.TypeOf<typeof ResourceDefinition>;

/** The declared custom properties of one application type (spec: Custom property definition). */
export const ApplicationTypeDefinition = struct(
  'application type definition',
  { application_type: requiredText },
  {
    application_properties: PropertyTypes,
    local_user_properties: PropertyTypes,
    local_group_properties: PropertyTypes,
    local_role_properties: PropertyTypes,
    local_access_creds_properties: PropertyTypes,
    local_agent_properties: PropertyTypes,
    local_model_properties: PropertyTypes,
    role_assignment_properties: PropertyTypes,
    resources: list(ResourceDefinition),
  },
);
export type ApplicationTypeDefinition = t.TypeOf<typeof ApplicationTypeDefinition>;

/** What is pushed to a data source of the template `application`, its resources nested at most so many levels deep. */
export const applicationPayloadWithin = (levels: number) =>
  struct(
    'application payload',
    {},
    {
      custom_property_definition: struct(
        'custom property definition',
        {},
        { applications: list(ApplicationTypeDefinition) },
      ),
      applications: list(applicationWithin(levels)),
      permissions: list(Permission),
      identity_to_permissions: list(IdentityToPermissions),
      incremental_change: flag,
    },
  );

/** What is pushed to a data source of the template `application` (spec: Application payload). */
export const ApplicationPayload = applicationPayloadWithin(RESOURCE_LEVELS);
export type ApplicationPayload = t.TypeOf<typeof ApplicationPayload>;
