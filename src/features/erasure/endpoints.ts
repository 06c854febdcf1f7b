import type * as t from 'io-ts';

import { list } from '../../codec/collections';
import { exact, has } from '../../codec/exact';
import { flag } from '../../codec/scalars';
import { struct } from '../../codec/struct';
import { anyText, enumeration, requiredText, Text } from '../../codec/text';
import { cut } from '../../contract/answers/plan';
import { count, textOrNull } from '../../contract/answers/values';
import { CONFIRM_REMOVAL } from '../../contract/parameters/confirm-removal';
import { NoParameters } from '../../contract/parameters/query-parameters';
import { LISTING_BODY } from '../../web/bodies/body-bounds';
import type { Endpoints } from '../../web/routing/route';

const entityKeys = list(new Text('key of an entity', { ...requiredText.rule, most: 1024 }));

/** A request to erase a person. It names the person by a key, an id, an email or a name. */
export const ErasePersonRequest = struct(
  'erase person request',
  { principal: new Text('principal', { ...requiredText.rule, most: 1024 }) },
  {
    also: entityKeys,
    except: entityKeys,
    trusted_providers: list(new Text('name of a provider', { ...requiredText.rule, most: 1024 })),
  },
  {
    docs: {
      principal: 'A key, an id, an email or a name of the person.',
      also: 'Keys that the plan lists as doubtful, and that the erasure must remove nevertheless.',
      except: 'Keys that the plan lists as something that goes, and that stay.',
      trusted_providers:
        'Names of providers that this erasure believes: what they call the person means the person at all providers.',
    },
  },
);
export type ErasePersonRequest = t.TypeOf<typeof ErasePersonRequest>;

/**
 * Why something perhaps belongs to the person (docs/rules.md: Erasing a person): it has a name of
 * the person; somebody else has it or is known by it too; somebody else may be known by it; it had
 * an address of the person at another time; its texts hold a name that means the person elsewhere;
 * only a claim leads to it, which trusts forbid the provider to make; only what another provider says
 * leads to it, and nobody has entrusted that provider with it.
 */
const DOUBTS = [
  'SAME_NAME',
  'SHARED',
  'MAY_BE_SHARED',
  'OTHER_TIME',
  'MENTIONS',
  'UNTRUSTED',
  'OTHER_PROVIDER',
] as const;
/** Why something perhaps belongs to the person. */
export type Doubt = (typeof DOUBTS)[number];

const named = {
  id: has(anyText, 'Its key.'),
  label: has(anyText, 'Its label.'),
  name: has(textOrNull, 'Its name.'),
} as const;

/** An entity that an erasure removes or changes. */
const ErasedEntity = exact('erased entity', {
  ...named,
  change: has(
    enumeration('change of an erased entity', ['removed', 'changed']),
    'Whether it goes, or loses only what names the person.',
  ),
  loses: has(list(anyText), 'What it loses: properties, and types of relationships.'),
});

/** What an erasure erases, or would erase (docs/rules.md: Erasing a person). */
export const ErasureAnswer = exact('erasure', {
  erased: has(flag, 'Whether it is done; otherwise this is the plan.'),
  confirmation: has(
    anyText,
    'The token that confirms this plan in the header Grantgraph-Confirm-Removal, as long as the plan does not change.',
  ),
  doubtful: has(
    exact('doubtful entities', {
      ...cut,
      values: has(
        list(
          exact('doubtful entity', {
            ...named,
            reason: has(
              enumeration('reason of a doubt', DOUBTS),
              'Why it is perhaps the person: docs/rules.md, Erasing a person.',
            ),
          }),
        ),
        'The first of them.',
      ),
    }),
    'What is perhaps the person. It stays, unless the request names its key in `also`.',
  ),
  person: has(
    list(anyText),
    'Keys of the users, employees, accounts and identities that are the person.',
  ),
  names: has(list(anyText), 'The names, emails and ids that are looked for, folded.'),
  shared_names: has(list(anyText), 'Names that somebody else has too, folded. They stay.'),
  removed: has(count, 'How many entities go.'),
  changed: has(count, 'How many entities stay, without what names the person.'),
  past_facts: has(count, 'How many facts that ended go or change.'),
  records: has(count, 'How many records of pushes and events change.'),
  entities: has(
    exact('erased entities', {
      ...cut,
      values: has(list(ErasedEntity), 'The first of them.'),
    }),
    'The entities that go or change.',
  ),
  kept: has(
    exact('kept names', {
      ...cut,
      values: has(list(exact('kept name', named)), 'The first of them.'),
    }),
    'What has one of the names, is not the person, and stays.',
  ),
});
export type ErasureAnswer = t.TypeOf<typeof ErasureAnswer>;

/** The answer to an erasure. */
const ErasureValue = exact('erasure answer', {
  value: has(ErasureAnswer, 'The plan, or what the erasure removed.'),
});

/** The endpoints of erasure, without their handlers. */
export const endpoints = {
  erase: {
    method: 'post',
    path: '/api/v1/erase',
    access: { scopes: ['admin'], limitedKeys: 'never' },
    summary: 'Erases a person from the graph, its history and its records; first tells the plan.',
    more: 'api#erasing-a-person',
    query: NoParameters,
    headers: [CONFIRM_REMOVAL],
    body: [ErasePersonRequest],
    bodyBounds: LISTING_BODY,
    answer: ErasureValue,
  },
} as const satisfies Endpoints;
