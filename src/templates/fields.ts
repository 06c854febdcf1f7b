import type { AnyCodec } from '../codec/codec';
import { list, sequence, shapes } from '../codec/collections';
import { flag as flagCodec } from '../codec/scalars';
import {
  AssumedRoleArns,
  CustomProperties,
  DynamicProperties,
  Operation,
  Tag,
} from '../codec/shared';
import {
  description as descriptionCodec,
  enumeration,
  notes as notesCodec,
  requiredText,
  text as textCodec,
  time as timeCodec,
} from '../codec/text';
import type { PlainNames, NodeKind } from '../model/table';
import type { Becomes, Field, ITSELF, ReferenceSpelling } from './field';
import type { RelationshipType } from './relationship-type';

const field = <C extends AnyCodec>(codec: C, doc: string, becomes: Becomes): Field<C, false> => ({
  codec,
  isNeeded: false,
  doc,
  becomes,
});

/** Makes a field required. */
export const needed = <C extends AnyCodec>(of: Field<C>): Field<C, true> => ({
  ...of,
  isNeeded: true,
});

const textThat = (names: PlainNames): Becomes => ({ _tag: 'property', type: 'text', names });

/** An optional text of at most 256 bytes. */
export const text = (doc: string, names: PlainNames) => field(textCodec, doc, textThat(names));
/** Optional notes of at most 256 bytes. */
export const notes = (doc: string) => field(notesCodec, doc, textThat('mention'));
/** A required text, which must not be empty. */
export const neededText = (doc: string, names: PlainNames) =>
  needed(field(requiredText, doc, textThat(names)));
/** Optional notes of at most `most` characters. */
export const longNotes = (most: number) =>
  field(descriptionCodec(most), 'Notes.', textThat('mention'));
/** An optional boolean. */
export const flag = (doc: string) =>
  field(flagCodec, doc, { _tag: 'property', type: 'flag', names: 'nobody' });
/** A required boolean. */
export const neededFlag = (doc: string) => needed(flag(doc));
/** An optional RFC 3339 time. */
export const time = (doc: string) =>
  field(timeCodec, doc, { _tag: 'property', type: 'time', names: 'nobody' });
/** An optional field that holds exactly one of these texts. */
export const choice = <V extends string>(
  name: string,
  values: readonly [V, ...(readonly V[])],
  doc: string,
) => field(enumeration(name, values), doc, textThat('nobody'));
/** A text, or a list of texts whose order has a meaning. */
export const oneOrMoreTexts = (name: string, doc: string) =>
  field(shapes(name, { text: textCodec, list: sequence(textCodec) }), doc, {
    _tag: 'property',
    type: 'texts',
    names: 'mention',
  });
/** A list of texts whose order has no meaning. */
export const texts = (doc: string, names: PlainNames) =>
  field(list(textCodec), doc, { _tag: 'property', type: 'texts', names, isSet: true });

/** References to entities of the payload, by their ids or names. */
export const references = (type: RelationshipType, to: NodeKind | typeof ITSELF, doc: string) =>
  field(list(requiredText), doc, { _tag: 'references', type, to, spelling: 'texts' });
/** References with another spelling than a list of texts. */
export const referencesAs = <C extends AnyCodec>(
  spelling: ReferenceSpelling,
  codec: C,
  type: RelationshipType,
  to: NodeKind | typeof ITSELF,
  doc: string,
) => field(codec, doc, { _tag: 'references', type, to, spelling });

/** The fields that many kinds have. */
export const identities = field(
  list(textCodec),
  'Logins, emails or group names by which an identity provider knows it.',
  { _tag: 'identities' },
);
export const assumedRoles = field(AssumedRoleArns, 'ARNs of the cloud roles that it assumes.', {
  _tag: 'assumed roles',
});
export const externalEntities = <C extends AnyCodec>(
  codec: C,
  type: RelationshipType,
  doc: string,
) => field(codec, doc, { _tag: 'external entities', type });
export const tags = field(list(Tag), 'Tags. A full push adds tags and removes none.', {
  _tag: 'tags',
});
export const customProperties = field(
  CustomProperties,
  'Properties that the payload declares in `custom_property_definition`.',
  { _tag: 'custom' },
);
export const dynamicProperties = field(
  DynamicProperties,
  'At most five properties without a declaration. Deprecated: use `custom_properties`.',
  { _tag: 'dynamic' },
);
export const operation = field(
  Operation,
  'What an increment does with the entity. Full pushes must not have it.',
  { _tag: 'the template' },
);

/** A field from which the graph makes something special. */
export const special = <C extends AnyCodec>(codec: C, becomes: Becomes, doc: string) =>
  field(codec, doc, becomes);
