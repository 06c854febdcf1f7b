import type { RelationshipKind } from '../model/table';
import type { RowContext } from './row/context';
import type { Draft } from './row/draft';
import type { Place } from './row/place';

/** An entity of a payload or an entry of an increment. Writers read its fields by name. */
export type AnyEntity = Readonly<Record<string, unknown>>;

/** Writes one field of an entity into the entity's row. */
export interface FieldWriter {
  readonly name: string;
  /** The properties that this writer sets. No other writer sets them. */
  readonly properties: readonly string[];
  readonly relationships: readonly RelationshipKind[];
  readonly write: (draft: Draft, entity: AnyEntity, place: Place, context: RowContext) => void;
}

/** Makes the writer of a field that sets only properties. */
export const valued = (
  name: string,
  write: (draft: Draft, value: unknown) => void,
  properties: readonly string[] = [name],
): FieldWriter => ({
  name,
  properties,
  relationships: [],
  write: (draft, entity) => write(draft, entity[name]),
});
