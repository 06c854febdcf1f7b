import type { Definitions } from '../check/definitions';
import { Names } from '../check/names';
import { pointerOf } from '../codec/pointer';
import { nfc } from '../model/fold';
import { idOf, keyOf } from '../model/key';
import { CUSTOM_PREFIX, DYNAMIC_PREFIX } from '../model/property-name';
import { DataSource } from '../model/service-nodes';
import { entitiesOf, type FlatEntity, type FlatPayload } from '../templates/flat-payload';
import type { FlatTemplate } from '../templates/flat-template';
import { relationshipKind } from '../templates/graph/relationships';
import type { EntityKind } from '../templates/kind';
import { RowContext } from './row/context';
import { putPrefixed } from './row/custom-values';
import { Draft } from './row/draft';
import { writersOf } from './kind-writers';
import { lookupsOf } from './row/lookups';
import type { Place } from './row/place';
import type { Row } from './row/row';
import type { Rows } from './row/rows';

/** The name by which messages call an entity, or its id if `name` is no id field of its kind. */
const calledOf = ({ node }: EntityKind, entity: FlatEntity): string =>
  node.ids.includes('name') ? (entity.name ?? '') : idOf(node, entity);

/** The entities that references in the payload can name. */
const namesOf = ({ kinds }: FlatTemplate, payload: object): Names => {
  const names = new Names();
  const named = new Set(kinds.flatMap(({ relations }) => relations.map(({ other }) => other)));
  for (const kind of kinds) {
    const { node, word } = kind;
    if (!named.has(node)) continue;
    for (const [entity, steps] of entitiesOf(payload, kind)) {
      const id = idOf(node, entity);
      const name = nfc(entity.name ?? '');
      names.add(node.label, '', {
        id,
        name,
        pointer: pointerOf(...steps),
        steps: [[id], [], [name]],
        keys: [keyOf(node.label, id)],
        title: () => `${word} ${JSON.stringify(calledOf(kind, entity))}`,
      });
    }
  }
  return names;
};

const placeOf = (
  { word }: EntityKind,
  { name }: FlatEntity,
  steps: readonly (string | number)[],
): Place => ({
  pointer: pointerOf(...steps),
  subject: () => ({ kind: word, name: name ?? '' }),
  application: '',
});

const textOf = (payload: object, field: string): string =>
  ((payload as FlatPayload)[field] as string | null | undefined) ?? '';

/** Makes the rows of a flat template's payload (docs/rules.md: Nodes, Relationships). */
export const flatRows = (
  template: FlatTemplate,
  payload: object,
  definitions: Definitions,
): Rows => {
  const { kinds, root, rootName, top } = template;
  const context = new RowContext(namesOf(template, payload), definitions);
  const [first] = entitiesOf(payload, root);
  const rows: Row[] = [];
  const from = relationshipKind(root.node, 'FROM', DataSource);
  for (const kind of kinds) {
    const { node, definition } = kind;
    const writers = writersOf(kind);
    const types = definitions.typesOf({ kind: definition ?? '' });
    for (const [entity, steps] of entitiesOf(payload, kind)) {
      const draft = new Draft(node, keyOf(node.label, idOf(node, entity)));
      const place = placeOf(kind, entity, steps);
      for (const writer of writers) writer.write(draft, entity, place, context);
      draft.text(rootName, first?.[0].name);
      for (const { field, property, isEverywhere } of top) {
        if (isEverywhere || kind === root) draft.text(property, textOf(payload, field));
      }
      if (kind === root) draft.relate(from, '');
      putPrefixed(draft.properties, CUSTOM_PREFIX, entity.custom_properties, types);
      putPrefixed(draft.properties, DYNAMIC_PREFIX, entity.dynamic_properties);
      rows.push(draft.row(lookupsOf(node, draft.properties)));
    }
  }
  return {
    rows,
    shared: context.shared,
    problems: context.problems.list(),
    mentions: context.mentions,
    remarks: context.remarks,
    types: typesOf(template, textOf(payload, template.typeField)),
  };
};

/** The types that a payload adds to the record of its provider. */
export const typesOf = ({ isDirectory }: FlatTemplate, type: string): Rows['types'] => ({
  application_types: [],
  resource_types: [],
  idp_types: isDirectory && type !== '' ? [nfc(type)] : [],
});
