import type {
  ApplicationEntity as Application,
  ApplicationPayload,
} from '../src/templates/application/payload';
import type {
  ApplicationPermission,
  IdentityToPermissions,
  RoleAssignmentElement as RoleAssignment,
} from '../src/templates/application/statements';
import type { LocalGroupEntity as LocalGroup } from '../src/templates/application/local-groups';
import type { LocalRoleEntity as LocalRole } from '../src/templates/application/local-roles';
import type { LocalUserEntity as LocalUser } from '../src/templates/application/local-users';
import type { PermissionEntity as Permission } from '../src/templates/application/permissions';
import type { Tag } from '../src/codec/shared';
import { Random } from './random';
import { resourceTree, RESOURCES_PER_PROJECT } from './resource-tree';
import { upTo } from './up-to';

const APPLICATIONS = 4;
const PERMISSIONS = 60;

/** How many of each kind an application has for 100,000 elements. */
const SHARES = { users: 1460, groups: 122, roles: 40, resources: 1260 };

const digits = (number: number, width: number): string => String(number).padStart(width, '0');

/**
 * An application payload that becomes about `elements` nodes and relationships, a quarter of them
 * nodes. It has users, groups, roles, nested resources, permissions, grants, role assignments and
 * tags, in proportions of a company of some thousand people. Their numbers begin at `firstPerson`.
 */
export const applicationPayload = (
  elements: number,
  seed: number,
  firstPerson = 0,
): ApplicationPayload => {
  const random = new Random(seed);
  const scale = elements / 100_000;
  const permissions = upTo(PERMISSIONS).map((index) => permission(random, index));
  const parts = upTo(APPLICATIONS).map(
    (index) => new Part(random, index, scale, permissions, firstPerson),
  );
  return {
    custom_property_definition: { applications: ['docs', 'crm'].map(definition) },
    applications: parts.map((part) => part.application),
    permissions,
    identity_to_permissions: parts.flatMap((part) => part.entries()),
  };
};

const definition = (application_type: string) => ({
  application_type,
  local_user_properties: { cost_center: 'STRING', hired: 'TIMESTAMP', level: 'NUMBER' } as const,
  resources: [
    {
      resource_type: 'document',
      properties: { sensitivity: 'NUMBER', reviewed: 'BOOLEAN' } as const,
    },
  ],
});

const permission = (random: Random, index: number): Permission => ({
  name: `permission ${index}`,
  permission_type: random.some(['DataRead', 'DataWrite', 'MetadataRead', 'NonData'], 2),
  apply_to_sub_resources: random.happens(0.5),
  // A third of the permissions become a node for each resource type (docs/rules.md: Application
  // payloads).
  resource_types: index % 3 === 0 ? ['document', 'folder'] : [],
});

/** One application, and the grants and role assignments of its identities. */
class Part {
  readonly application: Application;
  private readonly references: readonly string[];

  constructor(
    private readonly random: Random,
    private readonly index: number,
    scale: number,
    private readonly permissions: readonly Permission[],
    firstPerson: number,
  ) {
    const count = (share: number): number => Math.max(1, Math.round(share * scale));
    const groups = upTo(count(SHARES.groups)).map((at) => this.group(at));
    const tree = resourceTree(
      random,
      index,
      count(SHARES.resources / RESOURCES_PER_PROJECT),
      (chance) => this.tags(chance),
    );
    this.references = tree.references;
    this.application = {
      name: `application ${index}`,
      application_type: index % 2 === 0 ? 'docs' : 'crm',
      description: 'One of the applications of the bench.',
      local_users: upTo(count(SHARES.users)).map((at) => this.user(firstPerson + at, groups)),
      local_groups: groups,
      local_roles: upTo(count(SHARES.roles)).map((at) => this.role(at)),
      resources: tree.resources,
      tags: this.tags(1),
    };
  }

  entries(): readonly IdentityToPermissions[] {
    const { random } = this;
    const { local_users, local_groups, local_roles } = this.application;
    return [
      ...(local_groups ?? []).map(({ name }) => this.entry('local_group', name, 3, 2)),
      ...(local_users ?? [])
        .filter(() => random.happens(0.5))
        .map(({ unique_id }) =>
          this.entry('local_user', String(unique_id), random.happens(0.9) ? 1 : 0, 0.4),
        ),
      ...(local_users ?? [])
        .filter(() => random.happens(0.07))
        .map(({ email }) => this.entry('idp', String(email), 1, 0)),
      ...(local_roles ?? [])
        .filter(() => random.happens(0.5))
        .map(({ name }) => this.entry('local_role', name, 1, 0)),
    ];
  }

  private user(at: number, groups: readonly LocalGroup[]): LocalUser {
    const { random, index } = this;
    const email = `person${at}.${index}@example.com`;
    const day = digits(random.between(1, 28), 2);
    return {
      name: `Person ${at} of ${index}`,
      unique_id: `u${index}-${digits(at, 6)}`,
      email,
      identities: [email],
      groups: random
        .some(
          groups.map(({ name }) => name),
          random.between(2, 4),
        )
        .sort(),
      is_active: random.happens(0.95),
      created_at: `2021-${digits(random.between(1, 12), 2)}-${day}T08:30:00Z`,
      last_login_at: `2024-06-${day}T10:15:${digits(random.below(60), 2)}.${digits(random.below(1000), 3)}+02:00`,
      user_type: 'human',
      custom_properties: {
        cost_center: `cc-${random.below(40)}`,
        hired: `2020-01-${day}T00:00:00Z`,
        level: random.below(9),
      },
      tags: this.tags(0.7),
    };
  }

  private group(at: number): LocalGroup {
    const { random } = this;
    return {
      name: `group ${at}`,
      created_at: '2020-03-01T00:00:00Z',
      identities: [`team-${this.index}-${at}@example.com`],
      // Groups of groups, without circles.
      groups: at > 0 && random.happens(0.8) ? [`group ${random.below(at)}`] : [],
      tags: this.tags(0.5),
    };
  }

  private role(at: number): LocalRole {
    const { random } = this;
    return {
      name: `role ${at}`,
      permissions: random.some(
        this.permissions.map(({ name }) => name),
        8,
      ),
      roles: at > 0 && random.happens(0.75) ? [`role ${random.below(at)}`] : [],
    };
  }

  private tags(chance: number): readonly Tag[] {
    const { random } = this;
    if (!random.happens(chance)) return [];
    return random.happens(0.5)
      ? [{ key: 'team', value: `team ${random.below(80)}` }]
      : [{ key: 'stage', value: random.pick(['production', 'test', 'archive']) }];
  }

  /** The entry of one identity. A fraction of a role assignment is the chance of one more. */
  private entry(
    identity_type: NonNullable<IdentityToPermissions['identity_type']>,
    identity: string,
    grants: number,
    assignments: number,
  ): IdentityToPermissions {
    const { random } = this;
    const application = this.application.name;
    const roles = (this.application.local_roles ?? []).map(({ name }) => name);
    const held = Math.floor(assignments) + (random.happens(assignments % 1) ? 1 : 0);
    return {
      identity,
      identity_type,
      application_permissions: random
        .some(
          this.permissions.map(({ name }) => name),
          grants,
        )
        .map((permission): ApplicationPermission => ({
          application,
          permission,
          ...this.scope(random.between(2, 4)),
        })),
      role_assignments: random
        .some(roles, held)
        .map((role): RoleAssignment => ({ application, role, ...this.scope(2) })),
    };
  }

  private scope(resources: number): Pick<ApplicationPermission, 'resources'> {
    return { resources: this.random.some(this.references, resources) };
  }
}
