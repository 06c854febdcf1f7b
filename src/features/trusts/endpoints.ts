import type * as t from 'io-ts';

import { Codec, typeInWords } from '../../codec/codec';
import { list } from '../../codec/collections';
import { exact, has, nullable } from '../../codec/exact';
import { quote } from '../../codec/quote';
import { flag } from '../../codec/scalars';
import { struct } from '../../codec/struct';
import { anyText, enumeration, requiredText, time } from '../../codec/text';
import { valueOf } from '../../contract/answers/page';
import { count } from '../../contract/answers/values';
import { flagText, NoParameters } from '../../contract/parameters/query-parameters';
import { isDomain } from '../../templates/graph/trusts';
import type { Endpoints } from '../../web/routing/route';

const emailDomain = new Codec<string>(
  'domain of email addresses',
  (value) => typeof value === 'string' && isDomain(value),
  (value, walk) => {
    if (typeof value !== 'string') {
      walk.refuse('WRONG_TYPE', () => `expected a string, got ${typeInWords(value)}`);
    } else if (!isDomain(value)) {
      walk.refuse('UNKNOWN_VALUE', () => `${quote(value)} is no domain such as example.org`);
    }
  },
  { schema: { type: 'string' } },
);

/**
 * What a provider may claim, and whom it means (docs/rules.md: Trusts).
 *
 * It is no record of `src/contract/records`, since it has no node of its own: the node of the provider
 * holds it, the stored names depend on all other providers, and unset trusts remove its properties.
 */
export const SetTrustsRequest = struct(
  'set trusts request',
  {},
  {
    email_domains: list(emailDomain),
    only_these_domains: flag,
    identity_providers: list(requiredText),
  },
  {
    docs: {
      email_domains:
        'Domains of email addresses that its people may have; other providers only if they list them too.',
      only_these_domains:
        'Whether its people are known by nothing but addresses of these domains. `false` if unset.',
      identity_providers:
        'Ids or names of the identity providers whose users and groups it may mean; unset: all.',
    },
  },
);
export type SetTrustsRequest = t.TypeOf<typeof SetTrustsRequest>;

const TrustsParameters = struct('the query of trusts', {}, { dry_run: flagText });

/** What a provider may claim, and whom it means (docs/rules.md: Trusts). */
const TRUST = {
  provider_id: has(anyText, 'The id of the provider.'),
  provider: has(anyText, 'Its name.'),
  email_domains: has(list(anyText), 'Domains of email addresses that its people may have.'),
  only_these_domains: has(flag, 'Whether its people are known by nothing else.'),
  identity_providers: has(
    nullable(list(anyText)),
    'Names of the identity providers whose users and groups it means; null: all.',
  ),
} as const;

/** All providers for which an administrator has set what they may claim. */
const TrustList = exact('list of trusts', {
  values: has(list(exact('trusts of a provider', TRUST)), 'By the names of the providers.'),
});
export type TrustList = t.TypeOf<typeof TrustList>;

const BoundChange = exact('changed relationship', {
  change: has(enumeration('change', ['created', 'removed']), 'What became of it.'),
  type: has(anyText, 'Its type.'),
  from: has(anyText, 'The key of the node at which it begins.'),
  to: has(anyText, 'The key of the node at which it ends.'),
});

/** What was set, and what it changed in the graph. */
const TrustsChanged = exact('set trusts', {
  ...TRUST,
  dry_run: has(flag, 'Whether nothing was set.'),
  at: has(time, 'When it took effect: the `since` of the relationships that it created.'),
  changes: has(
    exact('changed relationships', {
      created: has(count, 'How many relationships the service drew.'),
      removed: has(count, 'How many it removed.'),
      truncated: has(flag, 'Whether the list is cut.'),
      values: has(list(BoundChange), 'The first of them, removed ones first.'),
    }),
    'Derived relationships that changed.',
  ),
});
export type TrustsChanged = t.TypeOf<typeof TrustsChanged>;

const TrustsChangedValue = valueOf('set trusts of one provider', TrustsChanged);

/** The endpoints of trusts, without their handlers. */
export const endpoints = {
  list: {
    method: 'get',
    path: '/api/v1/trusts',
    // They name other providers.
    access: { scopes: ['read'], limitedKeys: 'never' },
    summary: 'Lists which providers may claim which email addresses, and whom they mean.',
    more: 'api#trusts',
    query: NoParameters,
    answer: TrustList,
  },
  set: {
    method: 'put',
    path: '/api/v1/providers/custom/:providerId/trusts',
    // They decide about claims of all other providers too.
    access: { scopes: ['admin'], limitedKeys: 'never' },
    summary: 'Sets which email addresses a provider may claim, and whom it means.',
    more: 'api#trusts',
    query: TrustsParameters,
    body: [SetTrustsRequest],
    answer: TrustsChangedValue,
  },
} as const satisfies Endpoints;
