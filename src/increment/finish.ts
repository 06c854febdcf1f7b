import { MOST_DYNAMIC } from '../check/custom-properties';
import { Application } from '../templates/application/applications';
import { LocalRole } from '../templates/application/local-roles';
import { Resource } from '../templates/application/resources';
import { DYNAMIC_PREFIX } from '../model/property-name';
import type { NodeKind } from '../model/table';
import type { RowContext } from '../rows/row/context';
import type { Draft } from '../rows/row/draft';
import { isEmptyRole } from '../rows/empty-role';
import { lookupsOf } from '../rows/row/lookups';
import type { Row } from '../rows/row/row';
import type { Entities } from './working/entities';
import type { TouchedRow } from './working/touched-row';
import type { Remarks } from './working/problems';
import type { CurrentRows, CurrentRow } from './working/current-rows';
import type { Working } from './working/working';

/** The fields with which a role gives access. */
const GIVING: readonly string[] = ['permissions', 'roles'];

/**
 * Removes the references to entities that the increment deleted. Calls `ended` for each statement
 * that refers to one, with the deleted entity.
 */
export const unbind = (
  current: CurrentRows,
  entities: Entities,
  ended: (row: CurrentRow, deleted: Working) => void,
): void => {
  for (const deleted of [...entities.touched].filter(({ wasDeleted }) => wasDeleted)) {
    for (const row of current.referring(deleted.kind.label, deleted.key)) {
      if (!entities.isEntity(row.row.kind)) {
        ended(row, deleted);
        continue;
      }
      const referring = entities.of(row);
      // An entity that was added again has no old references.
      if (referring.isAlive && !referring.isAdded) forget(referring.draft, deleted);
    }
  }
};

// Leaves CONTAINS as it is. The resources of a deleted one are deleted too, or an entry has moved
// them.
const forget = (draft: Draft, { kind: node, key }: Working): void =>
  draft.retract(
    ({ kind, other }) =>
      other === key && (kind.from === node || kind.to === node) && kind.type !== 'CONTAINS',
  );

/**
 * Binds references when all entities are final: it writes the fields that had to wait for that
 * (docs/rules.md: Increments).
 */
export const bindReferences = (entities: Entities, context: RowContext): void => {
  for (const entity of [...entities.touched]) {
    if (!entity.isAlive) continue;
    const { draft, pending } = entity;
    for (const { field, entity: given, place } of pending.values()) {
      draft.retract(({ kind }) => field.relationships.includes(kind));
      field.write(draft, given, place, context);
    }
    // The place of the last entry that changed what the role gives.
    const last = [...pending.values()].findLast(({ field: { name } }) => GIVING.includes(name));
    const place = last?.place ?? (entity.isAdded ? entity.addedPlace : null);
    if (place !== null && isEmptyRole(draft)) context.remarkEmptyRole(place);
  }
};

/** Counts dynamic properties after all entries, since each entry may add or remove some. */
export const judgeDynamicProperties = (entities: Entities, remarks: Remarks): void => {
  for (const { isAlive, dynamicAt, draft } of entities.touched) {
    if (!isAlive || dynamicAt === null) continue;
    const count = Object.keys(draft.properties).filter((name) =>
      name.startsWith(DYNAMIC_PREFIX),
    ).length;
    if (count <= MOST_DYNAMIC) continue;
    remarks.refuse(
      dynamicAt,
      'TOO_MANY_DYNAMIC_PROPERTIES',
      () => `leads to ${count} properties: at most ${MOST_DYNAMIC} are allowed`,
    );
  }
};

/**
 * The rows of all touched entities, before and after. `finish` sets properties that come from
 * elsewhere.
 */
export const entityRows = (
  entities: Entities,
  finish: (draft: Draft, entity: Working) => void,
): readonly TouchedRow[] =>
  [...entities.touched].flatMap((entity): TouchedRow[] => {
    const { before, isAlive, draft, kind } = entity;
    if (before === null && !isAlive) return [];
    if (!isAlive) return [{ before, after: null }];
    finish(draft, entity);
    const idPath = kind === Resource ? entities.paths(entity).ids : null;
    return [{ before, after: draft.row(lookupsOf(kind, draft.properties, idPath)) }];
  });

/** Makes the row with fresh look-ups. */
export const rowOf = (draft: Draft): Row => draft.row(lookupsOf(draft.kind, draft.properties));

/** Touches all resources below one that was moved or renamed, because their paths change. */
export const touchMoved = (current: CurrentRows, entities: Entities): void => {
  for (const entity of [...entities.touched]) {
    const { kind, isAlive, before, key } = entity;
    if (kind !== Resource || !isAlive || before === null) continue;
    // While one of the surrounding resources is unknown, the path may only seem to have changed.
    if (!entities.upwards(entity).every((step) => current.isKnown(step.key))) continue;
    const { names } = entities.paths(entity);
    const contained = before.row.relationships.find(({ kind: { type } }) => type === 'CONTAINS');
    if (names === before.row.properties.path && contained?.other === entity.parent) continue;
    for (const row of current.below(key)) entities.of(row);
  }
};

/** Whether any entity of these kinds remains in the end. */
export const anyRemains = (
  current: CurrentRows,
  kinds: readonly NodeKind[],
  entities: Entities,
): boolean => {
  const touched = [...entities.touched].filter(({ kind }) => kinds.includes(kind));
  if (touched.some(({ isAlive }) => isAlive)) return true;
  const gone = new Set(touched.filter(({ before }) => before !== null).map(({ key }) => key));
  return kinds.some((kind) =>
    current.some(kind.label, gone.size + 1).some((key) => !gone.has(key)),
  );
};

/** Roles with a new name. Their role assignments must get the new name. */
export const renamedRoles = (entities: Entities): readonly Working[] =>
  [...entities.touched].filter(
    ({ kind, isAlive, before, name }) =>
      kind === LocalRole && isAlive && before !== null && before.row.properties.name !== name,
  );

/** Applications with a new type. Everything in them must get the new type. */
export const retypedApplications = (entities: Entities): readonly Working[] =>
  [...entities.touched].filter(
    ({ kind, isAlive, before, draft }) =>
      kind === Application &&
      isAlive &&
      before !== null &&
      before.row.properties.application_type !== draft.properties.application_type,
  );
