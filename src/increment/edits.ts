import type { Definitions, TypesByName } from '../check/definitions';
import { checkCustomProperties } from '../check/custom-properties';
import { checkAssignments } from '../check/flat';
import { isObject } from '../codec/codec';
import { stepsOf } from '../codec/pointer';
import type { Operation } from '../codec/shared';
import { nfc } from '../model/fold';
import { keyOf } from '../model/key';
import { Application } from '../templates/application/applications';
import { Resource } from '../templates/application/resources';
import { type ChosenPrefix, CUSTOM_PREFIX, DYNAMIC_PREFIX } from '../model/property-name';
import type { RowContext } from '../rows/row/context';
import { writersOf } from '../rows/kind-writers';
import type { EntityKind } from '../templates/kind';
import { putPrefixed } from '../rows/row/custom-values';
import type { Place } from '../rows/row/place';
import { place } from '../rows/resource';
import type { Entities } from './working/entities';
import { type AnyEntry, type Around, ownerOf } from './working/entry-identity';
import type { Remarks } from './working/problems';
import type { CurrentRows } from './working/current-rows';
import { isContained, type Working } from './working/working';

/**
 * Whether a field is absent or an empty object. Neither changes anything (docs/increments.md 3.4).
 */
const saysNothing = (value: unknown): boolean =>
  value === undefined || (isObject(value) && Object.keys(value).length === 0);

const isPrefixed =
  (prefix: string) =>
  (name: string): boolean =>
    name.startsWith(prefix);

/**
 * Applies entries to their entities: sets own fields, adds and removes tags, deletes
 * (docs/rules.md: Increments).
 */
export class Edits {
  constructor(
    private readonly entities: Entities,
    private readonly current: CurrentRows,
    private readonly definitions: Definitions,
    private readonly context: RowContext,
    private readonly remarks: Remarks,
  ) {}

  /**
   * Replaces the fields that the entry has, and adds its tags. A resource moves to the place of the
   * entry.
   */
  put(kind: EntityKind, entity: Working, entry: AnyEntry, pointer: string, around: Around): void {
    const { definition, node } = kind;
    const { draft } = entity;
    const where: Place = {
      pointer,
      subject: entity.subject,
      application: around.application?.id ?? '',
    };
    const values = entry as Readonly<Record<string, unknown>>;
    for (const field of writersOf(kind)) {
      if (saysNothing(values[field.name]) || field.name === 'tags') continue;
      if (field.relationships.length > 0) {
        // Moves the field to the end, so that fields are bound in the order of the last entries
        // that have them.
        entity.pending.delete(field.name);
        entity.pending.set(field.name, { field, entity: values, place: where });
        continue;
      }
      for (const property of field.properties) delete draft.properties[property];
      field.write(draft, values, where, this.context);
    }
    if (node === Application && values.application_type !== undefined) {
      draft.text('application_type', values.application_type as string | null);
    }
    if (node === Resource) {
      draft.retract(isContained);
      place(draft, around.application?.id ?? '', around.parent);
      entity.placedAt = pointer;
    }
    const owner = ownerOf(definition ?? '', entity, around);
    checkCustomProperties(
      values.custom_properties as never,
      owner,
      this.definitions,
      stepsOf(pointer),
      this.remarks.problems,
    );
    checkAssignments(
      entry.app_assignments ?? [],
      stepsOf(pointer),
      this.definitions,
      this.remarks.problems,
    );
    this.merge(entity, CUSTOM_PREFIX, entry.custom_properties, this.definitions.typesOf(owner));
    this.merge(entity, DYNAMIC_PREFIX, entry.dynamic_properties);
    if (entry.dynamic_properties !== undefined && entry.dynamic_properties !== null) {
      entity.dynamicAt = `${pointer}/dynamic_properties`;
    }
    this.tag(entity, entry);
    this.entities.index(entity);
  }

  /** Deletes the entity and everything in it. */
  delete(entity: Working, pointer: string): void {
    if (entity.kind === Application) {
      for (const row of this.current.within(entity.id)) {
        if (this.entities.isEntity(row.row.kind)) this.end(this.entities.of(row), pointer);
      }
      for (const other of this.entities.touched) {
        if (other.isAlive && other.application === entity.id) this.end(other, pointer);
      }
    }
    if (entity.kind === Resource) {
      for (const below of this.entities.below(entity)) this.end(below, pointer);
    }
    this.end(entity, pointer);
  }

  /** Adds the entry's tags. The finished row has each tag once. */
  tag({ draft }: Working, { tags }: AnyEntry): void {
    for (const { key, value } of tags ?? []) draft.tag(this.context.tag(key, value));
  }

  /** Removes the entry's tags, and warns about those that the entity does not have. */
  untag(entity: Working, entry: AnyEntry, pointer: string, operation: Operation): void {
    const missing: string[] = [];
    const left = new Set(entity.draft.tags);
    for (const { key, value } of entry.tags ?? []) {
      const before = left.size;
      if (value) left.delete(keyOf('Tag', nfc(key), nfc(value)));
      else {
        const prefix = keyOf('Tag', nfc(key), '');
        for (const tag of left) if (tag.startsWith(prefix)) left.delete(tag);
      }
      if (left.size === before) missing.push(value ? `${key}=${value}` : key);
    }
    entity.draft.untag((tag) => !left.has(tag));
    if (missing.length === 0) return;
    this.remarks.warn(
      `${pointer}/tags`,
      'NOTHING_TO_REMOVE',
      entity.subject(),
      `Cannot find tags ${JSON.stringify(missing)} (${entity.title()}: ${operation})`,
    );
  }

  /** Merges custom or dynamic properties one by one. */
  private merge(
    { draft }: Working,
    prefix: ChosenPrefix,
    values: object | null | undefined,
    types?: TypesByName,
  ): void {
    if (values === undefined) return;
    const unset =
      values === null
        ? Object.keys(draft.properties).filter(isPrefixed(prefix))
        : Object.keys(values).map((name) => `${prefix}${name}`);
    for (const name of unset) delete draft.properties[name];
    putPrefixed(draft.properties, prefix, values, types);
  }

  private end(entity: Working, pointer: string): void {
    if (!entity.isAlive) return;
    entity.wentAt.push(pointer);
    entity.end();
  }
}
