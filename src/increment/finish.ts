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
import type { TouchedRow } from './outcome';
import type { Remarks } from './working/problems';
import type { Standing, StandingRow } from './working/current-rows';
import type { Working } from './working/working';

/** The fields by which a role gives something. */
const GIVING: readonly string[] = ['permissions', 'roles'];

/** Takes back what was bound to entities that were deleted on the way; `isEntity` tells entities from statements. */
export const unbind = (
  standing: Standing,
  entities: Entities,
  ended: (row: StandingRow, key: string) => void,
): void => {
  for (const deleted of [...entities.touched].filter(({ wasDeleted }) => wasDeleted)) {
    for (const row of standing.referring(deleted.kind.label, deleted.key)) {
      if (!entities.isEntity(row.row.kind)) {
        ended(row, deleted.key);
        continue;
      }
      const referring = entities.of(row);
      // What came anew says nothing of old.
      if (referring.isAlive && !referring.isAdded) forget(referring.draft, deleted);
    }
  }
};

// Where a resource stands is not for others to take back: what was in a deleted one is deleted, or has moved.
const forget = (draft: Draft, { kind: node, key }: Working): void =>
  draft.retract(
    ({ kind, other }) =>
      other === key && (kind.from === node || kind.to === node) && kind.type !== 'CONTAINS',
  );

/** Writes the fields that waited for all entities: references are bound now (docs/rules.md: Increments). */
export const bindReferences = (entities: Entities, context: RowContext): void => {
  for (const entity of [...entities.touched]) {
    if (!entity.isAlive) continue;
    const { draft, pending } = entity;
    for (const { field, entity: given, place } of pending.values()) {
      draft.retract(({ kind }) => field.relationships.includes(kind));
      field.write(draft, given, place, context);
    }
    // The last entry that said something of it.
    const said = [...pending.values()].findLast(({ field: { name } }) => GIVING.includes(name));
    const place = said?.place ?? (entity.isAdded ? entity.addedPlace : null);
    if (place !== null && isEmptyRole(draft)) context.remarkEmptyRole(place);
  }
};

/** A dynamic property may come with any entry; how many there are is judged in the end. */
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

/** The rows of entities as they end; `finish` sets what follows from elsewhere. */
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

/** A row that stands as it ends, with its look-ups anew. */
export const rowOf = (draft: Draft): Row => draft.row(lookupsOf(draft.kind, draft.properties));

/** Resources that stand elsewhere now, or are called otherwise, take what is below them along: its path says where it is. */
export const touchMoved = (standing: Standing, entities: Entities): void => {
  for (const entity of [...entities.touched]) {
    const { kind, isAlive, before, key } = entity;
    if (kind !== Resource || !isAlive || before === null) continue;
    // As long as a step of its path is not known, it only seems to be another one.
    if (!entities.upwards(entity).every((step) => standing.isKnown(step.key))) continue;
    const { names } = entities.paths(entity);
    const contained = before.row.relationships.find(({ kind: { type } }) => type === 'CONTAINS');
    if (names === before.row.properties.path && contained?.other === entity.parent) continue;
    for (const row of standing.below(key)) entities.of(row);
  }
};

/** Whether any node of these kinds stands in the end. */
export const anyStands = (
  standing: Standing,
  kinds: readonly NodeKind[],
  entities: Entities,
): boolean => {
  const touched = [...entities.touched].filter(({ kind }) => kinds.includes(kind));
  if (touched.some(({ isAlive }) => isAlive)) return true;
  const gone = new Set(touched.filter(({ before }) => before !== null).map(({ key }) => key));
  return kinds.some((kind) =>
    standing.some(kind.label, gone.size + 1).some((key) => !gone.has(key)),
  );
};

/** Role assignments are called by their role, and what is in an application by its type. */
export const renamedRoles = (entities: Entities): readonly Working[] =>
  [...entities.touched].filter(
    ({ kind, isAlive, before, name }) =>
      kind === LocalRole && isAlive && before !== null && before.row.properties.name !== name,
  );

/** Applications whose type is another one now. */
export const retypedApplications = (entities: Entities): readonly Working[] =>
  [...entities.touched].filter(
    ({ kind, isAlive, before, draft }) =>
      kind === Application &&
      isAlive &&
      before !== null &&
      before.row.properties.application_type !== draft.properties.application_type,
  );
