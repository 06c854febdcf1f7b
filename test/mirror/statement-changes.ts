import type { KnownInApplication, KnownParts } from './application-parts';
import type { Content } from './content';
import type { Statement } from './entity';
import { isForElement, isForWholeEntry } from './operations';
import type { ApplicationPayload, IdentityToPermissions } from './payload';
import { below, type Problem } from './pointer';
import { lookUp } from './reference';
import {
  boundResources,
  elementLists,
  elementsOf,
  fullStatement,
  holderOf,
  identityType,
  mentionsOfIdentities,
  nameOf,
  united,
  type Placed,
  type StatementContext,
  type StatementName,
} from './statements';
import { distinct, listed } from './text';
import { ignored, missing, type Mention } from './warnings';

/** How warnings call an entry's identity, by its type (docs/rules.md: Warnings). */
const identityWords = new Map([
  ['idp', 'identity'],
  ['local_user', 'local user'],
  ['local_group', 'local group'],
  ['local_role', 'local role'],
  ['local_access_creds', 'access credential'],
  ['local_agent', 'agent'],
]);

/** Applies `identity_to_permissions` of an increment, once all entities are as it leaves them (docs/rules.md: Increments). */
export class StatementChanges {
  readonly missing: Mention[] = [];
  /** Entries and elements that removed a statement of a federated identity. */
  readonly people: string[] = [];
  /** The statements that each entry gave something to, or took resources from. */
  private readonly given = new Map<string, string[]>();
  private readonly problems: Problem[];

  constructor(
    private readonly content: Content,
    private readonly known: KnownParts,
    private readonly context: StatementContext,
  ) {
    this.problems = context.checks.problems;
  }

  apply(payload: ApplicationPayload): void {
    listed(payload.identity_to_permissions).forEach((entry, at) =>
      this.applyEntry(entry, below('/identity_to_permissions', at)),
    );
  }

  /** The federated identities that got something, or lost resources, and whose statement still stands (docs/rules.md: Problems). */
  mentions(payload: ApplicationPayload): readonly Mention[] {
    const entries = listed(payload.identity_to_permissions).map((entry, at) => {
      const pointer = below('/identity_to_permissions', at);
      const keys = this.given.get(pointer) ?? [];
      return { entry, pointer, states: keys.some((key) => this.content.statements.has(key)) };
    });
    return mentionsOfIdentities(entries);
  }

  private applyEntry(entry: IdentityToPermissions, pointer: string): void {
    const operation = entry.operation ?? null;
    if (operation !== null && !isForWholeEntry(operation)) {
      this.refuse(below(pointer, 'operation'), 'OPERATION_NOT_ALLOWED');
      return;
    }
    const elements = elementsOf(entry, pointer);
    if (operation === 'modify') this.makeWhole(entry, pointer, elements);
    else if (operation === 'delete' && elements.length === 0) this.removeAll(entry, pointer);
    for (const placed of elements) {
      const own = placed.element.operation ?? null;
      if (own !== null) this.applyElement(placed, own);
      else if (operation !== 'modify') this.applyElement(placed, operation);
    }
  }

  private applyElement(placed: Placed, operation: string | null): void {
    if (operation === null) {
      if (this.lookUp(placed) === undefined) this.miss(placed, 'context');
      const isInVain = (field: string): boolean =>
        field === 'resources' || field === 'apply_to_application';
      const { element, pointer } = placed;
      this.missing.push(...ignored(element, isInVain, statementOf(placed), pointer));
    } else if (!isForElement(operation)) {
      this.refuse(below(placed.pointer, 'operation'), 'OPERATION_NOT_ALLOWED');
    } else if (operation === 'delete') this.remove(placed);
    else if (operation === 'delete_resource') this.takeResources(placed);
    else this.give(placed, operation);
  }

  /** `add`, `modify` and `add_resource`: everything that the element names must be known. */
  private give(placed: Placed, operation: string): void {
    const { element, pointer } = placed;
    const { of, name } = nameOf(placed, this.known, this.context);
    const resources = of === null ? [] : boundResources(placed, of, this.known, this.problems);
    if (name === null) return;
    const before = this.content.statements.get(name.key);
    if (operation === 'add') {
      const added = fullStatement(name, element, resources);
      this.put(placed, before === undefined ? [added] : [before, added]);
    } else if (before === undefined) this.refuse(pointer, 'UNKNOWN_ENTITY');
    else if (operation === 'add_resource') {
      this.put(placed, [{ ...before, resources: [...before.resources, ...resources] }]);
    } else {
      const onApplication = Object.hasOwn(element, 'apply_to_application')
        ? element.apply_to_application === true
        : before.onApplication;
      const half = Object.hasOwn(element, 'resources') ? resources : before.resources;
      this.put(placed, [{ ...before, onApplication, resources: half }]);
    }
  }

  /** `delete` of an element. */
  private remove(placed: Placed): void {
    const found = this.lookUp(placed);
    if (found === null) this.addAmbiguities(placed);
    else if (found === undefined) this.miss(placed, 'delete');
    else this.drop(found, placed.pointer);
  }

  /** `delete_resource`: only the listed resources leave the scope; what is not in it is missing. */
  private takeResources(placed: Placed): void {
    const found = this.lookUp(placed);
    if (found === null) {
      this.addAmbiguities(placed);
      return;
    }
    if (found === undefined) {
      this.miss(placed, 'delete_resource');
      return;
    }
    const inside = this.known.resources.filter((one) => one.application === found.application);
    let { resources } = found;
    const absent = listed(placed.element.resources).filter((reference, at) => {
      const [fit, second] = lookUp(reference, inside);
      if (second !== undefined) {
        this.refuse(below(placed.pointer, 'resources', at), 'AMBIGUOUS_REFERENCE');
        return false;
      }
      return fit === undefined || !found.resources.includes(fit.key)
        ? true
        : ((resources = resources.filter((key) => key !== fit.key)), false);
    });
    this.put(placed, [{ ...found, resources }]);
    if (absent.length > 0) this.missResources(placed, absent);
  }

  /** `modify` of a whole entry: each list that it has is the identity's whole list, as a full push would make it. */
  private makeWhole(
    entry: IdentityToPermissions,
    pointer: string,
    elements: readonly Placed[],
  ): void {
    const lists = elementLists.filter((list) => Object.hasOwn(entry, list));
    if (lists.length === 0) return;
    const at = below(pointer, 'identity');
    const holders = this.holders(entry, at);
    if (holders !== null && holders.length === 0) this.refuse(at, 'UNKNOWN_REFERENCE');
    const isStated = ({ element }: Placed): boolean => (element.operation ?? null) === null;
    const stated = elements.filter(isStated).flatMap((placed) => {
      const { of, name } = nameOf(placed, this.known, this.context);
      const resources = of === null ? [] : boundResources(placed, of, this.known, this.problems);
      return name === null ? [] : [fullStatement(name, placed.element, resources)];
    });
    const others = elements.filter((placed) => !isStated(placed));
    const named = [
      ...stated.map(({ key }) => key),
      ...others.map((placed) => this.leniently(placed).name?.key),
    ];
    const kinds = lists.map((list) => (list === 'role_assignments' ? 'RoleAssignment' : 'Grant'));
    for (const one of [...this.content.statements.values()]) {
      const isTheirs = (holders ?? []).includes(one.holder.key) && kinds.includes(one.kind);
      if (isTheirs && !named.includes(one.key)) this.drop(one, pointer);
    }
    for (const one of united(stated)) {
      this.content.statements.set(one.key, one);
      this.noteGiven(pointer, one.key);
    }
  }

  /** `delete` of a whole entry without elements: all that the identity holds. */
  private removeAll(entry: IdentityToPermissions, pointer: string): void {
    const holders = this.holders(entry, below(pointer, 'identity'));
    if (holders === null) return;
    const held = [...this.content.statements.values()].filter((one) =>
      holders.includes(one.holder.key),
    );
    for (const one of held) this.drop(one, pointer);
    if (held.length > 0) return;
    const where = `${identityOf(entry)} (delete)`;
    this.missing.push(missing(where, pointer));
  }

  /** The keys of an entry's identity, a local one in every application that has it; null when it is ambiguous. */
  private holders(entry: IdentityToPermissions, pointer: string): readonly string[] | null {
    const problems: Problem[] = [];
    const somewhere: KnownInApplication = {
      kind: 'Application',
      key: '',
      id: '',
      application: '',
      applicationType: '',
      ids: [],
      otherIds: [],
      paths: [],
      names: [],
    };
    const among = identityType(entry) === 'idp' ? [somewhere] : this.known.applications;
    const found = among
      .map((of) => holderOf(entry, of, this.known, pointer, problems)?.key)
      .filter((key) => key !== undefined);
    if (!problems.some(isAmbiguity)) return found;
    this.refuse(pointer, 'AMBIGUOUS_REFERENCE');
    return null;
  }

  /** The statement that an element names as it stands; undefined when none, null when a name is ambiguous. */
  private lookUp(placed: Placed): Statement | undefined | null {
    const { name, problems } = this.leniently(placed);
    if (problems.some(isAmbiguity)) return null;
    return name === null || problems.length > 0 ? undefined : this.content.statements.get(name.key);
  }

  private leniently(placed: Placed): {
    readonly name: StatementName | null;
    readonly problems: readonly Problem[];
  } {
    const problems: Problem[] = [];
    const checks = { ...this.context.checks, problems };
    const { name } = nameOf(placed, this.known, { ...this.context, checks });
    return { name, problems };
  }

  private addAmbiguities(placed: Placed): void {
    this.problems.push(...this.leniently(placed).problems.filter(isAmbiguity));
  }

  private put(placed: Placed, statements: readonly Statement[]): void {
    for (const one of united(statements)) {
      this.content.statements.set(one.key, one);
      this.noteGiven(placed.entryPointer, one.key);
    }
  }

  private drop({ key, holder }: Statement, pointer: string): void {
    this.content.statements.delete(key);
    if (holder.label === 'Identity') this.people.push(pointer);
  }

  private noteGiven(entryPointer: string, key: string): void {
    this.given.set(entryPointer, [...(this.given.get(entryPointer) ?? []), key]);
  }

  private refuse(pointer: string, code: string): void {
    this.problems.push({ pointer, code });
  }

  private miss(placed: Placed, operation: string): void {
    const { pointer } = placed;
    const where = `${statementOf(placed)} (${operation})`;
    this.missing.push(missing(where, pointer));
  }

  private missResources(placed: Placed, references: readonly string[]): void {
    const names = JSON.stringify(distinct(references, (text) => text));
    const where = `resources ${names} (${statementOf(placed)}: delete_resource)`;
    const pointer = below(placed.pointer, 'resources');
    this.missing.push(missing(where, pointer));
  }
}

function isAmbiguity({ code }: Problem): boolean {
  return code === 'AMBIGUOUS_REFERENCE';
}

/** How warnings call a statement, by the texts of its element. */
function statementOf({ list, entry, element }: Placed): string {
  const what =
    list === 'application_permissions'
      ? `application permission ${JSON.stringify(element.permission)}`
      : `role assignment ${JSON.stringify(element.role)}`;
  return `${what} of application ${JSON.stringify(element.application)} for ${identityOf(entry)}`;
}

function identityOf(entry: IdentityToPermissions): string {
  return `${identityWords.get(identityType(entry)) ?? ''} ${JSON.stringify(entry.identity)}`;
}
