/** A field that may be absent or null, which is the same (docs/rules.md: Problems). */
export type Optional<T> = T | null | undefined;

/** Values of custom or dynamic properties by name, as sent. */
export type PropertyValues = Readonly<Record<string, unknown>>;

/** Declared type names by property name (docs/rules.md: Custom properties). */
export type PropertyTypes = Readonly<Record<string, string>>;

/** docs/rules.md: Tags. */
export interface Tag {
  readonly key: string;
  readonly value?: Optional<string>;
}

/** docs/rules.md: Identity provider payloads, in both shapes. */
export type AssumedRoleArns =
  readonly { readonly identity: string }[] | { readonly identity?: Optional<readonly string[]> };

/** An entity of another data source, as `entities_owned` and `connections` name it (spec). */
export interface NamedEntity {
  readonly node_type: string;
  readonly id: string;
}

/** docs/rules.md: Identity provider payloads. */
export interface SourceIdentity {
  readonly identity: string;
  readonly provider_type: string;
}

/** docs/rules.md: Application payloads: owners. */
export interface Owner {
  readonly external_id: string;
  readonly owner_type?: Optional<string>;
  readonly primary?: Optional<boolean>;
}

/** docs/rules.md: Application payloads. */
export interface AppAssignment {
  readonly id: string;
  readonly name?: Optional<string>;
  readonly app_id: string;
  readonly custom_properties?: Optional<PropertyValues>;
}

/** What every entity of either template may carry. */
export interface AnyEntity {
  readonly name?: Optional<string>;
  readonly tags?: Optional<readonly Tag[]>;
  readonly custom_properties?: Optional<PropertyValues>;
  readonly dynamic_properties?: Optional<PropertyValues>;
  readonly operation?: Optional<string>;
}

/** docs/rules.md: Identity provider payloads. */
export type Domain = AnyEntity;

/** What users and groups of an identity provider share. */
export interface IdpPrincipal extends AnyEntity {
  readonly identity?: Optional<string>;
  readonly full_name?: Optional<string>;
  readonly assumed_role_arns?: Optional<AssumedRoleArns>;
  readonly source_identity?: Optional<SourceIdentity>;
  readonly app_assignments?: Optional<readonly AppAssignment[]>;
}

/** docs/rules.md: Identity provider payloads. */
export interface User extends IdpPrincipal {
  readonly email?: Optional<string>;
  readonly department?: Optional<string | readonly string[]>;
  readonly is_active?: Optional<boolean>;
  readonly is_guest?: Optional<boolean>;
  readonly identity_type?: Optional<string>;
  readonly manager_id?: Optional<string>;
  readonly groups?: Optional<readonly { readonly identity: string }[]>;
  readonly entities_owned?: Optional<NamedEntity | readonly NamedEntity[]>;
}

/** docs/rules.md: Identity provider payloads; a parent is `{identity}` or `{<parent>: "parent"}` (docs/rules.md: Identity provider payloads). */
export interface Group extends IdpPrincipal {
  readonly is_security_group?: Optional<boolean>;
  readonly groups?: Optional<readonly Readonly<Record<string, string>>[]>;
}

/** docs/rules.md: Application payloads. */
export interface App extends AnyEntity {
  readonly id: string;
  readonly description?: Optional<string>;
  readonly assumed_role_arns?: Optional<AssumedRoleArns>;
}

/** `{id}`: how an employee names groups and managers (docs/rules.md: Application payloads). */
export interface IdReference {
  readonly id: string;
}

/** docs/rules.md: HRIS. */
export interface HrisSystem extends AnyEntity {
  readonly id: string;
  readonly idp_providers?: Optional<readonly string[]>;
}

/** docs/rules.md: HRIS; its plain texts are listed with the own fields of its kind. */
export interface Employee extends AnyEntity {
  readonly id: string;
  readonly cost_center?: Optional<IdReference>;
  readonly department?: Optional<IdReference>;
  readonly managers?: Optional<readonly IdReference[]>;
  readonly groups?: Optional<readonly IdReference[]>;
  readonly employment_types?: Optional<readonly string[]>;
}

/** docs/rules.md: HRIS. */
export interface HrisGroup extends AnyEntity {
  readonly id: string;
  readonly group_type?: Optional<string>;
}

/** A payload of a flat template, as far as all of them are alike. */
export interface FlatPayload {
  readonly custom_property_definition?: Optional<Readonly<Record<string, Optional<PropertyTypes>>>>;
  readonly incremental_change?: Optional<boolean>;
  readonly [field: string]: unknown;
}

/** Any entity inside an application; which fields it has is its kind's matter (spec, docs/rules.md: Application payloads). */
export interface LocalEntity extends AnyEntity {
  readonly id?: Optional<string>;
  readonly unique_id?: Optional<string>;
  readonly owners?: Optional<readonly Owner[]>;
  readonly identities?: Optional<readonly string[]>;
  readonly groups?: Optional<readonly string[]>;
  readonly access_creds?: Optional<readonly string[]>;
  readonly models?: Optional<readonly string[]>;
  readonly permissions?: Optional<readonly string[]>;
  readonly roles?: Optional<readonly string[]>;
}

/** docs/rules.md: Application payloads. */
export interface Resource extends AnyEntity {
  readonly id?: Optional<string>;
  readonly resource_type: string;
  readonly description?: Optional<string>;
  readonly owners?: Optional<readonly Owner[]>;
  readonly connections?: Optional<readonly NamedEntity[]>;
  readonly sub_resources?: Optional<readonly Resource[]>;
}

/** docs/rules.md: Application payloads. */
export interface Application extends AnyEntity {
  readonly application_type: string;
  readonly description?: Optional<string>;
  readonly owners?: Optional<readonly Owner[]>;
  readonly local_users?: Optional<readonly LocalEntity[]>;
  readonly local_groups?: Optional<readonly LocalEntity[]>;
  readonly local_roles?: Optional<readonly LocalEntity[]>;
  readonly local_agents?: Optional<readonly LocalEntity[]>;
  readonly local_models?: Optional<readonly LocalEntity[]>;
  readonly local_access_creds?: Optional<readonly LocalEntity[]>;
  readonly resources?: Optional<readonly Resource[]>;
}

/** docs/rules.md: Application payloads. */
export interface Permission extends AnyEntity {
  readonly permission_type?: Optional<readonly string[]>;
  readonly application_type?: Optional<readonly string[]>;
  readonly apply_to_sub_resources?: Optional<boolean>;
  readonly resource_types?: Optional<readonly string[]>;
}

/** An element of either list of an `identity_to_permissions` entry (spec). */
export interface StatementElement {
  readonly application: string;
  readonly permission?: Optional<string>;
  readonly role?: Optional<string>;
  readonly resources?: Optional<readonly string[]>;
  readonly apply_to_application?: Optional<boolean>;
  readonly custom_properties?: Optional<PropertyValues>;
  readonly operation?: Optional<string>;
}

/** docs/rules.md: Statements. */
export interface IdentityToPermissions {
  readonly identity: string;
  readonly identity_type?: Optional<string>;
  readonly application_permissions?: Optional<readonly StatementElement[]>;
  readonly role_assignments?: Optional<readonly StatementElement[]>;
  readonly operation?: Optional<string>;
}

/** One application type's declarations (docs/rules.md: Custom properties). */
export interface ApplicationDefinition {
  readonly application_type: string;
  readonly resources?: Optional<
    readonly { readonly resource_type: string; readonly properties?: Optional<PropertyTypes> }[]
  >;
  readonly [properties: `${string}_properties`]: Optional<PropertyTypes>;
}

/** docs/rules.md: Application payloads. */
export interface ApplicationPayload {
  readonly custom_property_definition?: Optional<{
    readonly applications?: Optional<readonly ApplicationDefinition[]>;
  }>;
  readonly applications?: Optional<readonly Application[]>;
  readonly permissions?: Optional<readonly Permission[]>;
  readonly identity_to_permissions?: Optional<readonly IdentityToPermissions[]>;
  readonly incremental_change?: Optional<boolean>;
}
