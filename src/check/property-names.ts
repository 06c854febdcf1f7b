import type { Step } from '../codec/pointer';
import { ProblemCollector } from '../codec/problem-collector';
import { type ChosenPrefix, CUSTOM_PREFIX, DYNAMIC_PREFIX } from '../model/property-name';
import type { ProblemList } from '../problem';
import { declaredByApplication } from './application';
import { entitiesOf, type FlatPayload } from '../templates/flat-payload';
import type { FlatTemplate } from '../templates/flat-template';
import { type Template, templates } from '../templates/templates';
import type { DeclaredTypes } from './custom-properties';
import { declaredByFlat } from './flat';

/**
 * The stored names of the custom and dynamic properties that a payload declares or sets. Each comes
 * with the first place that does so.
 */
export type NamesBrought = ReadonlyMap<string, readonly Step[]>;

/**
 * The limits on the number of names of custom and dynamic properties. They exist because Neo4j
 * never forgets a property name (docs/rules.md: Property names).
 */
export interface NameLimits {
  /** The limit for one data source. */
  readonly ofDataSource: number;
  /** The limit for all data sources that one provider has or had. */
  readonly ofProvider: number;
  /** The limit for all data sources together. */
  readonly inAll: number;
}

/** The names that exist before a push. */
export interface ExistingNames {
  /** The names that the data source's pushes have brought. */
  readonly own: ReadonlySet<string>;
  /** The names that pushes to any data source of the provider have brought, also to deleted ones. */
  readonly ofProvider: ReadonlySet<string>;
  /** The names that Neo4j knows, and those that data sources have declared but not used yet. */
  readonly all: ReadonlySet<string>;
}

class Names {
  readonly brought = new Map<string, readonly Step[]>();

  declared(declared: readonly DeclaredTypes[]): this {
    for (const { steps, types } of declared) this.enter(CUSTOM_PREFIX, types, steps);
    return this;
  }

  dynamic(properties: object | null | undefined, steps: readonly Step[]): void {
    this.enter(DYNAMIC_PREFIX, properties as Readonly<Record<string, unknown>>, steps);
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

const ofFlat = (template: FlatTemplate, payload: object): NamesBrought => {
  const names = new Names().declared(declaredByFlat(template, payload));
  const isIncrement = (payload as FlatPayload).incremental_change === true;
  for (const kind of template.kinds) {
    for (const [entity, steps] of entitiesOf(payload, kind)) {
      // The service writes no properties of an entry that changes nothing.
      if (isIncrement && !WRITING_OPERATIONS.includes(entity.operation)) continue;
      names.dynamic(entity.dynamic_properties, [...steps, 'dynamic_properties']);
    }
  }
  return names.brought;
};

/**
 * The names that a full push or an increment brings. A custom property counts where the payload
 * declares it.
 */
export const namesBrought = (template: Template, payload: object): NamesBrought => {
  const { flat } = templates[template];
  return flat === null
    ? new Names().declared(declaredByApplication(payload)).brought
    : ofFlat(flat, payload);
};

const ADVICE = 'since Neo4j never forgets a name; use names that';

/**
 * Reports each name beyond a limit, at the place that first declares or sets it. When all data
 * sources together have reached their limit, a name that only others have brought is refused like
 * any new name: a provider must not learn which names those are.
 */
export const checkPropertyNames = (
  brought: NamesBrought,
  { own, ofProvider, all }: ExistingNames,
  limits: NameLimits,
): ProblemList => {
  const problems = new ProblemCollector();
  let [owned, provided, known] = [own.size, ofProvider.size, all.size];
  const refuse = (steps: readonly Step[], message: string): void => {
    problems.add(steps, 'TOO_MANY_PROPERTY_NAMES', () => `is a new name of a property: ${message}`);
  };
  for (const [name, steps] of brought) {
    if (own.has(name)) continue;
    const isNew = !ofProvider.has(name);
    if (owned >= limits.ofDataSource) {
      refuse(
        steps,
        `pushes to one data source may bring ${limits.ofDataSource} of them, ${ADVICE} it has brought before`,
      );
    } else if (isNew && provided >= limits.ofProvider) {
      refuse(
        steps,
        `all data sources of a provider may bring ${limits.ofProvider} of them, ${ADVICE} they have brought before`,
      );
    } else if (isNew && known >= limits.inAll) {
      refuse(
        steps,
        `all data sources together may bring ${limits.inAll} of them, ${ADVICE} this provider has brought before`,
      );
    } else {
      owned += 1;
      if (isNew) [provided, known] = [provided + 1, known + 1];
    }
  }
  return problems.list();
};
