import type * as t from 'io-ts';

import { list, sequence, shapes } from '../../codec/collections';
import { exact, has, mapOf, may, nullable } from '../../codec/exact';
import { flag, number, wholeNumber } from '../../codec/scalars';
import { struct } from '../../codec/struct';
import { anyText, enumeration, filterText, requiredText, Text, text, time } from '../../codec/text';
import { Done, valueOf } from '../../contract/answers/page';
import { PlanAnswer } from '../../contract/answers/plan';
import { PushAnswer } from '../../contract/answers/pushes';
import { anyJson, count, textOrNull } from '../../contract/answers/values';
import { RegisteredName } from '../../contract/registration';
import { CONFIRM_REMOVAL } from '../../contract/parameters/confirm-removal';
import { flagText, NoParameters } from '../../contract/parameters/query-parameters';
import { AttributesRequest } from '../../contract/provisioning';
import { LISTING_BODY } from '../../web/bodies/body-bounds';
import type { Access, Endpoints } from '../../web/routing/route';

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
  most: 16 * 1024,
  least: SHORTEST_SECRET,
  measure: 'bytes',
  mayBeEmpty: false,
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

const ActionParameters = struct('the query of an action', {}, { dry_run: flagText });

const ImportParameters = struct(
  'the query of an import',
  {},
  { dry_run: flagText, whole: flagText },
);

const flagOrNull = nullable(flag);

/** How an application differs from the standard (docs/provisioning.md: Applications that differ). */
const ProfileAnswer = exact('profile of an application', {
  patch: has(flagOrNull, 'Whether it accepts PATCH; null: as it announces.'),
  filter: has(flagOrNull, 'Whether it accepts filters; null: as it announces.'),
  etag: has(flagOrNull, 'Whether it checks `If-Match`; null: as it announces.'),
  external_id: has(flag, 'Whether it stores `externalId`.'),
  patch_paths: has(flag, 'Whether operations of a PATCH name paths; else they hold an object.'),
  member_removal: has(
    enumeration('removal of members', ['path', 'value']),
    '`path`: by the path of the member. `value`: by a value of `members`.',
  ),
  members_at_once: has(count, 'How many members one PATCH may change.'),
  shows_all_members: has(
    flagOrNull,
    'Whether groups show all their members; null: those do that show any.',
  ),
  paging: has(
    nullable(enumeration('paging', ['index', 'cursor'])),
    'How it gives the pages of lists; null: as it announces.',
  ),
  page_size: has(count, 'How many resources the service requests in a page.'),
  media_type: has(
    enumeration('media type', ['application/scim+json', 'application/json']),
    'The media type of requests.',
  ),
});

/** The connection of a provider to its application, without secrets. */
export const Connection = exact('connection to an application', {
  base_url: has(anyText, 'The address below which the endpoints are.'),
  authentication: has(
    exact('sign-in', {
      type: has(enumeration('type of authentication', ['bearer', 'basic', 'oauth2']), 'The type.'),
      user: may(anyText, 'The user, of `basic`.'),
      token_url: may(anyText, 'The token endpoint, of `oauth2`.'),
      client_id: may(anyText, 'The client, of `oauth2`.'),
      scope: may(textOrNull, 'The scopes, of `oauth2`.'),
      client_sign_in: may(
        enumeration('sign-in of the client', ['header', 'body']),
        'How the client signs in, of `oauth2`.',
      ),
    }),
    'How the service signs in. Nobody is shown the secrets again.',
  ),
  attributes: has(
    mapOf('attributes', sequence(anyText)),
    'For each attribute of an account the properties of people from which it comes; the first that is set counts.',
  ),
  profile: has(ProfileAnswer, 'How the application differs from the standard.'),
  sealed_with: has(anyText, 'The id of the key that seals the secrets.'),
  since: has(time, 'When the connection was first set.'),
  changed: has(time, 'When it was last set.'),
});
export type Connection = t.TypeOf<typeof Connection>;

const ConnectionValue = valueOf('one connection', Connection);

/** Why something could not be done in an application. */
export const ActionProblem = exact('problem with an application', {
  code: has(anyText, 'What went wrong, for programs.'),
  message: has(anyText, 'What went wrong, in a sentence.'),
  retry_after_seconds: may(
    number,
    'After how many seconds the application wants to receive the request again.',
  ),
});
export type ActionProblem = t.TypeOf<typeof ActionProblem>;

const SentRequest = exact('request to an application', {
  method: has(anyText, 'The method.'),
  path: has(anyText, 'The path below the address of the connection.'),
  body: may(mapOf('body of a request', anyJson), 'The body.'),
  sent: has(flag, 'Whether it was sent. A dry run sends only requests that read.'),
  status: has(nullable(count), 'The status of the answer; null if there was none.'),
});

/** What a test of a connection found. */
export const ConnectionTest = exact('test of a connection', {
  works: has(flag, 'Whether the application answered as it should.'),
  problem: has(nullable(ActionProblem), 'What went wrong; null if it works.'),
  can: has(
    nullable(
      exact('what an application can do', {
        announces: has(flag, 'Whether it announces what it can do.'),
        patch: has(flag, 'Whether the service sends PATCH; else PUT.'),
        filter: has(flag, 'Whether the service sends filters; else it reads all.'),
        etag: has(flag, 'Whether the service sends `If-Match`.'),
        paging: has(enumeration('paging', ['index', 'cursor']), 'How lists are read.'),
        page_size: has(count, 'How many resources the service requests in a page.'),
        resource_types: has(list(anyText), 'Names of its types of resources.'),
        schemas: has(list(anyText), 'Its schemas.'),
      }),
    ),
    'What it can do; null if it does not work.',
  ),
  warnings: has(list(anyText), 'What will not work as the connection says.'),
  requests: has(list(SentRequest), 'The requests, in their order.'),
});
export type ConnectionTest = t.TypeOf<typeof ConnectionTest>;

const ConnectionTestValue = valueOf('one test of a connection', ConnectionTest);

/** What happened to one account. */
export const ActionResult = exact('result of an action', {
  user: has(textOrNull, 'The id of the user; null if the request named an account.'),
  account: has(textOrNull, 'The id of the account; null if there is none.'),
  outcome: has(
    enumeration('outcome', [
      'created',
      'adopted',
      'updated',
      'unchanged',
      'disabled',
      'deleted',
      'absent',
      'added',
      'removed',
      'failed',
    ]),
    'What became of it; in a dry run, what would.',
  ),
  confirmed: has(flag, 'Whether the service saw it afterwards in the application.'),
  ignored: has(list(anyText), 'Attributes that the application did not store.'),
  problem: has(nullable(ActionProblem), 'What went wrong; null if nothing did.'),
});
export type ActionResult = t.TypeOf<typeof ActionResult>;

/** What an action did. */
export const ActionAnswer = exact('answer of an action', {
  dry_run: has(flag, 'Whether nothing was changed.'),
  values: has(list(ActionResult), 'One result for each user or account.'),
  requests: has(list(SentRequest), 'The requests to the application, in their order.'),
});
export type ActionAnswer = t.TypeOf<typeof ActionAnswer>;

const reading = has(
  enumeration('reading', ['whole', 'changes']),
  'Whether the service read the complete application, or only what changed.',
);

/** How an import ended, as its settings report it. */
const LastImport = exact('last import', {
  at: has(time, 'When it ended.'),
  outcome: has(
    enumeration('outcome of an import', ['accepted', 'unchanged', 'failed']),
    'Whether it changed the graph, changed nothing, or failed.',
  ),
  reading: has(nullable(enumeration('reading', ['whole', 'changes'])), 'How it was read.'),
  push_id: has(textOrNull, 'The push; null if there was none.'),
  problem: has(nullable(ActionProblem), 'Why it failed; null if it did not.'),
});
export type LastImport = t.TypeOf<typeof LastImport>;

/** How the application of a provider is imported (docs/provisioning.md: Importing an application). */
export const ImportSettingsAnswer = exact('import of an application', {
  data_source_id: has(anyText, 'The data source to which it is pushed.'),
  every: has(nullable(count), 'How many seconds lie between imports; null: by call only.'),
  whole_every: has(count, 'How many seconds lie between complete readings.'),
  leave_out: has(textOrNull, 'The filter of accounts that are left out.'),
  finds_changes: has(
    flag,
    'Whether the service has seen that the application finds what changed, so that imports may read only that.',
  ),
  misses_changes: has(
    flag,
    'Whether a complete reading found what readings of changes had missed; if so, every reading is complete.',
  ),
  whole_at: has(nullable(time), 'When it was last read completely.'),
  next_at: has(nullable(time), 'When it is imported next; null: by call only.'),
  is_running: has(flag, 'Whether an import runs.'),
  failures: has(count, 'Imports that failed since the last that did not.'),
  last: has(nullable(LastImport), 'How the last one ended.'),
  since: has(time, 'When it was first set.'),
  changed: has(time, 'When it was last set.'),
});
export type ImportSettingsAnswer = t.TypeOf<typeof ImportSettingsAnswer>;

const ImportSettingsValue = valueOf('one import of an application', ImportSettingsAnswer);

/** What an import read. */
export const ReadSummary = exact('what was read', {
  accounts: has(count, 'Accounts.'),
  groups: has(count, 'Groups.'),
  memberships: has(
    nullable(count),
    'Memberships; of changes: accounts whose groups change. Null: the application shows no members.',
  ),
  left_out: has(count, 'Accounts that the settings leave out.'),
  unknown_members: has(count, 'Members that are no account or group of the application.'),
  remarks: has(list(anyText), 'The first things that the graph cannot hold, and were left out.'),
  remark_count: has(count, 'How many there are.'),
});
export type ReadSummary = t.TypeOf<typeof ReadSummary>;

/** What an import did. */
export const ImportAnswer = exact('answer of an import', {
  dry_run: has(flag, 'Whether nothing was pushed.'),
  reading,
  requests: has(count, 'Requests to the application.'),
  seconds: has(number, 'How long the reading lasted.'),
  read: has(nullable(ReadSummary), 'What was read; null if the application failed.'),
  problem: has(nullable(ActionProblem), 'Why the application could not be read; null if it could.'),
  push: may(PushAnswer, 'The answer of the push; absent if there was nothing to push.'),
  plan: may(PlanAnswer, 'What the push would do, of a dry run.'),
});
export type ImportAnswer = t.TypeOf<typeof ImportAnswer>;

const SCIM = '/api/v1/providers/custom/:providerId/scim';
const IMPORT = `${SCIM}/import` as const;

/** A caller who may do this gives people accounts, so it needs the strongest scope. */
const ADMINISTERS: Access = { scopes: ['admin'], limitedKeys: 'own provider' };

/** The endpoints of connections, of actions in applications and of imports, without their handlers. */
export const endpoints = {
  set: {
    method: 'put',
    path: SCIM,
    access: ADMINISTERS,
    summary: 'Sets how the service reaches the application of a provider over SCIM.',
    more: 'provisioning#the-connection',
    query: NoParameters,
    body: [SetConnectionRequest],
    answer: ConnectionValue,
  },
  read: {
    method: 'get',
    path: SCIM,
    access: ADMINISTERS,
    summary: 'Reads the connection of a provider, without its secrets.',
    more: 'provisioning#the-connection',
    query: NoParameters,
    answer: ConnectionValue,
  },
  remove: {
    method: 'delete',
    path: SCIM,
    access: ADMINISTERS,
    summary: 'Removes the connection of a provider, with its secrets.',
    more: 'provisioning#the-connection',
    query: NoParameters,
    answer: Done,
  },
  test: {
    method: 'post',
    path: `${SCIM}\\:test`,
    access: ADMINISTERS,
    summary: 'Asks the application of a provider what it can do.',
    more: 'provisioning#a-test',
    query: NoParameters,
    answer: ConnectionTestValue,
  },
  provision: {
    method: 'post',
    path: `${SCIM}\\:provision`,
    access: ADMINISTERS,
    summary: 'Gives a person an account in the application, or brings theirs up to date.',
    more: 'provisioning#by-hand',
    query: ActionParameters,
    body: [AccountRequest],
    answer: ActionAnswer,
  },
  update: {
    method: 'post',
    path: `${SCIM}\\:update`,
    access: ADMINISTERS,
    summary: 'Brings the account of a person in the application up to date.',
    more: 'provisioning#by-hand',
    query: ActionParameters,
    body: [AccountRequest],
    answer: ActionAnswer,
  },
  deprovision: {
    method: 'post',
    path: `${SCIM}\\:deprovision`,
    access: ADMINISTERS,
    summary: 'Disables or deletes an account in the application.',
    more: 'provisioning#by-hand',
    query: ActionParameters,
    body: [DeprovisionRequest],
    answer: ActionAnswer,
  },
  addMembers: {
    method: 'post',
    path: `${SCIM}\\:add-members`,
    access: ADMINISTERS,
    summary: 'Adds accounts to a group of the application.',
    more: 'provisioning#by-hand',
    query: ActionParameters,
    body: [MembersRequest],
    bodyBounds: LISTING_BODY,
    answer: ActionAnswer,
  },
  removeMembers: {
    method: 'post',
    path: `${SCIM}\\:remove-members`,
    access: ADMINISTERS,
    summary: 'Removes accounts from a group of the application.',
    more: 'provisioning#by-hand',
    query: ActionParameters,
    body: [MembersRequest],
    bodyBounds: LISTING_BODY,
    answer: ActionAnswer,
  },
  setImport: {
    method: 'put',
    path: IMPORT,
    access: ADMINISTERS,
    summary: 'Sets how the application of a provider is imported.',
    more: 'provisioning#importing-an-application',
    query: NoParameters,
    body: [SetImportRequest],
    answer: ImportSettingsValue,
  },
  readImport: {
    method: 'get',
    path: IMPORT,
    access: ADMINISTERS,
    summary: 'Reads how the application of a provider is imported, and how the last import ended.',
    more: 'provisioning#importing-an-application',
    query: NoParameters,
    answer: ImportSettingsValue,
  },
  removeImport: {
    method: 'delete',
    path: IMPORT,
    access: ADMINISTERS,
    summary: 'Ends the imports of an application; what was imported stays.',
    more: 'provisioning#importing-an-application',
    query: NoParameters,
    answer: Done,
  },
  runImport: {
    method: 'post',
    path: `${SCIM}\\:import`,
    access: ADMINISTERS,
    summary: 'Reads the application of a provider, and pushes what it finds.',
    more: 'provisioning#importing-an-application',
    query: ImportParameters,
    headers: [CONFIRM_REMOVAL],
    answer: ImportAnswer,
  },
} as const satisfies Endpoints;
