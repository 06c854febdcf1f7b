import type { Operation } from '../codec/shared';
import { idOf } from '../model/entity-id';
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

/** Where an entry leads: the entity that it means, for what is nested in it; `null` when that is not to be looked at. */
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

/** The operations that entries of a kind may have: those on tags only where it has tags. */
const operationsOn = ({ node, fields }: EntityKind): readonly Operation[] => {
  if (node === Application) return OF_APPLICATIONS;
  return fields.tags === undefined ? OF_UNTAGGED : OF_ENTITIES;
};

/** Whether an entry, or one nested in it, does something that needs what is around it to stand (docs/increments.md 4.2). */
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

/** Finds what entries of entities mean, one after the other, and has it edited, or refuses (docs/rules.md: Increments). */
export class Entries {
  constructor(
    private readonly entities: Entities,
    private readonly edits: Edits,
    private readonly remarks: Remarks,
  ) {}

  /** Carries out one entry, and tells what the entries nested in it are nested in. */
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

  /** From now on the entity is called as the entry calls it. */
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
        () => `${kind.word} ${JSON.stringify(nameOf(entry))} is added before`,
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

  /** Fields that the entry has replace those that stand; `false` when it is refused. */
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

  /** An entry whose entity does not stand: an error, a warning, or nothing more to say (docs/rules.md: Increments). */
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
          `there is no ${titleOf(subject())}${hints.didYouMean(idOf(kind.node, entry) || (entry.name ?? ''), this.alike(kind, entry, around))}`,
      );
      return null;
    }
    if (!around.isUnknown) {
      const word =
        entry.operation || (around.operation === 'delete_resource' ? 'delete_resource' : CONTEXT);
      this.remarks.warnOfUnknown(pointer, subject(), word);
      if (operation === null) this.remarks.warnOfIgnored(pointer, subject(), ignoredFields(entry));
    }
    // Nothing is below what is to be deleted, or loses its tags; inside context there may be resources with ids of their own.
    return operation === 'delete' || TAG_REMOVALS.includes(operation)
      ? null
      : { entity: null, operation, isUnknown: true };
  }

  /** Why an entry finds nothing that gives a standing entity, by its name, another id; `null` where that is not so. */
  private renamed(kind: EntityKind, entry: AnyEntry, around: Around): string | null {
    const id = idOf(kind.node, entry);
    // Looked for only once nothing else has to be known: entries that find their entities cost nothing more.
    if (!entry.name || entry.name === id || kind.node === Resource || !this.entities.knowsAll) {
      return null;
    }
    const [entity] = this.entities.meant(kind.node, around.application?.id ?? '', entry.name);
    return entity === undefined ? null : permanent(entity, id);
  }

  private find(kind: EntityKind, entry: AnyEntry, around: Around): readonly Working[] {
    const application = around.application?.id ?? '';
    if (kind.node === Resource) {
      // Without an id a resource is found by its place, which is not known inside unknown context.
      if (!entry.id && around.isUnknown) return [];
      const entity = this.entities.at(Resource, entryKey(Resource, entry, around), application);
      return entity.isAlive ? [entity] : [];
    }
    return this.entities.meant(kind.node, application, idOf(kind.node, entry));
  }

  /** What an entry that finds nothing may mean: entries are exact (docs/increments.md 3.1), so other cases come first. */
  private alike(kind: EntityKind, entry: AnyEntry, around: Around): readonly string[] {
    const [{ label }, application] = [kind.node, around.application?.id ?? ''];
    const standing = this.entities.spellingsStanding(label, application);
    if (kind.node === Resource) return standing;
    const text = idOf(kind.node, entry);
    const folded = fold(text);
    const inOtherCase = this.entities
      .find(label, application, text)
      .flatMap(({ steps }) => steps.flat().filter((spelling) => fold(spelling) === folded));
    return inOtherCase.length > 0 ? inOtherCase : standing;
  }

  /** Whether a resource cannot be put where its entry stands, which is told. */
  private isMisplaced(entity: Working, pointer: string, around: Around): boolean {
    if (entity.kind !== Resource || around.parent === null) return false;
    const parent = this.entities.at(Resource, around.parent, entity.application);
    if (!parent.isAlive) {
      this.remarks.refuse(
        pointer,
        'UNKNOWN_ENTITY',
        () => `${parent.title()}, in which it would stand, is deleted by an entry before`,
      );
      return true;
    }
    if (entity !== parent && !this.entities.upwards(parent).includes(entity)) return false;
    this.remarks.refuse(
      pointer,
      'SELF_REFERENCE',
      () => `${entity.title()} would stand inside itself`,
    );
    return true;
  }
}
