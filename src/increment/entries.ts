import type { Operation } from '../codec/shared';
import { idOf } from '../model/key';
import { fold } from '../model/fold';
import { Application } from '../templates/application/applications';
import { Resource } from '../templates/application/resources';
import { nestedLists } from '../templates/application/payload';
import type { EntityKind } from '../templates/kind';
import { mayMean } from '../rows/row/refusal';
import type { Edits } from './edits';
import type { Entities } from './working/entities';
import {
  type AnyEntry,
  type Around,
  entryKey,
  idAfter,
  nameOf,
  subjectOfEntry,
} from './working/entry-identity';
import { ignoredFields } from './working/ignored-fields';
import { CONTEXT, type Remarks } from './working/problems';
import { titleOf } from '../warning';
import type { Working } from './working/working';

/**
 * The result of an entry, for the entries nested in it. `entity` is `null` if they have nothing to
 * refer to.
 */
export interface Entered {
  readonly entity: Working | null;
  readonly operation: Operation | null;
  readonly isUnknown: boolean;
}

const DELETIONS: readonly (Operation | null)[] = [
  'delete',
  'delete_tag',
  'remove_tag',
  'delete_resource',
];
const TAG_REMOVALS: readonly (Operation | null)[] = ['remove_tag', 'delete_tag'];
const OF_UNTAGGED: readonly Operation[] = ['add', 'modify', 'delete'];
const OF_ENTITIES: readonly Operation[] = [...OF_UNTAGGED, 'add_tag', 'remove_tag', 'delete_tag'];
const OF_APPLICATIONS: readonly Operation[] = [...OF_ENTITIES, 'add_resource', 'delete_resource'];

/**
 * The operations that entries of a kind may have. Kinds without tags have no operations on tags.
 */
const operationsOn = ({ node, fields }: EntityKind): readonly Operation[] => {
  if (node === Application) return OF_APPLICATIONS;
  return fields.tags === undefined ? OF_UNTAGGED : OF_ENTITIES;
};

/**
 * Whether an entry, or one nested in it, needs the surrounding entity to exist (docs/increments.md
 * 4.2).
 */
const doesMoreThanDelete = (entry: object): boolean => {
  const { operation } = entry as AnyEntry;
  if (operation && !DELETIONS.includes(operation)) return true;
  if (operation === 'delete') return false;
  return nestedLists.some((list) => {
    const nested = (entry as Record<string, readonly object[] | null | undefined>)[list];
    return (nested ?? []).some(doesMoreThanDelete);
  });
};

const permanent = (entity: Working, id: string): string =>
  `${entity.title()} has the id ${JSON.stringify(entity.id)}, not ${JSON.stringify(id)}: ids are permanent; delete it, and add it under the other id`;

/**
 * Carries out the entries of entities in document order: finds the entity of each and edits it, or
 * refuses the entry (docs/rules.md: Increments).
 */
export class Entries {
  constructor(
    private readonly entities: Entities,
    private readonly edits: Edits,
    private readonly remarks: Remarks,
  ) {}

  /**
   * Carries out one entry. Returns what its nested entries need to know, or `null` if the service
   * does not look at them.
   */
  enter(kind: EntityKind, given: object, pointer: string, around: Around): Entered | null {
    const entry = given as AnyEntry;
    const inherited: Operation | null =
      around.operation === 'delete_resource' ? 'delete' : around.operation;
    const operation = entry.operation || inherited;
    const allowed = operationsOn(kind);
    if (operation !== null && !allowed.includes(operation)) {
      this.remarks.refuseOperation(pointer, `a ${kind.word}`, operation, allowed);
      return null;
    }
    if (operation === 'add') return this.add(kind, entry, pointer, around);
    const found = this.find(kind, entry, around);
    const [entity] = found;
    if (entity === undefined) {
      return this.unknown(kind, entry, pointer, around, operation);
    }
    if (found.length > 1 && operation !== null) {
      this.remarks.refuse(pointer, 'AMBIGUOUS_REFERENCE', () =>
        mayMean(found.map((one) => one.named())),
      );
      return null;
    }
    this.call(kind, entity, entry, around);
    if (operation === null) {
      this.remarks.warnOfIgnored(pointer, entity.subject(), ignoredFields(entry));
    }
    if (operation === 'delete') {
      this.edits.delete(entity, pointer);
      return { entity: null, operation, isUnknown: false };
    }
    if (operation === 'modify' && !this.modify(kind, entity, entry, pointer, around)) return null;
    if (operation === 'add_tag') this.edits.tag(entity, entry);
    if (operation === 'remove_tag' || operation === 'delete_tag') {
      this.edits.untag(entity, entry, pointer, operation);
    }
    return { entity, operation, isUnknown: false };
  }

  /** Makes messages call the entity as this entry calls it. */
  private call(kind: EntityKind, entity: Working, entry: AnyEntry, around: Around): void {
    entity.subject = subjectOfEntry(kind, entry, around);
    if (kind.node === Application) entity.sentName = entry.name ?? null;
  }

  private add(kind: EntityKind, entry: AnyEntry, pointer: string, around: Around): Entered | null {
    const application = around.application?.id ?? '';
    const key = entryKey(kind.node, entry, around);
    const entity = this.entities.at(kind.node, key, application);
    if (entity.isAdded) {
      this.remarks.refuse(
        pointer,
        'DUPLICATE_ID',
        () => `an earlier entry adds ${kind.word} ${JSON.stringify(nameOf(entry))} already`,
      );
      return null;
    }
    if (this.isMisplaced(entity, pointer, around)) return null;
    if (!entity.isAlive) entity.cameAt.push(pointer);
    entity.renew(entity.isAlive ? entity.draft.tags : []);
    this.call(kind, entity, entry, around);
    entity.addedPlace = { pointer, subject: entity.subject, application };
    this.edits.put(kind, entity, entry, pointer, around);
    return { entity, operation: 'add', isUnknown: false };
  }

  /** Replaces the fields that the entry has. Returns `false` if it refuses the entry. */
  private modify(
    kind: EntityKind,
    entity: Working,
    entry: AnyEntry,
    pointer: string,
    around: Around,
  ): boolean {
    if (kind.node !== Resource && idAfter(entity, entry) !== entity.id) {
      this.remarks.refuse(pointer, 'UNKNOWN_ENTITY', () =>
        permanent(entity, idAfter(entity, entry)),
      );
      return false;
    }
    if (this.isMisplaced(entity, pointer, around)) return false;
    this.edits.put(kind, entity, entry, pointer, around);
    return true;
  }

  /**
   * Decides about an entry whose entity does not exist: it is an error or a warning, or a message
   * about a surrounding entry is enough (docs/rules.md: Increments).
   */
  private unknown(
    kind: EntityKind,
    entry: AnyEntry,
    pointer: string,
    around: Around,
    operation: Operation | null,
  ): Entered | null {
    const subject = subjectOfEntry(kind, entry, around);
    const isError =
      operation === null || operation === 'delete_resource'
        ? doesMoreThanDelete({ ...entry, operation: null })
        : !DELETIONS.includes(operation);
    if (isError) {
      this.remarks.refuse(
        pointer,
        'UNKNOWN_ENTITY',
        (hints) =>
          this.renamed(kind, entry, around) ??
          `there is no ${titleOf(subject())}${hints.didYouMean(idOf(kind.node, entry) || (entry.name ?? ''), hints.isSpent ? [] : this.alike(kind, entry, around))}`,
      );
      return null;
    }
    if (!around.isUnknown) {
      const word =
        entry.operation || (around.operation === 'delete_resource' ? 'delete_resource' : CONTEXT);
      this.remarks.warnOfUnknown(pointer, subject(), word);
      if (operation === null) this.remarks.warnOfIgnored(pointer, subject(), ignoredFields(entry));
    }
    // A deleted or untagged entity has nothing below it. But entries inside an unknown context may
    // name resources by their own ids.
    return operation === 'delete' || TAG_REMOVALS.includes(operation)
      ? null
      : { entity: null, operation, isUnknown: true };
  }

  /**
   * The message for an entry that names an existing entity but gives it another id. `null` if this
   * is not the reason why the entry finds nothing.
   */
  private renamed(kind: EntityKind, entry: AnyEntry, around: Around): string | null {
    const id = idOf(kind.node, entry);
    // Reads nothing from the graph until everything else is known. So entries that find their
    // entities cost nothing more.
    if (!entry.name || entry.name === id || kind.node === Resource || !this.entities.knowsAll) {
      return null;
    }
    const [entity] = this.entities.meant(kind.node, around.application?.id ?? '', entry.name);
    return entity === undefined ? null : permanent(entity, id);
  }

  private find(kind: EntityKind, entry: AnyEntry, around: Around): readonly Working[] {
    const application = around.application?.id ?? '';
    if (kind.node === Resource) {
      // A resource without an id is found by its place. Inside an unknown context the place is
      // unknown.
      if (!entry.id && around.isUnknown) return [];
      const entity = this.entities.at(Resource, entryKey(Resource, entry, around), application);
      return entity.isAlive ? [entity] : [];
    }
    return this.entities.meant(kind.node, application, idOf(kind.node, entry));
  }

  /**
   * Names that the entry may mean. Entries match exactly (docs/increments.md 3.1), so names in
   * another case come first.
   */
  private alike(kind: EntityKind, entry: AnyEntry, around: Around): readonly string[] {
    const [{ label }, application] = [kind.node, around.application?.id ?? ''];
    const current = this.entities.currentSpellings(label, application);
    if (kind.node === Resource) return current;
    const text = idOf(kind.node, entry);
    const folded = fold(text);
    const inOtherCase = this.entities
      .find(label, application, text)
      .flatMap(({ steps }) => steps.flat().filter((spelling) => fold(spelling) === folded));
    return inOtherCase.length > 0 ? inOtherCase : current;
  }

  /**
   * Refuses a resource in a place where it cannot be: in a deleted resource or in itself. Returns
   * whether it refused.
   */
  private isMisplaced(entity: Working, pointer: string, around: Around): boolean {
    if (entity.kind !== Resource || around.parent === null) return false;
    const parent = this.entities.at(Resource, around.parent, entity.application);
    if (!parent.isAlive) {
      this.remarks.refuse(
        pointer,
        'UNKNOWN_ENTITY',
        () => `an earlier entry deletes ${parent.title()}, which would contain it`,
      );
      return true;
    }
    if (entity !== parent && !this.entities.upwards(parent).includes(entity)) return false;
    this.remarks.refuse(pointer, 'SELF_REFERENCE', () => `${entity.title()} would contain itself`);
    return true;
  }
}
