import { checkDeclarations } from '../check/custom-properties';
import type { Definitions } from '../check/definitions';
import { declaredByFlat } from '../check/flat';
import { pointerOf } from '../codec/pointer';
import { nfc } from '../model/fold';
import { DataSource } from '../model/service-nodes';
import { RowContext } from '../rows/row/context';
import { typesOf } from '../rows/flat';
import { entitiesOf, type FlatPayload } from '../templates/flat-payload';
import type { FlatTemplate } from '../templates/flat-template';
import { relationshipKind } from '../templates/graph/relationships';
import { Entities } from './working/entities';
import { Edits } from './edits';
import { Entries } from './entries';
import { bindReferences, entityRows, judgeDynamicProperties, unbind } from './finish';
import type { Outcome } from './outcome';
import { Remarks } from './working/problems';
import type { CurrentRows } from './working/current-rows';
import { textOf } from './working/working';

/** Computes what an increment of a flat template changes (docs/rules.md: Increments). */
export const flatIncrement = (
  template: FlatTemplate,
  payload: object,
  remembered: Definitions,
  current: CurrentRows,
): Outcome => {
  const { kinds, root, rootName, rootCount } = template;
  const remarks = new Remarks();
  const declared = checkDeclarations(
    declaredByFlat(template, payload),
    remembered,
    remarks.problems,
  );
  const definitions = declared.merge(remembered);
  const entities = new Entities(current, kinds, null);
  const context = new RowContext(entities, definitions);
  const entries = new Entries(
    entities,
    new Edits(entities, current, definitions, context, remarks),
    remarks,
  );

  // Loads the root, since every row carries its name. It requests two roots to find out if there is
  // more than one.
  for (const key of current.some(root.node.label, 2)) entities.at(root.node, key);
  const [rootBefore] = [...entities.touched];
  const before = rootBefore?.before?.row.properties ?? {};

  const around = { application: null, parent: null, operation: null, isUnknown: false };
  for (const kind of kinds) {
    for (const [entry, steps] of entitiesOf(payload, kind)) {
      entries.enter(kind, entry, pointerOf(...steps), around);
    }
  }

  unbind(current, entities, () => undefined);
  entities.settle();
  bindReferences(entities, context);
  judgeDynamicProperties(entities, remarks);

  const currentRoots = [...entities.touched].filter(
    ({ kind, isAlive }) => kind === root.node && isAlive,
  );
  const [rootNow] = currentRoots;
  if (currentRoots.length !== 1) {
    for (const { kind, cameAt, wentAt } of entities.touched) {
      if (kind !== root.node) continue;
      for (const pointer of [...cameAt, ...wentAt]) {
        remarks.refuse(
          pointer,
          rootCount,
          () => `leads to ${currentRoots.length} ${root.word}s: expected exactly one`,
        );
      }
    }
  }

  const top: Record<string, string> = {};
  for (const { field, property } of template.top) {
    const stated = (payload as FlatPayload)[field] as string | null | undefined;
    const value = stated === undefined ? textOf(before, property) : nfc(stated ?? '');
    if (value !== '') top[property] = value;
  }
  const everywhere = template.top.filter(({ isEverywhere }) => isEverywhere);
  // Without a root this writes nothing: either the root is not read yet, or the increment is
  // refused.
  const changesAll =
    rootNow !== undefined &&
    (rootNow.name !== textOf(before, 'name') ||
      everywhere.some(({ property }) => top[property] !== before[property]));
  if (changesAll) for (const row of current.everything()) entities.of(row);

  const from = relationshipKind(root.node, 'FROM', DataSource);
  const rows = entityRows(entities, (draft, { kind }) => {
    const set = kind === root.node ? template.top : everywhere;
    delete draft.properties[rootName];
    draft.text(rootName, rootNow?.name);
    for (const { property } of set) {
      delete draft.properties[property];
      draft.text(property, top[property]);
    }
    if (kind === root.node) draft.relate(from, '');
  });

  return {
    problems: [remarks.problems.list(), context.problems.list()],
    rows,
    shared: context.shared,
    mentions: context.mentions,
    remarks: [...context.remarks, ...remarks.warnings],
    definitions: declared,
    types: typesOf(template, textOf(top, template.typeField)),
  };
};
