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
 * never forgets a name (docs/rules.md: Property names).
 */
export interface NameLimits {
  /** The limit for one data source. */
  readonly ofDataSource: number;
  /** The limit for all data sources together. */
  readonly inAll: number;
}

/** The names that exist before a push. */
export interface NamesStanding {
  /** The names that the data source's pushes have brought. */
  readonly own: ReadonlySet<string>;
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

/** Reports each name beyond a limit, at the place that first declares or sets it. */
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
          `is a new name of a property: pushes to one data source may bring ${ofDataSource} of them, ` +
          'since Neo4j never forgets a name; use names that it has brought before',
      );
    } else if (isNew && known >= inAll) {
      problems.add(
        steps,
        'TOO_MANY_PROPERTY_NAMES',
        () =>
          `is a new name of a property: all data sources together may bring ${inAll} of them, ` +
          'since Neo4j never forgets a name; use names that are in the graph already',
      );
    } else {
      owned += 1;
      if (isNew) known += 1;
    }
  }
  return problems.list();
};
