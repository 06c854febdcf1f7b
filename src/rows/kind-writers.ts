import { byCodeUnits, nfc } from '../model/fold';
import { parseInstant } from '../model/instant';
import type { NodeKind, ValueType } from '../model/table';
import { type Field, relationOf } from '../templates/field';
import { relationshipKind } from '../templates/graph/relationships';
import type { EntityKind } from '../templates/kind';
import { assumedRoles, identities, owners } from './awaiting-fields';
import { type FieldWriter, valued } from './field-writer';
import { assignments, externalEntities, references } from './reference-fields';
import type { Value } from './row/row';

type Text = string | null | undefined;

const textsOf = (value: unknown): readonly string[] =>
  // The service leaves `""` in a list out (docs/rules.md: Values).
  [(value as string | readonly string[] | null | undefined) ?? []]
    .flat()
    .filter((text) => text !== '')
    .map(nfc);

/**
 * Makes the writer of a list whose order has no meaning. The row holds it sorted, each text once.
 */
const setOfTexts = (name: string): FieldWriter =>
  valued(name, (draft, value) => draft.set(name, [...new Set(textsOf(value))].sort(byCodeUnits)));

const property: Readonly<Record<ValueType, (name: string) => FieldWriter>> = {
  text: (name) => valued(name, (draft, value) => draft.text(name, value as Text)),
  flag: (name) => valued(name, (draft, value) => draft.set(name, value as Value | null)),
  number: (name) => valued(name, (draft, value) => draft.set(name, value as Value | null)),
  // The service stores times in UTC (docs/rules.md: Values).
  time: (name) =>
    valued(name, (draft, value) => draft.set(name, value ? parseInstant(value as string) : null)),
  texts: (name) => valued(name, (draft, value) => draft.set(name, textsOf(value))),
};

interface SourceIdentity {
  readonly identity: string;
  readonly provider_type: string;
}

const sourceIdentity = (name: string): FieldWriter =>
  valued(
    name,
    (draft, value) => {
      const source = value as SourceIdentity | null | undefined;
      draft.text('source_identity', source?.identity);
      draft.text('source_identity_provider_type', source?.provider_type);
    },
    ['source_identity', 'source_identity_provider_type'],
  );

interface Tagged {
  readonly key: string;
  readonly value?: string | null;
}

/** Writes tags. They accumulate over pushes (docs/rules.md: Tags). */
const tags = (name: string): FieldWriter => ({
  name,
  properties: [],
  relationships: [],
  write: (draft, entity, _place, context) => {
    for (const { key, value } of (entity[name] as readonly Tagged[] | null | undefined) ?? []) {
      draft.tag(context.tag(key, value));
    }
  },
});

/** The writer of a field, or `null` if code of the template handles the field. */
const writerOf = (name: string, field: Field, node: NodeKind): FieldWriter | null => {
  const { becomes } = field;
  const relation = relationOf(field, node);
  const stated = () => {
    if (relation === null) throw new Error(`the field ${name} of ${node.label} states nothing`);
    const { type, other, owner } = relation;
    return owner === 'from'
      ? relationshipKind(node, type.type, other)
      : relationshipKind(other, type.type, node);
  };
  switch (becomes._tag) {
    case 'property':
      return becomes.isSet === true ? setOfTexts(name) : property[becomes.type](name);
    case 'source identity':
      return sourceIdentity(name);
    case 'references':
      return references(name, stated(), relation?.other ?? node, becomes.spelling);
    case 'identities':
      return identities(name, stated());
    case 'owners':
      return owners(name, stated());
    case 'assumed roles':
      return assumedRoles(name, stated());
    case 'external entities':
      return externalEntities(name, stated());
    case 'assignments':
      return assignments(name, stated(), becomes.to);
    case 'tags':
      return tags(name);
    case 'custom':
    case 'dynamic':
    case 'the template':
      return null;
  }
};

const known = new WeakMap<EntityKind, readonly FieldWriter[]>();

/** The writers of a kind's fields, in the order in which the kind declares them. */
export const writersOf = (kind: EntityKind): readonly FieldWriter[] => {
  const made =
    known.get(kind) ??
    Object.entries(kind.fields).flatMap(([name, field]) => writerOf(name, field, kind.node) ?? []);
  known.set(kind, made);
  return made;
};
