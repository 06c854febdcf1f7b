/** The kinds of entity that have declared custom properties (spec: Custom property definition; api.md 4). */
export type PropertyKind =
  | 'domain'
  | 'user'
  | 'group'
  | 'app'
  | 'app_assignment'
  | 'application'
  | 'local_user'
  | 'local_group'
  | 'local_role'
  | 'local_access_creds'
  | 'local_agent'
  | 'local_model'
  | 'role_assignment'
  | 'resource';

/** Whose custom properties: a kind, within applications also the type of application, of resources also theirs. */
export interface PropertyOwner {
  readonly kind: PropertyKind;
  readonly application_type?: string;
  readonly resource_type?: string;
}
