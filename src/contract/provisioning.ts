import type * as t from 'io-ts';

import { dictionary, list, shapes } from '../codec/collections';
import { flag, number, wholeNumber } from '../codec/scalars';
import { struct } from '../codec/struct';
import { enumeration, filterText, requiredText, Text, text } from '../codec/text';
import { RegisteredName } from './envelopes';

const bytes = (name: string, most: number): Text =>
  new Text(name, { most, measure: 'bytes', mayBeEmpty: false });

const address = bytes('address', 2048);
/** The fewest characters of a secret; `src/secrets/hidden-secret.ts` hides no shorter one. */
export const SHORTEST_SECRET = 8;

/**
 * Tokens of some applications are signed texts of several thousand characters. If an application
 * repeats a secret shorter than the least, the service could not distinguish it from other words.
 */
const secret = new Text('secret', {
  ...{ most: 16 * 1024, least: SHORTEST_SECRET, measure: 'bytes', mayBeEmpty: false },
});

const entityId = bytes('id of an entity', 4096);

/** How the service signs in to an application. Which fields it needs follows from `type`. */
export const AuthenticationRequest = struct(
  'authentication',
  { type: enumeration('type of authentication', ['bearer', 'basic', 'oauth2']) },
  {
    token: secret,
    user: requiredText,
    password: secret,
    token_url: address,
    client_id: bytes('client id', 1024),
    client_secret: secret,
    scope: bytes('scope', 1024),
    client_sign_in: enumeration('sign-in of the client', ['header', 'body']),
  },
  {
    docs: {
      type: '`bearer`, `basic`, or `oauth2` with client credentials.',
      token: 'The token, of `bearer`.',
      user: 'The user, of `basic`.',
      password: 'The password, of `basic`.',
      token_url: 'The token endpoint, of `oauth2`.',
      client_id: 'The client, of `oauth2`.',
      client_secret: 'Its secret, of `oauth2`.',
      scope: 'Scopes to request, for `oauth2`; unset: none.',
      client_sign_in: 'Whether the client signs in by `header` (the default) or in the `body`.',
    },
  },
);
export type AuthenticationRequest = t.TypeOf<typeof AuthenticationRequest>;

/**
 * How an application differs from the standard. For unset fields the service uses what the
 * application announces, or what is usual.
 */
export const ProfileRequest = struct(
  'profile',
  {},
  {
    patch: flag,
    filter: flag,
    etag: flag,
    external_id: flag,
    patch_paths: flag,
    member_removal: enumeration('removal of members', ['path', 'value']),
    members_at_once: wholeNumber(1, 1000),
    shows_all_members: flag,
    paging: enumeration('paging', ['index', 'cursor']),
    page_size: wholeNumber(1, 1000),
    media_type: enumeration('media type', ['application/scim+json', 'application/json']),
  },
  {
    docs: {
      patch: 'Whether it accepts PATCH.',
      filter: 'Whether it accepts filters.',
      etag: 'Whether it checks `If-Match`.',
      external_id: 'Whether it stores `externalId`.',
      patch_paths: 'Whether operations of a PATCH name paths; else they hold an object.',
      member_removal: '`path`: by the path of the member. `value`: by a value of `members`.',
      members_at_once: 'How many members one PATCH may change.',
      shows_all_members: 'Whether groups show all their members; a group that shows none has none.',
      paging: 'How it gives the pages of lists: by `index` or by `cursor`.',
      page_size: 'How many resources to request in a page.',
      media_type: 'The media type of requests.',
    },
  },
);
export type ProfileRequest = t.TypeOf<typeof ProfileRequest>;

/** The properties of a person from which each attribute of an account is made. */
export const AttributesRequest = dictionary(
  'attributes',
  requiredText,
  shapes('properties of people', { text: requiredText, list: list(requiredText) }),
);
export type AttributesRequest = t.TypeOf<typeof AttributesRequest>;

/** A request to set the connection of a provider to its application. */
export const SetConnectionRequest = struct(
  'connection',
  { base_url: address, authentication: AuthenticationRequest },
  { attributes: AttributesRequest, profile: ProfileRequest },
  {
    docs: {
      base_url: 'The address below which `/Users` and `/Groups` are.',
      authentication: 'How to sign in.',
      attributes: 'Attributes of accounts, in addition to the usual ones, or in place of them.',
      profile: 'How the application differs from the standard.',
    },
  },
);
export type SetConnectionRequest = t.TypeOf<typeof SetConnectionRequest>;

const personDocs = {
  user: 'The id of a user of an identity provider, as the search shows it.',
  adopt: 'Whether an account that names somebody else belongs to this person nevertheless.',
  force:
    'Whether the account is changed although a policy manages it for somebody else. Release it there instead, if you can.',
};

/** A request to create or update the account of a person. */
export const AccountRequest = struct(
  'account request',
  { user: entityId },
  { adopt: flag, force: flag },
  { docs: personDocs },
);
export type AccountRequest = t.TypeOf<typeof AccountRequest>;

/**
 * A request to disable or delete the account of a person, or an account that the request names by
 * its id.
 */
export const DeprovisionRequest = struct(
  'deprovision request',
  { how: enumeration('way of deprovisioning', ['disable', 'delete']) },
  { user: entityId, account: text, adopt: flag, force: flag },
  {
    oneOf: { fields: ['user', 'account'], missing: 'user' },
    docs: {
      ...personDocs,
      how: '`disable` or `delete`.',
      account: 'The id of the account in the application, for people who are gone from the graph.',
    },
  },
);
export type DeprovisionRequest = t.TypeOf<typeof DeprovisionRequest>;

/** A request to add accounts to a group, or to remove them. */
export const MembersRequest = struct(
  'members request',
  { group: requiredText },
  { users: list(entityId), accounts: list(requiredText), adopt: flag, force: flag },
  {
    docs: {
      group: 'The name of the group in the application, or its id.',
      users: 'Ids of users of identity providers.',
      accounts: 'Ids of accounts in the application.',
      adopt: personDocs.adopt,
      force: personDocs.force,
    },
  },
);
export type MembersRequest = t.TypeOf<typeof MembersRequest>;

const interval = shapes('interval', { number, text: requiredText });

/** A request to set how the application of a provider is imported. */
export const SetImportRequest = struct(
  'import request',
  {},
  {
    data_source: RegisteredName,
    every: interval,
    whole_every: interval,
    leave_out: filterText('filter of SCIM', 4096),
  },
  {
    docs: {
      data_source:
        'The name of the data source; it is created if there is none. Default: the name of the provider.',
      every:
        'How often it is imported: seconds, or a duration such as `PT1H`. Unset: by call only.',
      whole_every:
        'How often it is read completely, since only that shows what is gone. Default: a day.',
      leave_out: 'A filter of SCIM: accounts that fit are left out.',
    },
  },
);
export type SetImportRequest = t.TypeOf<typeof SetImportRequest>;
