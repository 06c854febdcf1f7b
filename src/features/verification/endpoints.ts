import type * as t from 'io-ts';

import { list } from '../../codec/collections';
import { exact, has, may, nullable } from '../../codec/exact';
import { flag } from '../../codec/scalars';
import { struct } from '../../codec/struct';
import { anyText, enumeration } from '../../codec/text';
import { cut, NodeReference } from '../../contract/answers/plan';
import { anyJson, count, nodeValue, textOrNull, yes } from '../../contract/answers/values';
import { flagText } from '../../contract/parameters/query-parameters';
import type { Endpoints } from '../../web/routing/route';

const VerifyParameters = struct('the query of a verification', {}, { repair: flagText });

/** What somebody changed by hand. */
export const FindingKind = enumeration('kind of finding', [
  'NODE_ADDED',
  'LABELS_CHANGED',
  'PROPERTY_ADDED',
  'PROPERTY_CHANGED',
  'CONTENT_CHANGED',
  'RELATIONSHIP_ADDED',
  'RELATIONSHIP_UNDATED',
  'DERIVED_MISSING',
  'DERIVED_SUPERFLUOUS',
  'SHARED_ORPHANED',
]);
export type FindingKind = t.TypeOf<typeof FindingKind>;

/** What corrects a finding: the repair, the next full push, or the person who changed it. */
export const Remedy = enumeration('remedy', ['REPAIR', 'NEXT_FULL_PUSH', 'NONE']);
export type Remedy = t.TypeOf<typeof Remedy>;

const FoundRelationship = exact('found relationship', {
  type: has(anyText, 'Its type.'),
  from: has(nullable(NodeReference), 'Where it comes from; null if that has no key.'),
  to: has(nullable(NodeReference), 'Where it leads; null if that has no key.'),
});

/** Something that somebody changed by hand. */
export const FindingAnswer = exact('finding', {
  what: has(FindingKind, 'What was changed.'),
  node: may(nullable(NodeReference), 'The node that it is about; null if that has no key.'),
  relationship: may(FoundRelationship, 'The relationship that it is about.'),
  property: may(anyText, 'The property that it is about.'),
  found: may(
    anyJson,
    'The value that was found. It can be anything, since somebody edited Neo4j by hand.',
  ),
  expected: may(nullable(nodeValue), 'What should be, where that is known.'),
  remedy: has(Remedy, 'What puts it right.'),
});
export type FindingAnswer = t.TypeOf<typeof FindingAnswer>;

/** What was changed by hand in a data source's part of the graph (docs/rules.md: Verification). */
export const Verification = exact('verification', {
  limited: may(
    yes,
    'The key is limited: only findings in rows of its own providers are listed and counted.',
  ),
  sound: has(flag, 'Whether nothing was found at all.'),
  repaired: has(flag, 'Whether a repair was requested.'),
  rows: has(
    exact('verified rows', {
      recorded: has(count, 'How many rows the data source should hold.'),
      found: has(count, 'How many it holds, once it is repaired.'),
      gone: has(count, 'How many are missing.'),
    }),
    'Rows, counted.',
  ),
  digest: has(
    exact('verified digest', {
      recorded: has(textOrNull, 'The digest that the last push left.'),
      found: has(anyText, 'The digest of the rows that exist.'),
    }),
    'The digest of all rows.',
  ),
  hashes_checked: has(
    flag,
    'Whether hashes of rows could be checked: those that other rules made cannot (`rules_version`).',
  ),
  findings: has(
    exact('findings', {
      ...cut,
      next_full_push: has(count, 'How many of them the repair does not correct.'),
      values: has(list(FindingAnswer), 'The first of them.'),
    }),
    'What was changed by hand.',
  ),
});
export type Verification = t.TypeOf<typeof Verification>;

/** The endpoints of verification, without their handlers. */
export const endpoints = {
  verify: {
    method: 'post',
    path: '/api/v1/providers/custom/:providerId/datasources/:dataSourceId\\:verify',
    access: { scopes: ['push', 'read'], limitedKeys: 'own provider' },
    summary: 'Tells what was changed by hand in Neo4j, and repairs it on request.',
    more: 'api#verify',
    query: VerifyParameters,
    answer: Verification,
  },
} as const satisfies Endpoints;
