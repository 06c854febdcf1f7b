import { checkCustomProperties } from '../check/custom-properties';
import type { Definitions } from '../check/definitions';
import type { Found, Named, NameSource } from '../check/names';
import type {
  ApplicationPermission,
  IdentityToPermissions,
  IdentityType,
  RoleAssignment as RoleAssignmentElement,
} from '../contract/application';
import { stepsOf } from '../contract/pointer';
import { ProblemCollector } from '../contract/problem-collector';
import type { Operation } from '../contract/shared';
import {
  Application,
  Grant,
  LocalRole,
  Permission,
  Resource,
  RoleAssignment,
} from '../model/application-nodes';
import { fold } from '../model/fold';
import { keyOf } from '../model/key';
import { Identity } from '../model/shared-nodes';
import type { NodeKind } from '../model/table';
import type { RowContext } from '../rows/context';
import { Draft } from '../rows/draft';
import { prefixed } from '../rows/field';
import type { Stated } from '../rows/row';
import {
  canonical,
  coversApplication,
  hold,
  holders,
  scopeOnApplication,
  scopeOnResource,
} from '../rows/statement';
import type { Entities } from './entities';
import type { Remarks } from './problems';
import type { Standing, StandingRow } from './standing';
import { textOf } from './working';

/** A grant or role assignment while an increment changes it. */
export class WorkingStatement {
  draft: Draft | null;
  /** The elements that took it away. */
  readonly wentAt: string[] = [];

  constructor(
    readonly kind: NodeKind,
    readonly key: string,
    readonly before: StandingRow | null,
  ) {
    this.draft = before === null ? null : Draft.of(before.row);
  }
}

type Element = ApplicationPermission | RoleAssignmentElement;

/** One of the two lists of an entry. */
interface ListKind {
  readonly list: 'application_permissions' | 'role_assignments';
  readonly kind: NodeKind;
  readonly of: NodeKind;
  readonly field: 'permission' | 'role';
  readonly word: string;
  readonly referenceOf: (element: Element) => string;
}

const LISTS: readonly ListKind[] = [
  {
    list: 'application_permissions',
    kind: Grant,
    of: Permission,
    field: 'permission',
    word: 'application permission',
    referenceOf: (element) => ('permission' in element ? element.permission : ''),
  },
  {
    list: 'role_assignments',
    kind: RoleAssignment,
    of: LocalRole,
    field: 'role',
    word: 'role assignment',
    referenceOf: (element) => ('role' in element ? element.role : ''),
  },
];

/** How warnings call the identity of an entry. */
const TYPE_IN_WORDS: Readonly<Record<IdentityType, string>> = {
  idp: 'identity',
  local_user: 'local user',
  local_group: 'local group',
  local_role: 'local role',
  local_access_creds: 'access credential',
  local_agent: 'agent',
};

const OF_ENTRIES: readonly Operation[] = ['add', 'modify', 'delete'];
const OF_ELEMENTS: readonly Operation[] = [...OF_ENTRIES, 'add_resource', 'delete_resource'];

interface Holder {
  readonly kind: NodeKind;
  readonly id: string;
  readonly key: string;
}

/** What an element names, once looked up; `null` where nothing is to be done with it. */
interface Bound {
  readonly key: string;
  readonly application: string;
  readonly holder: Holder;
  readonly what: Named;
  readonly properties: ReturnType<typeof prefixed>;
}

interface Place {
  readonly entry: IdentityToPermissions;
  readonly entryPointer: string;
  readonly pointer: string;
  readonly list: ListKind;
  readonly element: Element;
}

interface Restated {
  readonly bound: Bound;
  /** The element that states it, unless it has an operation of its own. */
  readonly place: Place | null;
  readonly scope: readonly (Named | null)[];
}

const isOn =
  (node: NodeKind) =>
  ({ kind }: Stated): boolean =>
    kind.type === 'ON' && kind.to === node;

/** Carries out the entries of `identity_to_permissions`, once all entities are as they end (graph.md 7). */
export class Statements {
  private readonly statements = new Map<string, WorkingStatement>();
  private readonly awaiting: {
    readonly key: string;
    readonly entry: IdentityToPermissions;
    readonly entryPointer: string;
    readonly statement: WorkingStatement;
  }[] = [];

  constructor(
    private readonly standing: Standing,
    private readonly entities: Entities,
    private readonly names: NameSource,
    private readonly definitions: Definitions,
    private readonly context: RowContext,
    private readonly remarks: Remarks,
  ) {}

  get touched(): Iterable<WorkingStatement> {
    return this.statements.values();
  }

  /** The statement of a key, as it is now. */
  at(kind: NodeKind, key: string): WorkingStatement {
    const known = this.statements.get(key);
    if (known !== undefined) return known;
    const statement = new WorkingStatement(kind, key, this.standing.row(key));
    this.statements.set(key, statement);
    return statement;
  }

  of({ row }: StandingRow): WorkingStatement {
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
        ...{ entry, entryPointer, list, element },
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
    const bound = this.bind(place);
    const scope = this.scopeOf(place);
    if (bound === null) return;
    const statement = this.at(place.list.kind, bound.key);
    if (statement.draft === null && operation !== 'add') {
      this.remarks.refuse(
        pointer,
        'UNKNOWN_ENTITY',
        () =>
          `there is no ${this.titleOf(place)} to ${operation === 'modify' ? 'modify' : 'add resources to'}`,
      );
      return;
    }
    const draft = statement.draft ?? this.draftOf(place.list, bound);
    statement.draft = draft;
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

  /** A whole list of an identity, as a full push would state it (graph.md 7: `modify` of an entry). */
  private restate(
    list: ListKind,
    places: readonly Place[],
    entry: IdentityToPermissions,
    entryPointer: string,
  ): void {
    const holdersOf = this.holdersOf(entry, entryPointer);
    if (holdersOf?.length === 0) {
      this.remarks.refuse(
        `${entryPointer}/identity`,
        'UNKNOWN_REFERENCE',
        () => `nothing is named ${JSON.stringify(entry.identity)} in any application`,
      );
    }
    const stated = places.flatMap((place): Restated[] => {
      const own = place.element.operation || null;
      if (own !== null) {
        const found = OF_ELEMENTS.includes(own) ? this.bindQuietly(place) : null;
        return found === null || found === 'ambiguous'
          ? []
          : [{ bound: found, place: null, scope: [] }];
      }
      const bound = this.bind(place);
      const scope = this.scopeOf(place);
      return bound === null ? [] : [{ bound, place, scope }];
    });
    const named = new Set(stated.map(({ bound }) => bound.key));
    for (const holder of holdersOf ?? []) {
      for (const statement of this.heldBy(holder, list.kind)) {
        if (!named.has(statement.key)) this.end(statement, entryPointer);
      }
    }
    const renewed = new Set<string>();
    for (const { bound, place, scope } of stated) {
      if (place === null) continue;
      const statement = this.at(list.kind, bound.key);
      if (!renewed.has(bound.key) || statement.draft === null) {
        statement.draft = this.draftOf(list, bound);
      }
      renewed.add(bound.key);
      if (coversApplication(place.element)) scopeOnApplication(statement.draft, bound.application);
      for (const resource of scope)
        if (resource !== null) scopeOnResource(statement.draft, resource);
      this.mention(place, statement);
    }
  }

  /** Takes a statement away, or resources out of its scope; what is not there is a warning. */
  private take(place: Place, operation: 'delete' | 'delete_resource'): void {
    const bound = this.bindQuietly(place, true);
    if (bound === 'ambiguous') return;
    const statement = bound === null ? null : this.at(place.list.kind, bound.key);
    if (statement === null || statement.draft === null) {
      this.remarks.warn(place.pointer, `Cannot find ${this.titleOf(place)} (${operation})`);
      return;
    }
    if (operation === 'delete') {
      this.end(statement, place.pointer);
      return;
    }
    const scope = new Set(statement.draft.stated.filter(isOn(Resource)).map(({ other }) => other));
    const missing: string[] = [];
    for (const [index, reference] of (place.element.resources ?? []).entries()) {
      const found = this.names.find(Resource.label, bound?.application ?? '', reference);
      if (found.length > 1) {
        this.context.resolve(
          Resource,
          bound?.application ?? '',
          reference,
          () => `${place.pointer}/resources/${index}`,
        );
        continue;
      }
      const [key] = found[0]?.keys ?? [];
      // Two references may mean one resource: it was in the scope for both.
      if (key !== undefined && scope.has(key)) {
        statement.draft.retract((stated) => isOn(Resource)(stated) && stated.other === key);
      } else if (!missing.includes(reference)) missing.push(reference);
    }
    this.mention(place, statement);
    if (missing.length === 0) return;
    this.remarks.warn(
      `${place.pointer}/resources`,
      `Cannot find resources ${JSON.stringify(missing)} (${this.titleOf(place)}: delete_resource)`,
    );
  }

  private asContext(place: Place): void {
    const bound = this.bindQuietly(place);
    if (bound === 'ambiguous') return;
    if (bound !== null && this.at(place.list.kind, bound.key).draft !== null) return;
    this.remarks.warn(place.pointer, `Cannot find ${this.titleOf(place)} (context)`);
  }

  /** All that an identity holds in this data source goes. */
  private deleteAll(entry: IdentityToPermissions, entryPointer: string): void {
    const held = this.holdersOf(entry, entryPointer);
    if (held === null) return;
    let isAny = false;
    for (const holder of held) {
      for (const { kind } of LISTS) {
        for (const statement of this.heldBy(holder, kind)) {
          isAny = true;
          this.end(statement, entryPointer);
        }
      }
    }
    if (isAny) return;
    const word = TYPE_IN_WORDS[entry.identity_type ?? 'idp'];
    this.remarks.warn(
      entryPointer,
      `Cannot find ${word} ${JSON.stringify(entry.identity)} (delete)`,
    );
  }

  /** It is no more, because of some entries. */
  end(statement: WorkingStatement, ...wentAt: readonly string[]): void {
    if (statement.draft !== null) statement.wentAt.push(...wentAt);
    statement.draft = null;
  }

  private heldBy({ kind: holder, key }: Holder, kind: NodeKind): readonly WorkingStatement[] {
    for (const row of this.standing.referring(holder.label, key)) {
      if (row.row.kind === kind) this.of(row);
    }
    return [...this.statements.values()].filter(
      (statement) =>
        statement.kind === kind &&
        statement.draft?.stated.some(
          ({ kind: { type }, other }) => type === 'HOLDS' && other === key,
        ),
    );
  }

  /** Whom an entry is about, in every application that has them; `null` when one of these cannot tell who is meant. */
  private holdersOf(entry: IdentityToPermissions, entryPointer: string): readonly Holder[] | null {
    const kind = holders[entry.identity_type ?? 'idp'];
    if (kind === Identity) {
      const id = fold(entry.identity);
      return [{ kind, id, key: keyOf(Identity.label, id) }];
    }
    const found: Holder[] = [];
    for (const application of this.entities.applicationsOf(kind, entry.identity)) {
      const named = this.names.find(kind.label, application, entry.identity);
      if (named.length > 1) {
        this.context.resolve(kind, application, entry.identity, () => `${entryPointer}/identity`);
        return null;
      }
      found.push(...named.map(({ id, keys: [key = ''] }) => ({ kind, id, key })));
    }
    return found;
  }

  /** Looks up all that an element names; what is unknown or ambiguous is a problem. */
  private bind(place: Place): Bound | null {
    const { list, element, pointer, entry } = place;
    const { within, what, holder } = this.lookUp(place, (kind, application, reference, at) =>
      this.context.resolve(kind, application, reference, () => at),
    );
    if (within === null) return null;
    const before = this.remarks.problems.count;
    this.checkProperties(within, element, pointer, this.remarks.problems);
    if (what === null || holder === null || this.remarks.problems.count > before) return null;
    return this.boundTo(within, entry, holder, what, list, element);
  }

  /** The same where nothing has to be there: what is ambiguous is a problem only if that is asked for. */
  private bindQuietly(place: Place, refusesAmbiguity = false): Bound | null | 'ambiguous' {
    const { list, element, pointer, entry } = place;
    let isAmbiguous = false;
    const { within, what, holder } = this.lookUp(place, (kind, application, reference, at) => {
      const found: Found = this.names.find(kind.label, application, reference);
      if (found.length > 1) {
        isAmbiguous = true;
        if (refusesAmbiguity) this.context.resolve(kind, application, reference, () => at);
      }
      return found[0] ?? null;
    });
    if (isAmbiguous) return 'ambiguous';
    if (within === null || what === null || holder === null) return null;
    // What is declared otherwise, or not at all, no statement has.
    const faults = new ProblemCollector();
    this.checkProperties(within, element, pointer, faults);
    return faults.isEmpty ? this.boundTo(within, entry, holder, what, list, element) : null;
  }

  /** An element's application, its permission or role, and who holds it; `one` finds what a reference at a pointer names. */
  private lookUp(
    { entry, entryPointer, pointer, list, element }: Place,
    one: (kind: NodeKind, application: string, reference: string, at: string) => Named | null,
  ): {
    readonly within: string | null;
    readonly what: Named | null;
    readonly holder: Named | 'federated' | null;
  } {
    const within = one(Application, '', element.application, `${pointer}/application`)?.id ?? null;
    const reference = list.referenceOf(element);
    const at = `${pointer}/${list.field}`;
    // A permission is outside applications.
    const what =
      list.of === Permission
        ? one(Permission, '', reference, at)
        : within === null
          ? null
          : one(list.of, within, reference, at);
    const kind = holders[entry.identity_type ?? 'idp'];
    if (kind === Identity) return { within, what, holder: 'federated' };
    const holder =
      within === null ? null : one(kind, within, entry.identity, `${entryPointer}/identity`);
    return { within, what, holder };
  }

  private boundTo(
    application: string,
    entry: IdentityToPermissions,
    found: Named | 'federated',
    what: Named,
    list: ListKind,
    element: Element,
  ): Bound {
    const kind = holders[entry.identity_type ?? 'idp'];
    const holder: Holder =
      found === 'federated'
        ? { kind, id: fold(entry.identity), key: this.context.identity(entry.identity) }
        : { kind, id: found.id, key: found.keys[0] ?? '' };
    const properties =
      list.kind === RoleAssignment && 'role' in element
        ? prefixed('customprop_', element.custom_properties, (name) =>
            this.definitions.typeOf(this.ownerIn(application), name),
          )
        : {};
    const key = keyOf(
      list.kind.label,
      application,
      entry.identity_type ?? 'idp',
      holder.id,
      what.id,
      ...(list.kind === RoleAssignment ? [canonical(properties)] : []),
    );
    return { key, application, holder, what, properties };
  }

  private draftOf(
    { kind, of }: ListKind,
    { key, holder, what, properties, application }: Bound,
  ): Draft {
    const draft = new Draft(kind, key);
    draft.text('name', what.name);
    draft.text('application', application);
    Object.assign(draft.properties, properties);
    hold(draft, holder, of, what);
    return draft;
  }

  private scopeOf({ element, pointer }: Place): readonly (Named | null)[] {
    const [application] = this.names.find(Application.label, '', element.application);
    if (application === undefined) return [];
    return (element.resources ?? []).map((resource, index) =>
      this.context.resolve(
        Resource,
        application.id,
        resource,
        () => `${pointer}/resources/${index}`,
      ),
    );
  }

  private checkProperties(
    application: string,
    element: Element,
    pointer: string,
    problems: ProblemCollector,
  ): void {
    if (!('role' in element)) return;
    const owner = this.ownerIn(application);
    checkCustomProperties(
      element.custom_properties,
      owner,
      this.definitions,
      stepsOf(pointer),
      problems,
    );
  }

  private ownerIn(application: string): { kind: 'role_assignment'; application_type: string } {
    const { draft } = this.entities.at(Application, keyOf(Application.label, application));
    const type = textOf(draft.properties, 'application_type');
    return { kind: 'role_assignment', application_type: type };
  }

  /** Notes what was stated of a federated identity: judged in the end, since the statement may be gone by then. */
  private mention({ entry, entryPointer }: Place, statement: WorkingStatement): void {
    if ((entry.identity_type ?? 'idp') !== 'idp') return;
    const key = this.context.identity(entry.identity);
    this.awaiting.push({ key, entry, entryPointer, statement });
  }

  /** Mentions the federated identities of which something that was stated stands in the end, once each (graph.md 8). */
  mentionIdentities(): void {
    const mentioned = new Set<string>();
    for (const { key, entry, entryPointer, statement } of this.awaiting) {
      if (statement.draft === null || mentioned.has(key)) continue;
      mentioned.add(key);
      this.context.mentions.push({
        pointer: `${entryPointer}/identity`,
        names: new Map([[key, entry.identity]]),
        missing: 'identity',
        subject: () => 'identity_to_permissions',
      });
    }
  }

  private titleOf({ entry, list, element }: Place): string {
    const word = TYPE_IN_WORDS[entry.identity_type ?? 'idp'];
    return `${list.word} ${JSON.stringify(list.referenceOf(element))} of application ${JSON.stringify(element.application)} for ${word} ${JSON.stringify(entry.identity)}`;
  }
}
