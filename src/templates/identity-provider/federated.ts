import type * as t from 'io-ts';

import { list, shapes } from '../../codec/collections';
import { CustomProperties } from '../../codec/shared';
import { struct } from '../../codec/struct';
import { enumeration, requiredText, text as textCodec } from '../../codec/text';
import { fold } from '../../model/fold';
import { folded, type Lookup, type Lookups, type NodeKind, text } from '../../model/table';
import { externalEntities, special } from '../fields';
import type { Entry } from '../kind';
import { types } from '../relationship-type';

/**
 * Properties that every row of an identity provider gets from the domain and the top of the
 * payload.
 */
export const ofProvider = {
  domain: text('Name of the domain.', 'structure'),
  idp_type: text('Type of the identity provider.', 'structure'),
};

/** The types of identity providers that a source identity may name. */
const ProviderType = enumeration('provider type', [
  'active_directory',
  'any',
  'azure_ad',
  'custom',
  'google_workspace',
  'okta',
  'one_login',
]);

const SourceIdentity = struct(
  'source identity',
  { identity: requiredText, provider_type: ProviderType },
  {},
  {
    docs: {
      identity: 'The id or name of the user or group there.',
      provider_type: 'The type of that identity provider, or `any`.',
    },
  },
);

/** The id of the source that an entry names. */
export const claimedSource = ({ source_identity: source }: Entry): unknown =>
  typeof source === 'object' && source !== null && 'identity' in source
    ? source.identity
    : undefined;

export const sourceIdentity = special(
  SourceIdentity,
  { _tag: 'source identity' },
  'The user or group of another identity provider from which it comes.',
);

const EntityOwned = struct(
  'owned entity',
  { node_type: requiredText, id: requiredText },
  {},
  { docs: { node_type: 'The type of the entity.', id: 'The id of the entity.' } },
);

/** Entities for which a principal is responsible: a list, or one entity without a list. */
export const entitiesOwned = externalEntities(
  shapes('owned entities', { list: list(EntityOwned), object: EntityOwned }),
  types.OWNS,
  'Entities of applications for which it is responsible.',
);

const AppAssignment = struct(
  'app assignment',
  { id: requiredText, app_id: requiredText },
  { name: textCodec, custom_properties: CustomProperties },
  {
    docs: {
      id: 'The id of the assignment.',
      app_id: 'The id of the app.',
      name: 'Name.',
      custom_properties: 'Properties that the payload declares for app assignments.',
    },
  },
);

export type AppAssignment = t.TypeOf<typeof AppAssignment>;

/** The name that definitions of custom properties use for app assignments. */
export const ASSIGNMENT = 'app_assignment';

/** The apps to which a principal is assigned. */
export const appAssignments = (to: NodeKind) =>
  special(list(AppAssignment), { _tag: 'assignments', to }, 'Apps to which it is assigned.');

/**
 * Folds a provider type and removes `_`, `-` and spaces, for the comparison of `source_identity`.
 */
const foldProviderType = (type: string): string => fold(type).replace(/[_\- ]/g, '');

const providerType = (doc: string, property: string, ...wildcards: readonly string[]): Lookup => ({
  ...text(doc, 'lookup'),
  of: (textOf) => {
    const type = textOf(property);
    const compared = type === null ? null : foldProviderType(type);
    return compared === null || wildcards.includes(compared) ? null : compared;
  },
});

/** The look-ups of users and groups. */
export const lookups: Lookups = {
  fold_id: folded('Its id (docs/rules.md: Keys), folded.', 'identity', 'name'),
  fold_name: folded('`name`, folded.', 'name'),
};

/** The look-ups that find source identities. */
export const lookupsOfSource: Lookups = {
  fold_source_identity: folded('`source_identity`, folded.', 'source_identity'),
  fold_source_type: providerType(
    '`source_identity_provider_type`, folded, without `_`, `-` and spaces; absent for `any` and `custom`.',
    'source_identity_provider_type',
    'any',
    'custom',
  ),
  fold_idp_type: providerType('`idp_type`, folded, without `_`, `-` and spaces.', 'idp_type'),
};
