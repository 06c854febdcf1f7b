import type { Named } from '../../check/names';
import { Application } from '../../templates/application/applications';
import { idOf } from '../../model/entity-id';
import type { NodeKind } from '../../model/table';
import { Draft } from '../../rows/row/draft';
import type { AnyEntity, FieldWriter } from '../../rows/field-writer';
import type { Place } from '../../rows/row/place';
import type { PropertyValues, Stated } from '../../rows/row/row';
import { type Subject, subjectOf, titleOf } from '../../warning';
import type { StandingRow } from './current-rows';

/** A property that is a text, or `''`. */
export const textOf = (properties: PropertyValues, name: string): string =>
  typeof properties[name] === 'string' ? properties[name] : '';

/** The ids and names by which references find an entity, step by step; resources have theirs by their place (docs/rules.md: References). */
export const stepsTo = (
  kind: NodeKind,
  properties: PropertyValues,
): readonly (readonly string[])[] => {
  const name = textOf(properties, 'name');
  const named = name === '' ? [] : [name];
  const own = idOf(kind, properties);
  if (kind.ids.length === 1 && kind.ids[0] === 'name') return [named];
  // What has both an `id` and a `unique_id` is found by either.
  const other = textOf(properties, 'unique_id') === '' ? '' : textOf(properties, 'id');
  return [[own], other === '' ? [] : [other], named];
};

/** A field whose value waits until all entities are as they end. */
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
  /** Whether the one that stood before the push was deleted on the way: what was bound to it is bound no more. */
  wasDeleted = false;
  /** Whether this payload added it, and has not deleted it since. */
  isAdded = false;
  /** Fields that wait for all entities, by name. */
  readonly pending = new Map<string, Pending>();
  /** The entry that placed a resource; the one that last stated dynamic properties; the ones that made it come and go. */
  placedAt: string | null = null;
  addedPlace: Place | null = null;
  dynamicAt: string | null = null;
  readonly cameAt: string[] = [];
  readonly wentAt: string[] = [];
  /** What the entries call it. */
  subject: () => Subject;
  /** Its name as the entry around spells it. */
  sentName: string | null = null;

  constructor(
    readonly kind: NodeKind,
    readonly word: string,
    readonly key: string,
    application: string | null,
    readonly before: StandingRow | null,
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

  /** Its own id; of a resource only the `id` field. */
  get id(): string {
    return this.kind.label === 'Resource'
      ? textOf(this.draft.properties, 'id')
      : (stepsTo(this.kind, this.draft.properties)[0]?.[0] ?? '');
  }

  /** Begins anew, with the tags that are given. */
  renew(tags: readonly string[]): void {
    this.draft = new Draft(this.kind, this.key);
    for (const tag of tags) this.draft.tag(tag);
    this.pending.clear();
    this.isAlive = true;
    this.isAdded = true;
  }

  /** It is no more. */
  end(): void {
    this.wasDeleted ||= this.before !== null;
    this.isAlive = false;
    this.isAdded = false;
    this.pending.clear();
  }

  /** The resource or application that a resource stands in. */
  get parent(): string | null {
    return this.draft.stated.find(isContained)?.other ?? null;
  }

  /** As references find it. */
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

/** Whether a relationship places its row in a resource or application. */
export const isContained = ({ kind }: Stated): boolean => kind.type === 'CONTAINS';
