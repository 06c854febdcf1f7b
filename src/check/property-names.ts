import type { ApplicationPayload } from '../contract/application';
import type { IdentityProviderPayload } from '../contract/identity-provider';
import type { IdentityProviderIncrement } from '../contract/increment';
import type { Step } from '../contract/pointer';
import { ProblemCollector } from '../contract/problem-collector';
import { type ChosenPrefix, CUSTOM_PREFIX, DYNAMIC_PREFIX } from '../model/property-name';
import type { ProblemList } from '../problem';
import { declaredByApplication } from './application';
import type { DeclaredTypes } from './custom-properties';
import { declaredByIdentityProvider } from './identity-provider';

/** The stored names of properties that a payload declares or sets, each with the place where it first does. */
export type NamesBrought = ReadonlyMap<string, readonly Step[]>;

/** How many names of custom and dynamic properties there may be: Neo4j never forgets one (docs/design.md 3.54). */
export interface NameLimits {
  /** Of one data source. */
  readonly ofDataSource: number;
  /** Of all data sources together. */
  readonly inAll: number;
}

/** The names that there are before a push. */
export interface NamesStanding {
  /** Those that the data source has brought. */
  readonly own: ReadonlySet<string>;
  /** All that Neo4j knows, and those that data sources have brought and not used yet. */
  readonly all: ReadonlySet<string>;
}

type WithDynamics = Pick<
  NonNullable<IdentityProviderPayload['users']>[number],
  'dynamic_properties'
> & { readonly operation?: string | null };

class Names {
  readonly brought = new Map<string, readonly Step[]>();

  declared(declared: readonly DeclaredTypes[]): this {
    for (const { steps, types } of declared) this.enter(CUSTOM_PREFIX, types, steps);
    return this;
  }

  /** `isSet` tells whether what stands at an entity is written. */
  dynamic(
    list: string,
    entities: readonly WithDynamics[] | null | undefined,
    isSet: (entity: WithDynamics) => boolean,
  ): void {
    entities?.forEach((entity, index) => {
      if (entity.dynamic_properties === undefined || !isSet(entity)) return;
      this.enter(DYNAMIC_PREFIX, entity.dynamic_properties, [list, index, 'dynamic_properties']);
    });
  }

  private enter(
    prefix: ChosenPrefix,
    properties: Readonly<Record<string, unknown>> | null | undefined,
    steps: readonly Step[],
  ): void {
    for (const [name, value] of Object.entries(properties ?? {})) {
      const stored = prefix + name;
      if (value !== null && !this.brought.has(stored)) this.brought.set(stored, [...steps, name]);
    }
  }
}

const WRITING_OPERATIONS: readonly unknown[] = ['add', 'modify'];

/** The names that an identity provider's payload brings, whole or incremental. */
export const namesOfIdentityProvider = (
  payload: IdentityProviderPayload | IdentityProviderIncrement,
): NamesBrought => {
  const names = new Names().declared(declaredByIdentityProvider(payload));
  const isSet = ({ operation }: WithDynamics): boolean =>
    payload.incremental_change !== true || WRITING_OPERATIONS.includes(operation);
  for (const list of ['domains', 'users', 'groups'] as const) {
    names.dynamic(list, payload[list], isSet);
  }
  return names.brought;
};

/** The names that a payload of applications brings, whole or incremental: what is set there is declared. */
export const namesOfApplication = (
  payload: Pick<ApplicationPayload, 'custom_property_definition'>,
): NamesBrought => new Names().declared(declaredByApplication(payload)).brought;

/** Each name that is one too many is a problem, where it is first declared or set. */
export const checkPropertyNames = (
  brought: NamesBrought,
  { own, all }: NamesStanding,
  { ofDataSource, inAll }: NameLimits,
): ProblemList => {
  const problems = new ProblemCollector();
  let [owned, known] = [own.size, all.size];
  for (const [name, steps] of brought) {
    if (own.has(name)) continue;
    const isNew = !all.has(name);
    if (owned >= ofDataSource) {
      problems.add(
        steps,
        'TOO_MANY_PROPERTY_NAMES',
        () =>
          `is a new name of a property: pushes to one data source may bring ${ofDataSource} of them ` +
          '(LIMIT_PROPERTY_NAMES), since Neo4j never forgets a name',
      );
    } else if (isNew && known >= inAll) {
      problems.add(
        steps,
        'TOO_MANY_PROPERTY_NAMES',
        () =>
          `is a new name of a property: all data sources together may bring ${inAll} of them ` +
          '(LIMIT_ALL_PROPERTY_NAMES), since Neo4j never forgets a name',
      );
    } else {
      owned += 1;
      if (isNew) known += 1;
    }
  }
  return problems.list();
};
