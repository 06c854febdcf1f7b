import type { EntityKind } from './kind';

/**
 * An entity of a flat template's payload, or an entry of its increment, with the fields that all
 * kinds have.
 */
export interface FlatEntity {
  readonly name?: string | null;
  readonly operation?: string | null;
  readonly custom_properties?: object | null;
  readonly dynamic_properties?: object | null;
  readonly [field: string]: unknown;
}

/** The payload of a flat template: a full push or an increment. */
export interface FlatPayload {
  readonly custom_property_definition?: Readonly<Record<string, object | null | undefined>> | null;
  readonly incremental_change?: boolean | null;
  readonly [field: string]: unknown;
}

/** The entities of one kind in a payload, each with the steps of its JSON pointer. */
export const entitiesOf = (
  payload: object,
  { list }: EntityKind,
): readonly (readonly [entity: FlatEntity, steps: readonly (string | number)[]])[] => {
  const held = (payload as FlatPayload)[list];
  if (held === null || held === undefined) return [];
  return Array.isArray(held)
    ? held.map((entity: FlatEntity, index) => [entity, [list, index]] as const)
    : [[held as FlatEntity, [list]]];
};
