import type { Named } from '../../check/names';
import { Application } from '../../templates/application/applications';
import { idOf } from '../../model/key';
import type { NodeKind } from '../../model/table';
import { Draft } from '../../rows/row/draft';
import type { AnyEntity, FieldWriter } from '../../rows/field-writer';
import type { Place } from '../../rows/row/place';
import type { PropertyValues, Stated } from '../../rows/row/row';
import { type Subject, subjectOf, titleOf } from '../../warning';
import type { CurrentRow } from './current-rows';

/** A property's text, or `''` if it has none. */
export const textOf = (properties: PropertyValues, name: string): string =>
  typeof properties[name] === 'string' ? properties[name] : '';

/**
 * The ids and names by which each step of a look-up finds an entity. Resources are also found by
 * their paths, so they have steps of their own (docs/rules.md: References).
 */
export const stepsTo = (
  kind: NodeKind,
  properties: PropertyValues,
): readonly (readonly string[])[] => {
  const name = textOf(properties, 'name');
  const named = name === '' ? [] : [name];
  const own = idOf(kind, properties);
  if (kind.ids.length === 1 && kind.ids[0] === 'name') return [named];
  // An entity with both `id` and `unique_id` is found by either.
  const other = textOf(properties, 'unique_id') === '' ? '' : textOf(properties, 'id');
  return [[own], other === '' ? [] : [other], named];
};

/** A field whose value is written only when all entities are final. */
export interface Pending {
  readonly field: FieldWriter;
  readonly entity: AnyEntity;
  readonly place: Place;
}

/** An entity while an increment changes it. */
export class Working {
  readonly application: string;
  draft: Draft;
  isAlive: boolean;
  /**
   * Whether the increment deleted the entity that existed before. Then the old references to it are
   * removed, even if it is added again.
   */
  wasDeleted = false;
  /** Whether the increment has added it and not deleted it since. */
  isAdded = false;
  /** The fields that are written when all entities are final, by name. */
  readonly pending = new Map<string, Pending>();
  /**
   * Places of entries: the one that last placed a resource, the one that added it, the one that
   * last stated dynamic properties, and those that added and deleted it.
   */
  placedAt: string | null = null;
  addedPlace: Place | null = null;
  dynamicAt: string | null = null;
  readonly cameAt: string[] = [];
  readonly wentAt: string[] = [];
  /** What messages call it. The last entry about it decides. */
  subject: () => Subject;
  /** Its name as an application's last entry spells it. */
  sentName: string | null = null;

  constructor(
    readonly kind: NodeKind,
    readonly word: string,
    readonly key: string,
    application: string | null,
    readonly before: CurrentRow | null,
  ) {
    this.draft = before === null ? new Draft(kind, key) : Draft.of(before.row);
    this.isAlive = before !== null;
    this.application =
      application ??
      (kind === Application ? '' : textOf(before?.row.properties ?? {}, 'application'));
    this.subject = () => subjectOf(word, this.name || this.id, this.application);
  }

  /** How messages name it. */
  title(): string {
    return titleOf(this.subject());
  }

  get name(): string {
    return textOf(this.draft.properties, 'name');
  }

  /** Its id. For a resource, only the field `id`. */
  get id(): string {
    return this.kind.label === 'Resource'
      ? textOf(this.draft.properties, 'id')
      : (stepsTo(this.kind, this.draft.properties)[0]?.[0] ?? '');
  }

  /** Starts the entity again, with these tags. */
  renew(tags: readonly string[]): void {
    this.draft = new Draft(this.kind, this.key);
    for (const tag of tags) this.draft.tag(tag);
    this.pending.clear();
    this.isAlive = true;
    this.isAdded = true;
  }

  /** Deletes the entity. */
  end(): void {
    this.wasDeleted ||= this.before !== null;
    this.isAlive = false;
    this.isAdded = false;
    this.pending.clear();
  }

  /** The key of the resource or application that contains a resource. */
  get parent(): string | null {
    return this.draft.stated.find(isContained)?.other ?? null;
  }

  /** The entity as look-ups of references need it. */
  named(steps: Named['steps'] = stepsTo(this.kind, this.draft.properties)): Named {
    return {
      id: this.kind.label === 'Resource' ? this.id || this.key : this.id,
      name: this.name || this.id,
      pointer: '',
      steps,
      keys: [this.key],
      title: () => this.title(),
    };
  }
}

/** Whether a relationship says what contains its row. */
export const isContained = ({ kind }: Stated): boolean => kind.type === 'CONTAINS';
