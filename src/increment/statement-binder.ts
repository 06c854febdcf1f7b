import { checkCustomProperties } from '../check/custom-properties';
import type { Definitions } from '../check/definitions';
import type { Found, Named, NameSource } from '../check/names';
import type { IdentityToPermissions } from '../templates/application/statements';
import { stepsOf } from '../codec/pointer';
import { ProblemCollector } from '../codec/problem-collector';
import { Application } from '../templates/application/applications';
import { Permission } from '../templates/application/permissions';
import { Resource } from '../templates/application/resources';
import { holderOf, RoleAssignment } from '../templates/application/statements';
import { fold } from '../model/fold';
import { keyOf } from '../model/key';
import { Identity } from '../model/shared-nodes';
import type { NodeKind } from '../model/table';
import type { RowContext } from '../rows/row/context';
import { customProperties } from '../rows/row/custom-values';
import type { PropertyValues } from '../rows/row/row';
import { canonical } from '../rows/statement';
import type { Entities } from './working/entities';
import type { Remarks } from './working/problems';
import type { Element, ListKind, Place } from './statement-places';
import { textOf } from './working/working';

/** The principal who holds what an entry gives. */
export interface Holder {
  readonly kind: NodeKind;
  readonly id: string;
  readonly key: string;
}

/** What an element names, after the look-up. */
export interface Bound {
  readonly key: string;
  readonly application: string;
  readonly holder: Holder;
  readonly what: Named;
  readonly properties: PropertyValues;
}

/**
 * Looks up what the entries and elements of `identity_to_permissions` name. It runs when all
 * entities are final (docs/rules.md: Increments).
 */
export class StatementBinder {
  constructor(
    private readonly entities: Entities,
    private readonly names: NameSource,
    private readonly definitions: Definitions,
    private readonly context: RowContext,
    private readonly remarks: Remarks,
  ) {}

  /**
   * The principals that an entry is about: one in each application that has one. `null` if the
   * identity is ambiguous in one of them.
   */
  holdersOf(entry: IdentityToPermissions, entryPointer: string): readonly Holder[] | null {
    const { node: kind } = holderOf(entry);
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

  /** Identities that an entry may mean if no application has its identity. */
  holderSpellings(entry: IdentityToPermissions): readonly string[] {
    return this.entities.currentSpellings(holderOf(entry).node.label, '');
  }

  /** Looks up all that an element names. Unknown and ambiguous names are problems. */
  bind(place: Place): Bound | null {
    const { list, element, pointer, entry } = place;
    const { within, what, holder } = this.lookUp(place, (kind, application, reference, at) =>
      this.context.resolve(kind, application, reference, () => at),
    );
    if (within === null) return null;
    const before = this.remarks.problems.count;
    this.checkProperties(within, element, pointer, this.remarks.problems);
    if (what === null || holder === null || this.remarks.problems.count > before) return null;
    this.context.multiply(what.keys.length, () => `${pointer}/${list.field}`);
    return this.boundTo(within, entry, holder, what, list, element);
  }

  /**
   * Looks up all that an element names, for cases in which unknown names are no problem. Ambiguous
   * names are a problem only if `refusesAmbiguity`.
   */
  bindQuietly(place: Place, refusesAmbiguity = false): Bound | null | 'ambiguous' {
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
    // If a custom property is undeclared or of another type, no statement can have it.
    const faults = new ProblemCollector();
    this.checkProperties(within, element, pointer, faults);
    return faults.isEmpty ? this.boundTo(within, entry, holder, what, list, element) : null;
  }

  /**
   * Looks up an element's application, its permission or role, and its holder. `one` finds what the
   * reference at a pointer names.
   */
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
    // Permissions do not belong to an application.
    const what =
      list.of === Permission
        ? one(Permission, '', reference, at)
        : within === null
          ? null
          : one(list.of, within, reference, at);
    const { node: kind } = holderOf(entry);
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
    const { node: kind } = holderOf(entry);
    const holder: Holder =
      found === 'federated'
        ? { kind, id: fold(entry.identity), key: this.context.identity(entry.identity) }
        : { kind, id: found.id, key: found.keys[0] ?? '' };
    const properties =
      list.kind === RoleAssignment && 'role' in element
        ? customProperties(
            element.custom_properties,
            this.definitions.typesOf(this.ownerIn(application)),
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

  /** The resources that an element lists. Unknown and ambiguous names are problems. */
  scopeOf({ element, pointer }: Place): readonly (Named | null)[] {
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
}
