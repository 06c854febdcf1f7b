import type { RelationshipKind } from '../model/table';
import type { RowContext } from './row/context';
import type { Draft } from './row/draft';
import type { Place } from './row/place';

/** An entity of a payload, or an entry of an increment, as far as fields read it. */
export type AnyEntity = Readonly<Record<string, unknown>>;

/** What one field of an entity puts into the entity's row. */
export interface FieldWriter {
  readonly name: string;
  /** The properties and relationships that it sets, and nothing else does. */
  readonly properties: readonly string[];
  readonly relationships: readonly RelationshipKind[];
  readonly write: (draft: Draft, entity: AnyEntity, place: Place, context: RowContext) => void;
}

/** A field that sets properties alone. */
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
