import type {
  ApplicationEntity as Application,
  ApplicationPayload,
} from '../src/templates/application/payload';
import type { IdentityToPermissions } from '../src/templates/application/statements';
import type { ApplicationEntry, ApplicationIncrement } from '../src/templates/application/payload';
import type { Random } from './random';

/** A change of some rows, as a full payload and as an increment. */
export interface Change {
  /** The full payload after the change. */
  readonly whole: ApplicationPayload;
  /** The same change as an increment. */
  readonly increment: ApplicationIncrement;
}

type User = NonNullable<Application['local_users']>[number];

const idOf = ({ unique_id, name }: User): string => unique_id ?? name;

/** How many rows an account has: its own, and those of its statements. */
const rowsOf = (entry: IdentityToPermissions | undefined): number =>
  1 + (entry?.application_permissions ?? []).length + (entry?.role_assignments ?? []).length;

/**
 * A change that adds about `rows` rows, changes as many and removes as many: accounts with their
 * statements. New accounts have `name` in their names, so two changes do not add the same ones.
 */
export const changeOf = (
  payload: ApplicationPayload,
  rows: number,
  name: string,
  random: Random,
): Change => {
  const applications = payload.applications ?? [];
  const entries = payload.identity_to_permissions ?? [];
  const entryOf = new Map(
    entries
      .filter(({ identity_type }) => identity_type === 'local_user')
      .map((entry) => [entry.identity, entry]),
  );
  const each = rows / 3 / applications.length;
  const wholes: Application[] = [];
  const increments: ApplicationEntry[] = [];
  const added: IdentityToPermissions[] = [];
  const gone = new Set<string>();

  for (const application of applications) {
    const users = random.shuffled(application.local_users ?? []);
    const take = (weight: (user: User) => number): readonly User[] => {
      const taken: User[] = [];
      for (let sum = 0; sum < each;) {
        const user = users.pop();
        if (user === undefined) break;
        taken.push(user);
        sum += weight(user);
      }
      return taken;
    };
    const removed = take((user) => rowsOf(entryOf.get(idOf(user))));
    const changed = take(() => 1).map((user, index) => ({
      ...user,
      custom_properties: { ...user.custom_properties, cost_center: `cc-${name}-${index}` },
    }));
    // A new account is like an existing one, with the same statements.
    const models = take((user) => rowsOf(entryOf.get(idOf(user))));
    const come = models.map((user, index) => ({
      ...user,
      name: `${user.name} ${name}`,
      unique_id: `${name}-${index}-${idOf(user)}`,
    }));
    models.forEach((model, index) => {
      const entry = entryOf.get(idOf(model));
      const identity = come[index]?.unique_id;
      if (entry !== undefined && identity !== undefined) added.push({ ...entry, identity });
    });
    const changedById = new Map(changed.map((user) => [idOf(user), user]));
    removed.forEach((user) => gone.add(idOf(user)));
    wholes.push({
      ...application,
      local_users: [
        ...(application.local_users ?? [])
          .filter((user) => !gone.has(idOf(user)))
          .map((user) => changedById.get(idOf(user)) ?? user),
        ...come,
      ],
    });
    increments.push({
      name: application.name,
      local_users: [
        ...removed.map((user) => ({
          operation: 'delete' as const,
          name: user.name,
          unique_id: idOf(user),
        })),
        ...changed.map((user) => ({
          operation: 'modify' as const,
          unique_id: idOf(user),
          custom_properties: { cost_center: user.custom_properties.cost_center },
        })),
        ...come.map((user) => ({ ...user, operation: 'add' as const })),
      ],
    });
  }
  return {
    whole: {
      ...payload,
      applications: wholes,
      identity_to_permissions: [
        ...entries.filter(
          ({ identity, identity_type }) => identity_type !== 'local_user' || !gone.has(identity),
        ),
        ...added,
      ],
    },
    increment: {
      incremental_change: true,
      applications: increments,
      identity_to_permissions: added.map((entry) => ({ ...entry, operation: 'add' as const })),
    },
  };
};
