import type * as t from 'io-ts';

import { list, sequence } from '../../../codec/collections';
import { exact, has, mapOf, may, nullable } from '../../../codec/exact';
import { flag, number } from '../../../codec/scalars';
import { anyText, enumeration, time } from '../../../codec/text';
import { valueOf } from '../page';
import { anyJson, count, textOrNull } from '../values';

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

export const ConnectionValue = valueOf('one connection', Connection);

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

export const ConnectionTestValue = valueOf('one test of a connection', ConnectionTest);

/** What happened to one account. */
export const ActionResult = exact('result of an action', {
  user: has(textOrNull, 'The id of the user; null if the request named an account.'),
  account: has(textOrNull, 'The id of the account; null if there is none.'),
  outcome: has(
    enumeration('outcome', [
      ...(['created', 'adopted', 'updated', 'unchanged', 'disabled', 'deleted'] as const),
      ...(['absent', 'added', 'removed', 'failed'] as const),
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
