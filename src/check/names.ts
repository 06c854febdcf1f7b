import { fold, nfc } from '../model/fold';

/** An entity as references find it. */
export interface Named {
  /** Its id (docs/rules.md: Keys); a resource without one: its local key. */
  readonly id: string;
  readonly name: string;
  /** Where it stands in the payload. */
  readonly pointer: string;
  /** What finds it, step by step: its id, its other id, its name; a resource: its id, the spellings of its path, its name. */
  readonly steps: readonly (readonly string[])[];
  /** Keys of the nodes that stand for it: several for a typed permission. */
  readonly keys: readonly string[];
  /** How a message names it. */
  readonly title: () => string;
}

/** What a look-up found: one entity, none, or several between which nothing decides. */
export type Found = readonly Named[];

type Step = Map<string, Named[]>;

/** The entities of one kind in one application or identity provider, as references find them (docs/rules.md: References). */
export class Scope {
  private readonly exact: Step[] = [];
  private folded: Step[] | null = null;

  add(entity: Named): void {
    this.folded = null;
    entity.steps.forEach((names, step) => this.put(this.exact, step, names, entity));
  }

  /** The first step that fits anything decides, exactly before without regard to case (docs/rules.md: Keys). */
  find(reference: string): Found {
    const name = nfc(reference);
    for (const step of this.exact) {
      const found = step.get(name);
      if (found !== undefined) return found;
    }
    this.folded ??= this.fold();
    const folded = fold(reference);
    for (const step of this.folded) {
      const found = step.get(folded);
      if (found !== undefined) return found;
    }
    return [];
  }

  /** All texts that references find something by. */
  *spellings(): Iterable<string> {
    for (const step of this.exact) yield* step.keys();
  }

  private fold(): Step[] {
    const folded: Step[] = [];
    this.exact.forEach((names, step) => {
      for (const [name, entities] of names) {
        for (const entity of entities) this.put(folded, step, [fold(name)], entity);
      }
    });
    // Two spellings of one path may fold to one. Done once: a name may be that of many, and many may ask for it.
    for (const names of folded) {
      for (const [name, found] of names) if (found.length > 1) names.set(name, [...new Set(found)]);
    }
    return folded;
  }

  private put(steps: Step[], step: number, names: readonly string[], entity: Named): void {
    while (steps.length <= step) steps.push(new Map());
    const at = steps[step] as Step;
    for (const name of names) {
      const standing = at.get(name);
      if (standing === undefined) at.set(name, [entity]);
      else if (standing.at(-1) !== entity) standing.push(entity);
    }
  }
}

/** Finds what references name. */
export interface NameSource {
  /** What a reference to an entity of that kind fits, in its application or `''` (docs/rules.md: References). */
  find(label: string, application: string, reference: string): Found;
  /** What references to such an entity may say, as far as that is known without asking the graph. */
  spellings(label: string, application: string): Iterable<string>;
}

/** Every entity that references may name, by kind and application. */
export class Names implements NameSource {
  private readonly scopes = new Map<string, Map<string, Scope>>();

  /** Enters an entity; `application` is its application's id, or `''` outside applications. */
  add(label: string, application: string, entity: Named): Named {
    const ofLabel = this.scopes.get(label) ?? new Map<string, Scope>();
    const scope = ofLabel.get(application) ?? new Scope();
    scope.add(entity);
    this.scopes.set(label, ofLabel.set(application, scope));
    return entity;
  }

  /** What a reference to an entity of that kind fits (docs/rules.md: References). */
  find(label: string, application: string, reference: string): Found {
    return this.scopes.get(label)?.get(application)?.find(reference) ?? [];
  }

  spellings(label: string, application: string): Iterable<string> {
    return this.scopes.get(label)?.get(application)?.spellings() ?? [];
  }
}
