import type * as t from 'io-ts';

import { list, listOfAtMost, sequence, shapes } from '../../codec/collections';
import { exact, has, mapOf, may, nullable } from '../../codec/exact';
import { flag, number, wholeNumber } from '../../codec/scalars';
import { struct } from '../../codec/struct';
import { anyText, enumeration, filterText, requiredText, Text, time } from '../../codec/text';
import { text } from '../../model/table';
import { count } from '../answers/values';
import { AttributesRequest } from '../provisioning';
import { askedAs, group, made, needed, neededPart, optional } from './field';
import { record, type WantedOf } from './record';
import { asFlag, asJson, asNumber, asText, asTime, asWhole } from './stored';

/**
 * Each run queries the graph once for each selector, so their number is bounded. Somebody who needs
 * more can set several policies, or use groups of the directory.
 */
const MOST_SELECTORS = 50;
const MOST_DIRECTORIES = 50;
const MOST_GROUPS = 2_000;

const selectorDocs = {
  in: 'Ids or names of the data sources whose people it means; unset: the only one of identity providers, or the only one that has the group or department.',
  filter: 'A filter over users of identity providers, as the search accepts it.',
  group: 'A group by its id or name; members of groups within count.',
  department: 'The department of the person, or of their employee in an HR system that `in` names.',
};

/**
 * Selects people of some directories: by a filter, as members of a group, or by their department.
 */
export const SelectorRequest = struct(
  'selector of people',
  {},
  {
    in: listOfAtMost(MOST_DIRECTORIES, requiredText),
    filter: filterText('filter', 4096),
    group: new Text('group', { most: 4096, measure: 'bytes', mayBeEmpty: false }),
    department: requiredText,
  },
  {
    oneOf: { fields: ['filter', 'group', 'department'], missing: 'filter' },
    docs: selectorDocs,
  },
);
export type SelectorRequest = t.TypeOf<typeof SelectorRequest>;

/** A selector whose names are replaced by ids. */
const Selector = exact('selector of people', {
  in: has(list(anyText), 'Ids of the data sources whose people it means.'),
  filter: may(anyText, selectorDocs.filter),
  group: may(anyText, 'The id of a group of an identity provider.'),
  department: may(anyText, selectorDocs.department),
});
export type Selector = t.TypeOf<typeof Selector>;

const groupName = 'The name of the group in the application, or its id.';

const GroupRequest = struct(
  'group of a policy',
  { name: requiredText },
  { who: SelectorRequest },
  { docs: { name: groupName, who: 'Which of the people are in it; unset: all.' } },
);

const PolicyGroup = exact('group of a policy', {
  name: has(anyText, groupName),
  who: has(nullable(Selector), 'Which of the people are in it; null: all.'),
});

/**
 * A policy: who must have an account in the application of a provider (docs/provisioning.md:
 * Policies). Requests spell selectors and attributes in several ways, so rules read them.
 */
export const policyRecord = record({
  name: 'policy',
  label: 'LifecyclePolicy',
  holds: { of: 'provider', by: 'provider', days: null },
  doc: 'A policy: who must have an account in the application of a provider.',
  indexes: ['provider'],
  hidden: { provider: text('Id of the provider.', 'nobody') },
  fields: {
    id: made(anyText, 'Its id.', asText('nobody')),
    name: needed(requiredText, 'Its name, unique in the provider.', asText('called')),
    state: optional(
      enumeration('state of a policy', ['report_only', 'active', 'off']),
      '`report_only` only reports, `active` acts, `off` is not looked at.',
      'report_only',
      asText('nobody'),
    ),
    who: askedAs(
      listOfAtMost(MOST_SELECTORS, SelectorRequest),
      needed(
        list(Selector),
        'Who must have an account: everybody whom one of the selectors finds.',
        asJson('mention'),
      ),
    ),
    groups: askedAs(
      listOfAtMost(MOST_GROUPS, shapes('group', { text: requiredText, object: GroupRequest })),
      optional(
        list(PolicyGroup),
        'Groups of the application in which the people are; with `who`, those of them whom it finds.',
        [],
        asJson('mention'),
      ),
    ),
    attributes: askedAs(
      AttributesRequest,
      optional(
        mapOf('attributes', sequence(anyText)),
        'Attributes of accounts, in addition to those of the connection, or in place of them.',
        {},
        asJson('mention'),
      ),
    ),
    leavers: group('rule for leavers', 'What becomes of accounts of people who left.', {
      action: neededPart(
        enumeration('action on leavers', ['disable', 'delete', 'report']),
        '`disable`, `delete`, or `report` only.',
        'disable',
        asText('nobody'),
      ),
      after_days: optional(
        wholeNumber(0, 3650),
        'After how many days `delete` deletes; until then the account is disabled.',
        0,
        asNumber,
      ),
    }),
    guard: group('guard of a policy', 'How many accounts may come or go without a confirmation.', {
      share: optional(
        number,
        'The share of its accounts that may come or go at once, from 0 to 1 (no limit).',
        0.2,
        asNumber,
      ),
      number: optional(
        wholeNumber(0, 1_000_000),
        'How many of its accounts may come or go at once.',
        100,
        asNumber,
      ),
    }),
    drift: optional(
      enumeration('what becomes of drift', ['report', 'correct']),
      'Whether changes by hand in the application are only reported, or corrected (`correct`).',
      'report',
      asText('nobody'),
    ),
    adopt: optional(
      flag,
      'Whether it adopts accounts that already exist in the application.',
      false,
      asFlag,
    ),
    found: made(count, 'How many active people it found when it was set.', asWhole),
    since: made(time, 'When it was first set.', asTime),
    changed: made(time, 'When it was last set.', asTime),
  },
});

/** A request to set a policy. */
export const PolicyRequest = policyRecord.request;
export type PolicyRequest = t.TypeOf<typeof PolicyRequest>;

/** A policy as clients see it. */
export const Policy = policyRecord.answer;
export type Policy = t.TypeOf<typeof Policy>;

/** A policy as a request has it, or with the ids and keys that its names mean. */
export type WantedPolicy = WantedOf<typeof policyRecord.fields>;
