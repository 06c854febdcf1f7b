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
  requiredText,
  text as textCodec,
  time as timeCodec,
} from '../codec/text';
import type { NodeKind } from '../model/table';
import type { Becomes, Field, ITSELF, ReferenceSpelling } from './field';
import type { RelationshipType } from './relationship-type';

const field = <C extends AnyCodec>(codec: C, doc: string, becomes: Becomes): Field<C, false> => ({
  codec,
  isNeeded: false,
  doc,
  becomes,
});

/** The same field of an entity that cannot be without it. */
export const needed = <C extends AnyCodec>(of: Field<C>): Field<C, true> => ({
  ...of,
  isNeeded: true,
});

const TEXT: Becomes = { _tag: 'property', type: 'text' };

/** A text of at most 256 bytes. */
export const text = (doc: string) => field(textCodec, doc, TEXT);
/** A text that an entity cannot be without, and that is not empty. */
export const neededText = (doc: string) => needed(field(requiredText, doc, TEXT));
/** A text of at most so many characters. */
export const description = (doc: string, most: number) => field(descriptionCodec(most), doc, TEXT);
/** A boolean. */
export const flag = (doc: string) => field(flagCodec, doc, { _tag: 'property', type: 'flag' });
/** A boolean that an entity cannot be without. */
export const neededFlag = (doc: string) => needed(flag(doc));
/** An RFC 3339 time. */
export const time = (doc: string) => field(timeCodec, doc, { _tag: 'property', type: 'time' });
/** One of some texts. */
export const choice = <V extends string>(
  name: string,
  values: readonly [V, ...(readonly V[])],
  doc: string,
) => field(enumeration(name, values), doc, TEXT);
/** A text, or texts in an order that says something. */
export const oneOrMoreTexts = (name: string, doc: string) =>
  field(shapes(name, { text: textCodec, list: sequence(textCodec) }), doc, {
    _tag: 'property',
    type: 'texts',
  });
/** Texts whose order says nothing. */
export const texts = (doc: string) =>
  field(list(textCodec), doc, { _tag: 'property', type: 'texts', isSet: true });

/** References to entities of the payload, by their ids or names. */
export const references = (type: RelationshipType, to: NodeKind | typeof ITSELF, doc: string) =>
  field(list(requiredText), doc, { _tag: 'references', type, to, spelling: 'texts' });
/** References that are spelled in another way than as texts. */
export const referencesAs = <C extends AnyCodec>(
  spelling: ReferenceSpelling,
  codec: C,
  type: RelationshipType,
  to: NodeKind | typeof ITSELF,
  doc: string,
) => field(codec, doc, { _tag: 'references', type, to, spelling });

/** Fields that many kinds have. */
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
export const tags = field(list(Tag), 'Tags; full pushes add to those that stand.', {
  _tag: 'tags',
});
export const customProperties = field(
  CustomProperties,
  'Properties that the payload declares in `custom_property_definition`.',
  { _tag: 'custom' },
);
export const dynamicProperties = field(
  DynamicProperties,
  'At most five properties that nothing declares. Deprecated: use `custom_properties`.',
  { _tag: 'dynamic' },
);
export const operation = field(
  Operation,
  'What an increment does with the entity. A full push must not have it.',
  { _tag: 'the template' },
);

/** A field that becomes something of its own. */
export const special = <C extends AnyCodec>(codec: C, becomes: Becomes, doc: string) =>
  field(codec, doc, becomes);
