import type { ApplicationEntity, ApplicationPayload } from '../templates/application/payload';
import type { localKinds } from '../templates/application/local-kinds';
import type { PermissionEntity } from '../templates/application/permissions';
import type {
  ApplicationPermission,
  IdentityToPermissions,
  RoleAssignmentElement,
} from '../templates/application/statements';
import type { EntityIn } from './flat-builder';

/** The names of an application's lists. */
export type ApplicationList = (typeof localKinds)[number]['list'] | 'resources';

/** Who holds a permission or a role. Without `identity_type` it is a person: `idp`. */
export type Holder = Pick<IdentityToPermissions, 'identity' | 'identity_type'>;

/**
 * The resources on which a permission or role is held; without resources it is held on the complete
 * application.
 */
export interface Scope {
  /** Names, ids or dotted paths. */
  readonly resources?: readonly string[];
}

const placed = ({ resources }: Scope): object =>
  resources === undefined ? { apply_to_application: true } : { resources };

/** Builds the payload of one application. */
export class ApplicationBuilder {
  private readonly lists: { [L in ApplicationList]?: EntityIn<ApplicationEntity, L>[] } = {};
  private readonly permissions: PermissionEntity[] = [];
  private readonly held = new Map<
    string,
    Holder & {
      readonly application_permissions: ApplicationPermission[];
      readonly role_assignments: RoleAssignmentElement[];
    }
  >();

  constructor(
    private readonly application: Omit<ApplicationEntity, ApplicationList>,
    private readonly top: Pick<ApplicationPayload, 'custom_property_definition'> = {},
  ) {}

  /** Adds entities to a list of the application. */
  add<L extends ApplicationList>(
    list: L,
    ...entities: readonly EntityIn<ApplicationEntity, L>[]
  ): this {
    const held: unknown[] = (this.lists[list] ??= []);
    held.push(...entities);
    return this;
  }

  /** Adds permissions that exist in the application. */
  define(...permissions: readonly PermissionEntity[]): this {
    this.permissions.push(...permissions);
    return this;
  }

  /** Says that somebody holds a permission. */
  grant(holder: Holder, permission: string, scope: Scope = {}): this {
    const { name: application } = this.application;
    this.of(holder).application_permissions.push({ application, permission, ...placed(scope) });
    return this;
  }

  /** Says that somebody holds a role. */
  assign(holder: Holder, role: string, scope: Scope = {}): this {
    const { name: application } = this.application;
    this.of(holder).role_assignments.push({ application, role, ...placed(scope) });
    return this;
  }

  /** The payload with everything that was added. */
  build(): ApplicationPayload {
    return {
      ...this.top,
      applications: [{ ...this.application, ...this.lists }],
      permissions: this.permissions,
      identity_to_permissions: [...this.held.values()],
    };
  }

  private of({ identity, identity_type }: Holder) {
    const key = JSON.stringify([identity, identity_type ?? 'idp']);
    const known = this.held.get(key);
    if (known !== undefined) return known;
    const type = identity_type === undefined ? {} : { identity_type };
    const entry = { identity, ...type, application_permissions: [], role_assignments: [] };
    this.held.set(key, entry);
    return entry;
  }
}
