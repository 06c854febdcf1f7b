import type { Found, NameSource } from '../../check/names';
import { Scope } from '../../check/names';
import { fold, nfc } from '../../model/fold';
import { Permission } from '../../templates/application/permissions';
import { Resource } from '../../templates/application/resources';
import type { NodeKind } from '../../model/table';
import type { EntityKind } from '../../templates/kind';
import type { Permissions } from './permissions';
import type { Standing, StandingRow } from './current-rows';
import { stepsTo, Working } from './working';

function* chained(...lists: readonly Iterable<string>[]): Iterable<string> {
  for (const list of lists) yield* list;
}

/** The entities of a data source while an increment changes them: what is asked for is loaded, the rest stays where it is. */
export class Entities implements NameSource {
  private readonly entities = new Map<string, Working>();
  private readonly words: ReadonlyMap<NodeKind, string>;
  private readonly kinds: ReadonlyMap<string, NodeKind>;
  /** By label and folded text; names that an entity no longer has stay, so what is found is judged. */
  private readonly byText = new Map<string, Set<Working>>();

  /** Resources by what they stand in; those that have moved on stay, so what is found is judged. */
  private readonly children = new Map<string, Set<Working>>();
  /** Spellings of what the increment touches, by label and application: asked for once all entities are as they end. */
  private readonly spelt = new Map<string, readonly string[]>();
  /** What references find, by label, application and folded text, once all entities are as they end: many may say the same. */
  private scopes: Map<string, Scope> | null = null;

  constructor(
    private readonly standing: Standing,
    kinds: readonly Pick<EntityKind, 'node' | 'word'>[],
    private readonly permissions: Permissions | null,
  ) {
    this.words = new Map(kinds.map(({ node, word }) => [node, word]));
    this.kinds = new Map(kinds.map(({ node }) => [node.label, node]));
  }

  /** Whether rows of a kind are entities, not statements or permissions. */
  isEntity(kind: NodeKind): boolean {
    return this.words.has(kind);
  }

  /** Whether what seems not to stand does not. */
  get knowsAll(): boolean {
    return this.standing.knowsAll;
  }

  /** All that were touched. */
  get touched(): Iterable<Working> {
    return this.entities.values();
  }

  /** The entity of a key, alive or not; one that neither stands nor came is made, not alive. */
  at(kind: NodeKind, key: string, application: string | null = null): Working {
    const known = this.entities.get(key);
    if (known !== undefined) return known;
    return this.enter(kind, key, application, this.standing.row(key));
  }

  /** A standing row as the entity that it is now. */
  of({ row }: StandingRow): Working {
    return this.at(row.kind, row.key);
  }

  /** Which entities an entry means: by its text exactly, among ids, other ids, then names (docs/increments.md 3.1). */
  meant(kind: NodeKind, application: string, text: string): readonly Working[] {
    const exact = nfc(text);
    const candidates = this.candidates(kind, application, fold(text));
    for (let step = 0; step < 3; step += 1) {
      const found = candidates.filter(({ draft }) =>
        stepsTo(kind, draft.properties)[step]?.includes(exact),
      );
      if (found.length > 0) return found;
    }
    return [];
  }

  /** Every application in which references find a principal (docs/rules.md: Increments). */
  applicationsOf(kind: NodeKind, text: string): readonly string[] {
    const candidates = this.candidates(kind, null, fold(text));
    return [...new Set(candidates.map(({ application }) => application))];
  }

  find(label: string, application: string, reference: string): Found {
    const folded = fold(reference);
    const place = `${label}|${folded}|${application}`;
    const scope = this.scopes?.get(place) ?? this.scopeOf(label, application, folded);
    this.scopes?.set(place, scope);
    return scope.find(reference);
  }

  private scopeOf(label: string, application: string, folded: string): Scope {
    const scope = new Scope();
    if (label === Permission.label) {
      for (const named of this.permissions?.namedLike(folded) ?? []) scope.add(named);
      return scope;
    }
    const kind = this.kinds.get(label);
    if (kind === undefined) return scope;
    for (const entity of this.candidates(kind, application, folded)) {
      scope.add(entity.named(this.stepsOf(entity)));
    }
    return scope;
  }

  /** What such an entity may be called: by what the increment touches, and by what stands. */
  spellings(label: string, application: string): Iterable<string> {
    return chained(
      this.touchedSpellings(label, application),
      this.spellingsStanding(label, application),
    );
  }

  /** What standing entities may be called, for guesses alone. */
  spellingsStanding(label: string, application: string): readonly string[] {
    return this.standing.spellings(label, application === '' ? null : application);
  }

  private touchedSpellings(label: string, application: string): Iterable<string> {
    if (label === Permission.label) return this.permissions?.names() ?? [];
    const place = `${label} ${application}`;
    const known = this.spelt.get(place);
    if (known !== undefined) return known;
    const spelt = [...this.entities.values()]
      .filter((one) => one.kind.label === label && one.isAlive && one.application === application)
      .flatMap((one) => this.stepsOf(one).flat());
    this.spelt.set(place, spelt);
    return spelt;
  }

  /** The names, and the ids where there are any, from below the application down to a resource. */
  paths(resource: Working): { readonly names: string; readonly ids: string } {
    const names: string[] = [];
    const ids: string[] = [];
    for (const step of this.upwards(resource)) {
      names.unshift(step.name);
      ids.unshift(step.id || step.name);
    }
    return { names: names.join('.'), ids: ids.join('.') };
  }

  /** A resource and all that it stands in, from itself up, without the application. */
  upwards(resource: Working): readonly Working[] {
    const steps: Working[] = [];
    for (
      let at: Working | null = resource;
      at !== null && !steps.includes(at);
      at = this.parentOf(at)
    ) {
      steps.push(at);
    }
    return steps;
  }

  /** All resources that now stand below one. */
  below(resource: Working): readonly Working[] {
    const below = new Set<Working>();
    const loaded = new Set<string>();
    const open = [resource];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      // What stood below it is loaded at once, whatever the depth, and notes where it stands.
      if (at.before !== null && !loaded.has(at.key)) {
        for (const row of this.standing.below(at.key)) loaded.add(this.of(row).key);
      }
      for (const child of this.children.get(at.key) ?? []) {
        if (child.parent !== at.key || child === resource || below.has(child)) continue;
        below.add(child);
        open.push(child);
      }
    }
    return [...below].filter(({ isAlive }) => isAlive);
  }

  /** From here on no resource moves, and nothing comes, goes or changes its name. */
  settle(): void {
    this.scopes = new Map();
    for (const entity of this.entities.values()) if (entity.kind === Resource) this.index(entity);
  }

  /** Notes the ids and names that an entity has now, and where it stands. */
  index(entity: Working): void {
    this.indexPlace(entity);
    for (const text of new Set(this.stepsOf(entity).flat())) {
      if (text === '') continue;
      const place = `${entity.kind.label} ${fold(text)}`;
      const group = this.byText.get(place) ?? new Set();
      this.byText.set(place, group.add(entity));
    }
  }

  private indexPlace(entity: Working): void {
    const { kind, parent } = entity;
    if (kind !== Resource || parent === null) return;
    const children = this.children.get(parent) ?? new Set();
    this.children.set(parent, children.add(entity));
  }

  private parentOf(resource: Working): Working | null {
    const { parent } = resource;
    return parent === null || !parent.startsWith(`${Resource.label}|`)
      ? null
      : this.at(Resource, parent, resource.application);
  }

  private stepsOf(entity: Working): readonly (readonly string[])[] {
    return entity.kind === Resource
      ? this.resourceSteps(entity)
      : stepsTo(entity.kind, entity.draft.properties);
  }

  private resourceSteps(resource: Working): readonly (readonly string[])[] {
    const { names, ids } = this.paths(resource);
    return [
      resource.id === '' ? [] : [resource.id],
      names === ids ? [names] : [names, ids],
      [resource.name],
    ];
  }

  private candidates(kind: NodeKind, application: string | null, folded: string): Working[] {
    // What is in no application is asked for with `''`.
    const within = application === '' ? null : application;
    const standing = this.standing.named(kind.label, folded, within).map((row) => this.of(row));
    const touched = this.byText.get(`${kind.label} ${folded}`) ?? [];
    return [...new Set([...standing, ...touched])].filter(
      (entity) =>
        entity.kind === kind &&
        entity.isAlive &&
        (application === null || entity.application === application),
    );
  }

  private enter(
    kind: NodeKind,
    key: string,
    application: string | null,
    before: StandingRow | null,
  ): Working {
    const entity = new Working(kind, this.words.get(kind) ?? '', key, application, before);
    this.entities.set(key, entity);
    if (kind === Resource) this.indexPlace(entity);
    else if (before !== null) this.index(entity);
    return entity;
  }
}
