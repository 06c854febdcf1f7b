import type { Found, NameSource } from '../../check/names';
import { Scope } from '../../check/names';
import { fold, nfc } from '../../model/fold';
import { Permission } from '../../templates/application/permissions';
import { Resource } from '../../templates/application/resources';
import type { NodeKind } from '../../model/table';
import type { EntityKind } from '../../templates/kind';
import type { Permissions } from './permissions';
import type { CurrentRows, CurrentRow } from './current-rows';
import { stepsTo, Working } from './working';

function* chained(...lists: readonly Iterable<string>[]): Iterable<string> {
  for (const list of lists) yield* list;
}

/**
 * The entities of a data source while an increment changes them. It loads only those that a caller
 * needs.
 */
export class Entities implements NameSource {
  private readonly entities = new Map<string, Working>();
  private readonly words: ReadonlyMap<NodeKind, string>;
  private readonly kinds: ReadonlyMap<string, NodeKind>;
  /**
   * Entities by label and folded text. Outdated names remain in it, so each look-up checks what it
   * finds.
   */
  private readonly byText = new Map<string, Set<Working>>();

  /**
   * Resources by their parent. Outdated parents remain in it, so each look-up checks what it finds.
   */
  private readonly children = new Map<string, Set<Working>>();
  /**
   * The spellings of touched entities, by label and application. They are computed when all
   * entities are final.
   */
  private readonly spelt = new Map<string, readonly string[]>();
  /**
   * A cache of look-ups by label, application and folded text, used when all entities are final.
   * Many references may use the same text.
   */
  private scopes: Map<string, Scope> | null = null;

  constructor(
    private readonly current: CurrentRows,
    kinds: readonly Pick<EntityKind, 'node' | 'word'>[],
    private readonly permissions: Permissions | null,
  ) {
    this.words = new Map(kinds.map(({ node, word }) => [node, word]));
    this.kinds = new Map(kinds.map(({ node }) => [node.label, node]));
  }

  /** Whether rows of this kind are entities. Statements and permissions are not. */
  isEntity(kind: NodeKind): boolean {
    return this.words.has(kind);
  }

  /**
   * Whether everything that callers needed is known. Until then, something that seems missing may
   * exist.
   */
  get knowsAll(): boolean {
    return this.current.knowsAll;
  }

  /** All entities that the increment has looked at. */
  get touched(): Iterable<Working> {
    return this.entities.values();
  }

  /** The entity with this key, alive or not. If none exists, it is made and not alive. */
  at(kind: NodeKind, key: string, application: string | null = null): Working {
    const known = this.entities.get(key);
    if (known !== undefined) return known;
    return this.enter(kind, key, application, this.current.row(key));
  }

  /** The working entity of a current row. */
  of({ row }: CurrentRow): Working {
    return this.at(row.kind, row.key);
  }

  /**
   * The entities that an entry may mean. It compares exactly: first with ids, then with other ids,
   * then with names (docs/increments.md 3.1).
   */
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

  /** Every application in which a reference finds a principal (docs/rules.md: Increments). */
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

  /** The texts by which references can find such entities, touched or not. */
  spellings(label: string, application: string): Iterable<string> {
    return chained(
      this.touchedSpellings(label, application),
      this.currentSpellings(label, application),
    );
  }

  /** The texts by which references can find current entities, for guesses only. */
  currentSpellings(label: string, application: string): readonly string[] {
    return this.current.spellings(label, application === '' ? null : application);
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

  /** The two spellings of a resource's path: with names, and with ids where there are any. */
  paths(resource: Working): { readonly names: string; readonly ids: string } {
    const names: string[] = [];
    const ids: string[] = [];
    for (const step of this.upwards(resource)) {
      names.unshift(step.name);
      ids.unshift(step.id || step.name);
    }
    return { names: names.join('.'), ids: ids.join('.') };
  }

  /** The resource itself and all resources that contain it, from the inside out. */
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

  /** All resources that are below this one at present. */
  below(resource: Working): readonly Working[] {
    const below = new Set<Working>();
    const loaded = new Set<string>();
    const open = [resource];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      // Loads everything that was below it at once, whatever the depth.
      if (at.before !== null && !loaded.has(at.key)) {
        for (const row of this.current.below(at.key)) loaded.add(this.of(row).key);
      }
      for (const child of this.children.get(at.key) ?? []) {
        if (child.parent !== at.key || child === resource || below.has(child)) continue;
        below.add(child);
        open.push(child);
      }
    }
    return [...below].filter(({ isAlive }) => isAlive);
  }

  /** Marks the entities as final. After this no entity is added, deleted, renamed or moved. */
  settle(): void {
    this.scopes = new Map();
    for (const entity of this.entities.values()) if (entity.kind === Resource) this.index(entity);
  }

  /** Notes the present ids, names and place of an entity. */
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
    // Callers use `''` as the application of kinds outside applications.
    const within = application === '' ? null : application;
    const current = this.current.named(kind.label, folded, within).map((row) => this.of(row));
    const touched = this.byText.get(`${kind.label} ${folded}`) ?? [];
    return [...new Set([...current, ...touched])].filter(
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
    before: CurrentRow | null,
  ): Working {
    const entity = new Working(kind, this.words.get(kind) ?? '', key, application, before);
    this.entities.set(key, entity);
    if (kind === Resource) this.indexPlace(entity);
    else if (before !== null) this.index(entity);
    return entity;
  }
}
