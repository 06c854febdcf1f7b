import type * as t from 'io-ts';

import { list } from '../../codec/collections';
import { flag } from '../../codec/scalars';
import { struct } from '../../codec/struct';
import { requiredText, text as textCodec } from '../../codec/text';
import { folded, type Lookups, type TextOf, text as textProperty } from '../../model/table';
import type { FieldsOfKind } from '../field';
import { customProperties, operation, special, tags, text } from '../fields';
import { kind, type KindWords } from '../kind';

/** The owner of an entity: the person or group that is responsible for it. */
export const Owner = struct(
  'owner',
  { external_id: requiredText },
  { owner_type: textCodec, primary: flag },
  {
    docs: {
      external_id: 'The login, email or group name by which an identity provider knows the owner.',
      owner_type: 'The type of ownership.',
      primary: 'Whether this is the main owner.',
    },
  },
);

export type Owner = t.TypeOf<typeof Owner>;

/** Fields that every entity of an application may have. */
export const common = {
  owners: special(
    list(Owner),
    { _tag: 'owners' },
    'The people and groups that are responsible for it.',
  ),
  tags,
  custom_properties: customProperties,
  operation,
};

/** Properties that name the application of a row. */
export const inApplication = {
  application: textProperty('Name of the application.', 'structure'),
  application_type: textProperty('Type of the application.', 'structure'),
};

/** A look-up that every row in an application has. */
export const ofApplicationType = {
  fold_application_type: folded('`application_type`, folded.', 'application_type'),
} satisfies Lookups;

/** The id fields that entities of an application have in addition to their name. */
export const ids = {
  id: text('Identifier.', 'id'),
  unique_id: text('Identifier that takes precedence over `id`.', 'id'),
};

const otherId = (textOf: TextOf): string | null =>
  textOf('unique_id') === null ? null : textOf('id');

/** Declares a kind of entity that an application lists. */
export const localKind = <L extends string, F extends FieldsOfKind>(
  words: Omit<KindWords<L, F>, 'ids'>,
) =>
  kind<L, F & typeof common>({
    ...words,
    ids: ['unique_id', 'id', 'name'],
    fields: { ...words.fields, ...common },
    otherProperties: inApplication,
    lookups: {
      fold_id: folded('Its id (docs/rules.md: Keys), folded.', 'unique_id', 'id', 'name'),
      fold_other_id: {
        ...textProperty('`id` of an entity whose id is its `unique_id`, folded.', 'lookup'),
        of: otherId,
      },
      fold_name: folded('`name`, folded.', 'name'),
      ...ofApplicationType,
    },
    indexes: ['fold_id', 'fold_other_id', 'fold_name', ...(words.indexes ?? [])],
  });
