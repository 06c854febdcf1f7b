import { pointerOf } from '../codec/pointer';
import { nfc } from '../model/fold';
import type { NodeKind, RelationshipKind } from '../model/table';
import { Permission } from '../templates/application/permissions';
import type { ReferenceSpelling } from '../templates/field';
import { type AppAssignment, ASSIGNMENT } from '../templates/identity-provider/federated';
import { titleOf } from '../warning';
import { customProperties } from './row/custom-values';
import type { FieldWriter } from './field-writer';
import type { Value } from './row/row';

/** A reference and its place in the field, as the end of a JSON pointer. */
interface Reference {
  readonly reference: string;
  readonly step: string;
}

const inField =
  (of: string) =>
  (value: unknown): readonly Reference[] =>
    ((value as readonly Readonly<Record<string, string>>[] | null | undefined) ?? []).map(
      (held, index) => ({ reference: held[of] as string, step: `/${index}/${of}` }),
    );

const read: Readonly<Record<ReferenceSpelling, (value: unknown) => readonly Reference[]>> = {
  texts: (value) =>
    ((value as readonly string[] | null | undefined) ?? []).map((reference, index) => ({
      reference,
      step: `/${index}`,
    })),
  identities: inField('identity'),
  ids: inField('id'),
  managers: inField('id'),
  id: (value) => {
    const held = value as { readonly id: string } | null | undefined;
    return held === null || held === undefined ? [] : [{ reference: held.id, step: '/id' }];
  },
  // Reads both shapes: `{identity: parent}` and the specification's `{parent: "parent"}`.
  parents: (value) =>
    ((value as readonly object[] | null | undefined) ?? []).flatMap((parent, index) =>
      'identity' in parent
        ? [{ reference: String(parent.identity), step: `/${index}/identity` }]
        : Object.keys(parent).map((reference) => ({
            reference,
            step: pointerOf(index, reference),
          })),
    ),
};

/**
 * Writes references by id or name to entities of the same application or identity provider. It
 * states a relationship to each.
 */
export const references = (
  name: string,
  kind: RelationshipKind,
  to: NodeKind,
  spelling: ReferenceSpelling,
): FieldWriter => ({
  name,
  properties: [],
  relationships: [kind],
  write: (draft, entity, place, context) => {
    const list = read[spelling](entity[name]);
    // Repeated references are skipped: they add nothing, and a typed permission has many nodes.
    const related = new Set<object>();
    list.forEach(({ reference, step }) => {
      const pointer = (): string => `${place.pointer}/${name}${step}`;
      // Permissions do not belong to an application.
      const application = to === Permission ? '' : place.application;
      const named = context.resolve(to, application, reference, pointer);
      if (named === null || related.has(named)) return;
      if (named.keys.includes(draft.key)) {
        if (spelling === 'managers') return;
        context.refuse(
          pointer(),
          'SELF_REFERENCE',
          () => `${titleOf(place.subject())} names itself`,
        );
        return;
      }
      related.add(named);
      context.multiply(named.keys.length, pointer);
      for (const key of named.keys) draft.relate(kind, key);
    });
  },
});

/** Writes assignments to apps, which have properties of their own. */
export const assignments = (name: string, kind: RelationshipKind, to: NodeKind): FieldWriter => ({
  name,
  properties: [],
  relationships: [kind],
  write: (draft, entity, place, context) => {
    const given = entity[name] as readonly AppAssignment[] | null | undefined;
    (given ?? []).forEach((assignment, index) => {
      const app = context.resolve(
        to,
        '',
        assignment.app_id,
        () => `${place.pointer}/${name}/${index}/app_id`,
      );
      const properties: Record<string, Value> = {
        id: nfc(assignment.id),
        ...(assignment.name ? { name: nfc(assignment.name) } : {}),
        ...customProperties(
          assignment.custom_properties,
          context.definitions.typesOf({ kind: ASSIGNMENT }),
        ),
      };
      for (const key of app?.keys ?? []) draft.relate(kind, key, properties);
    });
  },
});

interface Mentioned {
  readonly node_type: string;
  readonly id: string;
}

/**
 * Writes entities outside the payload, named by kind and id. The field holds a list, or one entity
 * without a list.
 */
export const externalEntities = (name: string, kind: RelationshipKind): FieldWriter => ({
  name,
  properties: [],
  relationships: [kind],
  write: (draft, entity, _place, context) => {
    for (const { node_type, id } of [entity[name] ?? []].flat() as Mentioned[]) {
      draft.relate(kind, context.externalEntity(node_type, id));
    }
  },
});
