import type * as t from 'io-ts';

import { flatCodecs, type FlatTemplate } from '../flat-template';
import { apps } from './apps';
import { domains } from './domains';
import { ASSIGNMENT } from './federated';
import { groups } from './groups';
import { users } from './users';

const kinds = [domains, users, groups, apps] as const;

const owners = [...kinds.flatMap(({ definition }) => definition ?? []), ASSIGNMENT];

const top = [
  {
    field: 'name',
    property: 'idp_name',
    isEverywhere: false,
    doc: 'Name of the identity provider.',
  },
  {
    field: 'idp_type',
    property: 'idp_type',
    isEverywhere: true,
    doc: 'Type of the identity provider.',
  },
  {
    field: 'idp_description',
    property: 'idp_description',
    isEverywhere: false,
    hasLines: true,
    doc: 'Notes.',
  },
] as const;

/** The template `identity_provider`. */
export const identityProvider: FlatTemplate = {
  kinds,
  root: domains,
  rootName: 'domain',
  rootCount: 'DOMAIN_COUNT',
  top,
  owners,
  typeField: 'idp_type',
  isDirectory: true,
};

/** The codecs of identity provider payloads. */
export const { whole: IdentityProviderPayload, increment: IdentityProviderIncrement } = flatCodecs(
  'identity provider payload',
  kinds,
  top,
  owners,
);
export type IdentityProviderPayload = t.TypeOf<typeof IdentityProviderPayload>;
export type IdentityProviderIncrement = t.TypeOf<typeof IdentityProviderIncrement>;
