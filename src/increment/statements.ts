import type { Named, NameSource } from '../check/names';
import { holderOf, type IdentityToPermissions } from '../templates/application/statements';
import type { Operation } from '../codec/shared';
import { Application } from '../templates/application/applications';
import { Resource } from '../templates/application/resources';
import { keyOf } from '../model/key';
import type { NodeKind } from '../model/table';
import type { RowContext } from '../rows/row/context';
import type { Draft } from '../rows/row/draft';
import { type Stated, stated as statedAs } from '../rows/row/row';
import { relationshipKind } from '../templates/graph/relationships';
import { coversApplication, hold, scopeOnApplication, scopeOnResource } from '../rows/statement';
import { ignoredScope } from './working/ignored-fields';
import { CONTEXT, type Remarks } from './working/problems';
import type { CurrentRows, CurrentRow } from './working/current-rows';
import type { Bound, Holder, StatementBinder } from './statement-binder';
import { type ListKind, LISTS, type Place, subjectOf, titleOf } from './statement-places';
import { WorkingStatement } from './working/working-statement';

const OF_ENTRIES: readonly Operation[] = ['add', 'modify', 'delete'];
const OF_ELEMENTS: readonly Operation[] = [...OF_ENTRIES, 'add_resource', 'delete_resource'];

interface Restated {
  readonly bound: Bound;
  /** The element that states the statement. `null` if the element has an operation of its own. */
  readonly place: Place | null;
  readonly scope: readonly (Named | null)[];
}

const isOn =
  (node: NodeKind) =>
  ({ kind }: Stated): boolean =>
    kind.type === 'ON' && kind.to === node;

/** The relationship by which a statement has its application in its scope. */
const onApplication = ({ kind }: WorkingStatement, application: string): Stated =>
  statedAs(relationshipKind(kind, 'ON', Application), keyOf(Application.label, application));

/** The relationships by which a statement has a resource in its scope. */
const onResource =
  ({ kind }: WorkingStatement) =>
  ({ keys }: Named): readonly Stated[] =>
    keys.map((key) => statedAs(relationshipKind(kind, 'ON', Resource), key));

/**
 * Carries out the entries of `identity_to_permissions`, when all entities are final (docs/rules.md:
 * Increments).
 */
export class Statements {
  private readonly statements = new Map<string, WorkingStatement>();
  /** The same statements by the key of their holder, which never changes. */
  private readonly byHolder = new Map<string, Set<WorkingStatement>>();
  private readonly awaiting: {
    readonly entry: IdentityToPermissions;
    readonly entryPointer: string;
    readonly statement: WorkingStatement;
  }[] = [];

  constructor(
    private readonly current: CurrentRows,
    private readonly binder: StatementBinder,
    private readonly names: NameSource,
    private readonly context: RowContext,
    private readonly remarks: Remarks,
  ) {}

  get touched(): Iterable<WorkingStatement> {
    return this.statements.values();
  }

  /** The statement with this key, in its present state. */
  at(kind: NodeKind, key: string): WorkingStatement {
    const known = this.statements.get(key);
    if (known !== undefined) return known;
    const statement = new WorkingStatement(this.current, kind, key);
    this.statements.set(key, statement);
    const holder = statement.draft?.stated.find(({ kind: { type } }) => type === 'HOLDS');
    if (holder !== undefined) this.enterHolder(holder.other, statement);
    return statement;
  }

  of({ row }: CurrentRow): WorkingStatement {
    return this.at(row.kind, row.key);
  }

  /** Carries out one entry. */
  enter(entry: IdentityToPermissions, entryPointer: string): void {
    const operation = entry.operation || null;
    if (operation !== null && !OF_ENTRIES.includes(operation)) {
      this.remarks.refuseOperation(
        entryPointer,
        'an entry of identity_to_permissions',
        operation,
        OF_ENTRIES,
      );
      return;
    }
    const lists = LISTS.map((list) => ({ list, elements: entry[list.list] }));
    if (operation === 'delete' && lists.every(({ elements }) => !elements?.length)) {
      this.deleteAll(entry, entryPointer);
      return;
    }
    for (const { list, elements } of lists) {
      const places = (elements ?? []).map((element, index): Place => ({
        entry,
        entryPointer,
        list,
        element,
        pointer: `${entryPointer}/${list.list}/${index}`,
      }));
      if (operation === 'modify' && elements !== undefined)
        this.restate(list, places, entry, entryPointer);
      for (const place of places) {
        const own = place.element.operation || null;
        if (operation === 'modify' && own === null) continue;
        this.carryOut(place, own ?? operation);
      }
    }
  }

  private carryOut(place: Place, operation: Operation | null): void {
    const { element, pointer } = place;
    if (operation !== null && !OF_ELEMENTS.includes(operation)) {
      this.remarks.refuseOperation(pointer, `an ${place.list.word}`, operation, OF_ELEMENTS);
      return;
    }
    if (operation === null) {
      this.asContext(place);
      return;
    }
    if (operation === 'delete' || operation === 'delete_resource') {
      this.take(place, operation);
      return;
    }
    const bound = this.binder.bind(place);
    const scope = this.binder.scopeOf(place);
    if (bound === null) return;
    const statement = this.at(place.list.kind, bound.key);
    // Only `add` states the statement again if it does not exist. It then reads nothing.
    if (operation === 'modify' && element.resources !== undefined) statement.readLongLists();
    else if (statement.before !== null || operation !== 'add') {
      const isOnApplication =
        operation === 'modify'
          ? element.apply_to_application !== undefined
          : operation === 'add' && coversApplication(element);
      statement.look([
        ...(isOnApplication ? [onApplication(statement, bound.application)] : []),
        ...scope.flatMap((resource) => resource ?? []).flatMap(onResource(statement)),
      ]);
    }
    if (statement.draft === null && operation !== 'add') {
      this.remarks.refuse(
        pointer,
        'UNKNOWN_ENTITY',
        () =>
          `there is no ${titleOf(place)} to ${operation === 'modify' ? 'modify' : 'add resources to'}`,
      );
      return;
    }
    const draft = statement.draft ?? this.begin(statement, place.list, bound);
    if (operation === 'add' && coversApplication(element))
      scopeOnApplication(draft, bound.application);
    if (operation === 'modify') {
      if (element.apply_to_application !== undefined) {
        draft.retract(isOn(Application));
        if (element.apply_to_application === true) scopeOnApplication(draft, bound.application);
      }
      if (element.resources !== undefined) draft.retract(isOn(Resource));
    }
    for (const resource of scope) if (resource !== null) scopeOnResource(draft, resource);
    this.mention(place, statement);
  }

  /** Replaces one list of an identity, as a full push would (docs/rules.md: Increments). */
  private restate(
    list: ListKind,
    places: readonly Place[],
    entry: IdentityToPermissions,
    entryPointer: string,
  ): void {
    const holdersOf = this.binder.holdersOf(entry, entryPointer);
    if (holdersOf?.length === 0) {
      this.remarks.refuse(
        `${entryPointer}/identity`,
        'UNKNOWN_REFERENCE',
        (hints) =>
          `nothing is named ${JSON.stringify(entry.identity)} in any application${hints.didYouMean(entry.identity, this.binder.holderSpellings(entry))}`,
      );
    }
    const stated = places.flatMap((place): Restated[] => {
      const own = place.element.operation || null;
      if (own !== null) {
        const found = OF_ELEMENTS.includes(own) ? this.binder.bindQuietly(place) : null;
        return found === null || found === 'ambiguous'
          ? []
          : [{ bound: found, place: null, scope: [] }];
      }
      const bound = this.binder.bind(place);
      const scope = this.binder.scopeOf(place);
      return bound === null ? [] : [{ bound, place, scope }];
    });
    const named = new Set(stated.map(({ bound }) => bound.key));
    for (const holder of holdersOf ?? []) {
      for (const statement of this.heldBy(holder, list.kind)) {
        if (!named.has(statement.key)) statement.end(entryPointer);
      }
    }
    const renewed = new Set<string>();
    for (const { bound, place, scope } of stated) {
      if (place === null) continue;
      const statement = this.at(list.kind, bound.key);
      const draft =
        renewed.has(bound.key) && statement.draft !== null
          ? statement.draft
          : this.begin(statement, list, bound);
      renewed.add(bound.key);
      if (coversApplication(place.element)) scopeOnApplication(draft, bound.application);
      for (const resource of scope) if (resource !== null) scopeOnResource(draft, resource);
      this.mention(place, statement);
    }
  }

  /** Deletes a statement, or removes resources from its scope. Warns about what does not exist. */
  private take(place: Place, operation: 'delete' | 'delete_resource'): void {
    const bound = this.binder.bindQuietly(place, true);
    if (bound === 'ambiguous') return;
    const statement = bound === null ? null : this.at(place.list.kind, bound.key);
    const references = (operation === 'delete_resource' ? place.element.resources : null) ?? [];
    if (bound !== null && statement?.mayExist === true) {
      const found = references.flatMap((reference) =>
        this.names.find(Resource.label, bound.application, reference).slice(0, 1),
      );
      statement.look(found.flatMap(onResource(statement)));
    }
    if (bound === null || statement === null || statement.draft === null) {
      this.remarks.warnOfUnknown(place.pointer, subjectOf(place), operation, titleOf(place));
      return;
    }
    if (operation === 'delete') {
      statement.end(place.pointer);
      return;
    }
    const scope = new Set(statement.draft.stated.filter(isOn(Resource)).map(({ other }) => other));
    const missing: string[] = [];
    for (const [index, reference] of references.entries()) {
      const found = this.names.find(Resource.label, bound.application, reference);
      if (found.length > 1) {
        this.context.resolve(
          Resource,
          bound.application,
          reference,
          () => `${place.pointer}/resources/${index}`,
        );
        continue;
      }
      const [key] = found[0]?.keys ?? [];
      // Two references may mean one resource. The second one is no reason for a warning, since the
      // scope had the resource.
      if (key !== undefined && scope.has(key)) {
        statement.draft.retract((stated) => isOn(Resource)(stated) && stated.other === key);
      } else if (!missing.includes(reference)) missing.push(reference);
    }
    this.mention(place, statement);
    if (missing.length === 0) return;
    this.remarks.warn(
      `${place.pointer}/resources`,
      'NOTHING_TO_REMOVE',
      subjectOf(place),
      `Cannot find resources ${JSON.stringify(missing)} (${titleOf(place)}: delete_resource)`,
    );
  }

  private asContext(place: Place): void {
    const { pointer, element } = place;
    const bound = this.binder.bindQuietly(place);
    const isUnknown =
      bound === null ||
      (bound !== 'ambiguous' && this.at(place.list.kind, bound.key).draft === null);
    const [subject, title] = [subjectOf(place), titleOf(place)];
    if (isUnknown) this.remarks.warnOfUnknown(pointer, subject, CONTEXT, title);
    this.remarks.warnOfIgnored(pointer, subject, ignoredScope(element), title);
  }

  /** Deletes everything that an identity holds in this data source. */
  private deleteAll(entry: IdentityToPermissions, entryPointer: string): void {
    const held = this.binder.holdersOf(entry, entryPointer);
    if (held === null) return;
    let isAny = false;
    for (const holder of held) {
      for (const { kind } of LISTS) {
        for (const statement of this.heldBy(holder, kind)) {
          isAny = true;
          statement.end(entryPointer);
        }
      }
    }
    if (isAny) return;
    const kind = holderOf(entry).word;
    this.remarks.warnOfUnknown(entryPointer, { kind, name: entry.identity }, 'delete');
  }

  private heldBy({ kind: holder, key }: Holder, kind: NodeKind): readonly WorkingStatement[] {
    for (const row of this.current.referring(holder.label, key)) {
      if (row.row.kind === kind) this.of(row);
    }
    return [...(this.byHolder.get(key) ?? [])].filter(
      (statement) => statement.kind === kind && statement.draft !== null,
    );
  }

  private enterHolder(key: string, statement: WorkingStatement): void {
    const held = this.byHolder.get(key) ?? new Set();
    this.byHolder.set(key, held.add(statement));
  }

  /** Starts the statement again, with an empty scope. */
  private begin(
    statement: WorkingStatement,
    { of }: ListKind,
    { holder, what, properties, application }: Bound,
  ): Draft {
    const draft = statement.begin();
    draft.text('name', what.name);
    draft.text('application', application);
    Object.assign(draft.properties, properties);
    hold(draft, holder, of, what);
    this.enterHolder(holder.key, statement);
    return draft;
  }

  /**
   * Notes an element of a federated identity. Whether to warn is decided at the end, because a
   * later entry may delete the statement.
   */
  private mention({ entry, entryPointer }: Place, statement: WorkingStatement): void {
    if ((entry.identity_type ?? 'idp') !== 'idp') return;
    this.context.identity(entry.identity);
    this.awaiting.push({ entry, entryPointer, statement });
  }

  /**
   * Mentions each federated identity that still holds one of the noted statements (docs/rules.md:
   * Warnings).
   */
  mentionIdentities(): void {
    for (const { entry, entryPointer, statement } of this.awaiting) {
      if (statement.draft !== null) this.context.mentionHolder(entry.identity, entryPointer);
    }
  }
}
