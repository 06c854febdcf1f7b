import type * as t from 'io-ts';

import { list } from '../../codec/collections';
import { exact, has, nullable } from '../../codec/exact';
import { flag } from '../../codec/scalars';
import { anyText, enumeration, time } from '../../codec/text';
import { valueOf } from './page';
import { count } from './values';

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
export const TrustList = exact('list of trusts', {
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

export const TrustsChangedValue = valueOf('set trusts of one provider', TrustsChanged);
