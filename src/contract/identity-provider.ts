import type * as t from 'io-ts';

import { list, sequence, shapes } from './collections';
import { ParentGroup } from './parent-group';
import { flag } from './scalars';
import {
  AssumedRoleArns,
  CustomProperties,
  DynamicProperties,
  IdentityReference,
  Operation,
  PropertyTypes,
  Tag,
} from './shared';
import { struct } from './struct';
import { enumeration, requiredText, text } from './text';

/** The kinds of identity provider that a source identity may stand in (api.md 4). */
export const ProviderType = enumeration('provider type', [
  'active_directory',
  'any',
  'azure_ad',
  'custom',
  'google_workspace',
  'okta',
  'one_login',
]);
export type ProviderType = t.TypeOf<typeof ProviderType>;

/** A user or group of another identity provider that this one stems from (spec: Source identity). */
export const SourceIdentity = struct('source identity', {
  identity: requiredText,
  provider_type: ProviderType,
});
export type SourceIdentity = t.TypeOf<typeof SourceIdentity>;

/** A discovered entity that a principal is responsible for (spec: Entities owned). */
export const EntityOwned = struct('owned entity', { node_type: requiredText, id: requiredText });
export type EntityOwned = t.TypeOf<typeof EntityOwned>;

/** Owned entities: a list, or one without its list (spec: Entities owned). */
export const EntitiesOwned = shapes('owned entities', {
  list: list(EntityOwned),
  object: EntityOwned,
});
export type EntitiesOwned = t.TypeOf<typeof EntitiesOwned>;

/** A principal's assignment to an app (spec: App assignment). */
export const AppAssignment = struct(
  'app assignment',
  { id: requiredText, app_id: requiredText },
  { name: text, custom_properties: CustomProperties },
);
export type AppAssignment = t.TypeOf<typeof AppAssignment>;

/** The domain of an identity provider (spec: Domain). */
export const Domain = struct(
  'domain',
  { name: requiredText },
  {
    custom_properties: CustomProperties,
    dynamic_properties: DynamicProperties,
    tags: list(Tag),
    operation: Operation,
  },
);
export type Domain = t.TypeOf<typeof Domain>;

/** A user of an identity provider (spec: User). */
export const User = struct(
  'user',
  { name: requiredText },
  {
    email: text,
    identity: text,
    full_name: text,
    department: shapes('department', { text, list: sequence(text) }),
    is_active: flag,
    is_guest: flag,
    identity_type: enumeration('identity type', ['HUMAN', 'NONHUMAN']),
    groups: list(IdentityReference),
    assumed_role_arns: AssumedRoleArns,
    tags: list(Tag),
    dynamic_properties: DynamicProperties,
    custom_properties: CustomProperties,
    manager_id: text,
    entities_owned: EntitiesOwned,
    source_identity: SourceIdentity,
    app_assignments: list(AppAssignment),
    operation: Operation,
  },
);
export type User = t.TypeOf<typeof User>;

/** A group of an identity provider (spec: Group). */
export const Group = struct(
  'group',
  { name: requiredText },
  {
    identity: text,
    full_name: text,
    is_security_group: flag,
    groups: list(ParentGroup),
    assumed_role_arns: AssumedRoleArns,
    tags: list(Tag),
    custom_properties: CustomProperties,
    dynamic_properties: DynamicProperties,
    entities_owned: EntitiesOwned,
    source_identity: SourceIdentity,
    app_assignments: list(AppAssignment),
    operation: Operation,
  },
);
export type Group = t.TypeOf<typeof Group>;

/** An app of an identity provider (spec: App). */
export const App = struct(
  'app',
  { id: requiredText, name: requiredText },
  {
    description: text,
    assumed_role_arns: AssumedRoleArns,
    custom_properties: CustomProperties,
    tags: list(Tag),
    operation: Operation,
  },
);
export type App = t.TypeOf<typeof App>;

/** The declared custom properties of an identity provider's kinds (api.md 4). */
export const IdentityProviderDefinition = struct(
  'custom property definition',
  {},
  {
    domain_properties: PropertyTypes,
    user_properties: PropertyTypes,
    group_properties: PropertyTypes,
    app_properties: PropertyTypes,
    app_assignment_properties: PropertyTypes,
  },
);
export type IdentityProviderDefinition = t.TypeOf<typeof IdentityProviderDefinition>;

/** What is pushed to a data source of the template `identity_provider` (spec: Identity provider payload). */
export const IdentityProviderPayload = struct(
  'identity provider payload',
  {},
  {
    name: text,
    custom_property_definition: IdentityProviderDefinition,
    idp_type: text,
    idp_description: text,
    domains: list(Domain),
    users: list(User),
    groups: list(Group),
    apps: list(App),
    incremental_change: flag,
  },
);
export type IdentityProviderPayload = t.TypeOf<typeof IdentityProviderPayload>;
