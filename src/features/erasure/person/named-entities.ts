import { unescapePart } from '../../../model/key';
import type { PersonNames } from '../../../model/person-names';
import { CUSTOM_PREFIX } from '../../../model/property-name';
import { CloudRole, ExternalEntity, Tag } from '../../../model/shared-nodes';
import type { Names, NodeKind } from '../../../model/table';
import { Grant, RoleAssignment } from '../../../templates/application/statements';
import { Resource } from '../../../templates/application/resources';
import { sharedKinds } from '../../../templates/graph/nodes';
import { allRowKinds } from '../../../templates/templates';
import { PERSON_LABELS } from '../statements';
import { SERVICE_PROPERTIES } from '../../../graph/write/current-rows';

/** What the declarations of the model say about names in entities (`Names` in `src/model/property.ts`). */

export type Properties = Readonly<Record<string, unknown>>;

/** Their names and keys follow from the things that they are about. */
export const FOLLOWING: ReadonlySet<string> = new Set(
  [Grant, RoleAssignment].map(({ label }) => label),
);

/** Properties that make an entity what it is, and that stay. */
const STAYS: readonly Names[] = ['id', 'title', 'structure', 'part', 'called', 'nobody'];
/** By what people and groups are known. Where others have a name of the person, it is theirs. */
const KNOWN_BY: readonly Names[] = ['id', 'login', 'display', 'address', 'account'];
/** By such a name an entity may be named after a person. */
const MAY_BE_AFTER: readonly Names[] = ['title', 'login'];

/** The kinds of rows and shared nodes, by label. */
export const KIND_OF: ReadonlyMap<string, NodeKind> = new Map(
  [...allRowKinds.map(({ node }) => node), ...sharedKinds].map((kind) => [kind.label, kind]),
);

const namesOf = (label: string, property: string): Names | undefined =>
  KIND_OF.get(label)?.properties[property]?.names;

/** By what an entity is known: its name, and what makes its id. */
const ownProperties: ReadonlyMap<string, readonly string[]> = new Map(
  [...KIND_OF.values()].map(({ label, ids }) => [label, [...new Set(['name', ...ids])]]),
);

const isOwn = (label: string, property: string): boolean =>
  (ownProperties.get(label) ?? ['name']).includes(property);

/** Entities that go if their own name is unmistakably the person's, such as a mailbox. */
const NAMED_AFTER: ReadonlySet<string> = new Set(
  allRowKinds.flatMap(({ node: { label } }) => {
    const isPerson = (PERSON_LABELS as readonly string[]).includes(label);
    const mayBe = (ownProperties.get(label) ?? []).some((property) => {
      const names = namesOf(label, property);
      return names !== undefined && MAY_BE_AFTER.includes(names);
    });
    return mayBe && !isPerson && !FOLLOWING.has(label) ? [label] : [];
  }),
);

/** Whether entities of a label go if they are named after the person. */
export const mayBeNamedAfter = (label: string): boolean => NAMED_AFTER.has(label);

/** Whether a property of an entity stays: it makes the entity what it is, or belongs to the service. */
export const mayStay = (label: string, property: string): boolean => {
  if (SERVICE_PROPERTIES.has(property) || property.startsWith('fold_')) return true;
  if (isOwn(label, property)) return true;
  const names = namesOf(label, property);
  return names !== undefined && STAYS.includes(names);
};

/** Whether people and groups are known by a property. */
export const isKnownBy = (label: string, property: string): boolean => {
  const names = namesOf(label, property);
  return names !== undefined && KNOWN_BY.includes(names);
};

/** Whether a property refers to somebody. In others an ordinary word may mean anything. */
export const isReference = (label: string, property: string): boolean =>
  namesOf(label, property) === 'reference';

/** A property, if it is a text. */
export const textIn = (properties: Properties, name: string): string | null => {
  const value = properties[name];
  return typeof value === 'string' ? value : null;
};

/** By what an entity is known. */
export const ownNames = (label: string, properties: Properties): readonly string[] =>
  (ownProperties.get(label) ?? ['name']).flatMap((name) => textIn(properties, name) ?? []);

/** Texts that make an entity what it is, in addition to its own names. */
export const stayingTexts = (label: string, properties: Properties): readonly string[] =>
  Object.entries(properties).flatMap(([name, value]) =>
    mayStay(label, name) &&
    !isOwn(label, name) &&
    !SERVICE_PROPERTIES.has(name) &&
    !name.startsWith('fold_')
      ? [value].flat().filter((text) => typeof text === 'string')
      : [],
  );

/** Whether a text of an entity, or a step of its path, is or holds one of some names. */
export const holdsAny = (properties: Properties, names: PersonNames): boolean => {
  const isHeld = (text: unknown): boolean => typeof text === 'string' && names.isIn(text);
  return (
    names.isInPath(textIn(properties, 'path') ?? '') ||
    Object.entries(properties).some(
      ([name, value]) =>
        !SERVICE_PROPERTIES.has(name) &&
        !name.startsWith('fold_') &&
        (Array.isArray(value) ? value.some(isHeld) : isHeld(value)),
    )
  );
};

/** Whether an entity is named after the person. */
export const isNamedAfter = (
  label: string,
  properties: Properties,
  names: PersonNames,
): boolean => {
  if (!mayBeNamedAfter(label)) return false;
  if (label === Resource.label && names.isInPath(textIn(properties, 'path') ?? '')) return true;
  return ownNames(label, properties).some((name) => names.isUnmistakablyIn(name));
};

/** Whether a shared node names the person, by its key. Ties decide whom an identity means. */
export const isSharedName = (key: string, names: PersonNames): boolean => {
  const [label, first = '', second = ''] = key.split('|').map(unescapePart);
  if (label === Tag.label || label === ExternalEntity.label) return names.isUnmistakablyIn(second);
  return label === CloudRole.label && names.isUnmistakablyIn(first);
};

/** Whether a custom property of a statement, which is a part of its key, holds a name. */
export const isDistinguishedByName = (properties: Properties, names: PersonNames): boolean => {
  const custom = Object.entries(properties).filter(([name]) => name.startsWith(CUSTOM_PREFIX));
  return custom.some(([, value]) =>
    [value].flat().some((text) => typeof text === 'string' && names.isUnmistakablyIn(text)),
  );
};
