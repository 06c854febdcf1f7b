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

/** The stored names of properties that a payload declares or sets, each with the place where it first does. */
export type NamesBrought = ReadonlyMap<string, readonly Step[]>;

/** How many names of custom and dynamic properties there may be: Neo4j never forgets one (docs/rules.md: Property names). */
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
      // What stands at an entry that changes nothing is not written.
      if (isIncrement && !WRITING_OPERATIONS.includes(entity.operation)) continue;
      names.dynamic(entity.dynamic_properties, [...steps, 'dynamic_properties']);
    }
  }
  return names.brought;
};

/** The names that a template's payload brings, whole or incremental: custom properties where it declares them. */
export const namesBrought = (template: Template, payload: object): NamesBrought => {
  const { flat } = templates[template];
  return flat === null
    ? new Names().declared(declaredByApplication(payload)).brought
    : ofFlat(flat, payload);
};

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
