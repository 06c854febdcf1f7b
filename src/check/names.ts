import { fold, nfc } from '../model/fold';

/** An entity that references can name. */
export interface Named {
  /** Its id (docs/rules.md: Keys). For a resource without an id, its local key. */
  readonly id: string;
  readonly name: string;
  /** Its place in the payload. */
  readonly pointer: string;
  /**
   * The texts by which each step of a look-up finds it. The steps of a resource are its id, the
   * spellings of its path and its name. The steps of others are the id, the other id and the name.
   */
  readonly steps: readonly (readonly string[])[];
  /** The keys of its nodes. A typed permission has several nodes. */
  readonly keys: readonly string[];
  /** What messages call it. */
  readonly title: () => string;
}

/** The entities that a look-up found: none, one, or several that fit equally well. */
export type Found = readonly Named[];

type Step = Map<string, Named[]>;

/**
 * The entities of one kind in one application or identity provider, for look-ups of references
 * (docs/rules.md: References).
 */
export class Scope {
  private readonly exact: Step[] = [];
  private folded: Step[] | null = null;

  add(entity: Named): void {
    this.folded = null;
    entity.steps.forEach((names, step) => this.put(this.exact, step, names, entity));
  }

  /**
   * Looks a reference up. The first step that fits anything decides. All exact steps come before
   * all folded ones (docs/rules.md: References).
   */
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

  /** All texts by which references can find something here. */
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
    // Two spellings of one path may fold to the same text, so an entity may be listed twice. This
    // removes the repeats once, because many entities may share a name and many references may use
    // it.
    for (const names of folded) {
      for (const [name, found] of names) if (found.length > 1) names.set(name, [...new Set(found)]);
    }
    return folded;
  }

  private put(steps: Step[], step: number, names: readonly string[], entity: Named): void {
    while (steps.length <= step) steps.push(new Map());
    const at = steps[step] as Step;
    for (const name of names) {
      const existing = at.get(name);
      if (existing === undefined) at.set(name, [entity]);
      else if (existing.at(-1) !== entity) existing.push(entity);
    }
  }
}

/** Looks up what references name. */
export interface NameSource {
  /**
   * Finds the entities of this kind that a reference fits. `application` is the id of their
   * application, or `''` (docs/rules.md: References).
   */
  find(label: string, application: string, reference: string): Found;
  /**
   * The texts that references to such entities could use, as far as they are known without a query
   * to Neo4j.
   */
  spellings(label: string, application: string): Iterable<string>;
}

/** Every entity that references can name, by kind and application. */
export class Names implements NameSource {
  private readonly scopes = new Map<string, Map<string, Scope>>();

  /** Adds an entity. `application` is the id of its application, or `''` outside applications. */
  add(label: string, application: string, entity: Named): Named {
    const ofLabel = this.scopes.get(label) ?? new Map<string, Scope>();
    const scope = ofLabel.get(application) ?? new Scope();
    scope.add(entity);
    this.scopes.set(label, ofLabel.set(application, scope));
    return entity;
  }

  /** Finds the entities of this kind that a reference fits (docs/rules.md: References). */
  find(label: string, application: string, reference: string): Found {
    return this.scopes.get(label)?.get(application)?.find(reference) ?? [];
  }

  spellings(label: string, application: string): Iterable<string> {
    return this.scopes.get(label)?.get(application)?.spellings() ?? [];
  }
}
