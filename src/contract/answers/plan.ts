import type * as t from 'io-ts';

import type { AnyCodec } from '../../codec/codec';
import { list } from '../../codec/collections';
import { exact, has, mapOf, may, nullable } from '../../codec/exact';
import { flag } from '../../codec/scalars';
import { anyText, enumeration } from '../../codec/text';
import { HeldPermission, Summary } from './questions/access';
import { ChangeCounts } from './questions/access-changes';
import { effect } from './pushes';
import { count, nodeValue, textOrNull, yes } from './values';

const label = has(anyText, 'The label of the node.');
const id = has(textOrNull, 'The key of the node; null where the caller may not see it.');

/** A node as plans and verifications name it. */
export const NodeReference = exact('end', { label, id });
export type NodeReference = t.TypeOf<typeof NodeReference>;

/** How much of a list was left out. */
export const cut = {
  total: has(count, 'How many there are.'),
  truncated: has(flag, 'Whether the list is cut.'),
} as const;

const Change = enumeration('change', ['created', 'changed', 'removed']);

/** The old and the new value of a property. */
const ChangedProperty = exact('changed property', {
  from: has(nullable(nodeValue), 'Its value before; null: unset.'),
  to: has(nullable(nodeValue), 'Its value after; null: unset.'),
});
export type ChangedProperty = t.TypeOf<typeof ChangedProperty>;

const properties = may(
  mapOf('changed properties', ChangedProperty),
  'Properties that change, by name.',
);

/** Tags that a changed node gets and loses. Each list ends at the same length. */
export const ChangedTags = exact('changed tags', {
  ...cut,
  added: has(list(NodeReference), 'Tags that it gets.'),
  removed: has(list(NodeReference), 'Tags that it loses.'),
});
export type ChangedTags = t.TypeOf<typeof ChangedTags>;

/** A relationship of a changed node. */
const ChangedRelationship = exact('statement', {
  type: has(anyText, 'The type of the relationship.'),
  to: may(NodeReference, 'Where it leads.'),
  from: may(NodeReference, 'Where it comes from.'),
});
export type ChangedRelationship = t.TypeOf<typeof ChangedRelationship>;

/** Relationships that a changed node gets and loses, and those whose properties change. */
export const ChangedRelationships = exact('changed relationships', {
  ...cut,
  added: has(list(ChangedRelationship), 'Relationships that it gets.'),
  changed: has(list(ChangedRelationship), 'Relationships whose properties change.'),
  removed: has(list(ChangedRelationship), 'Relationships that it loses.'),
});
export type ChangedRelationships = t.TypeOf<typeof ChangedRelationships>;

/** A node that a push creates, changes or removes. */
export const PlannedNode = exact('planned node', {
  change: has(Change, 'What becomes of it.'),
  label,
  id,
  name: has(textOrNull, 'Its name.'),
  properties,
  tags: may(ChangedTags, 'Tags of a changed node that change.'),
  relationships: may(ChangedRelationships, 'Relationships of a changed node that change.'),
});
export type PlannedNode = t.TypeOf<typeof PlannedNode>;

/** A relationship that a push creates, changes or removes. */
export const PlannedRelationship = exact('planned relationship', {
  change: has(Change, 'What becomes of it.'),
  type: has(anyText, 'Its type.'),
  from: has(NodeReference, 'Where it comes from.'),
  to: has(NodeReference, 'Where it leads.'),
  properties,
});
export type PlannedRelationship = t.TypeOf<typeof PlannedRelationship>;

const planned = <C extends AnyCodec>(name: string, element: C) =>
  exact(name, {
    total: cut.total,
    created: has(count, 'How many come.'),
    changed: has(count, 'How many change.'),
    removed: has(count, 'How many go.'),
    truncated: cut.truncated,
    values: has(list(element), 'The first of them.'),
  });

const PlannedNodes = planned('planned nodes', PlannedNode);
const PlannedRelationships = planned('planned relationships', PlannedRelationship);

/** What a principal would gain and lose on a resource. */
const PlannedAccess = exact('planned change of access', {
  principal: has(Summary, 'Whose access would change.'),
  resource: has(Summary, 'To what.'),
  gained: has(list(HeldPermission), 'What the principal could do then, and cannot now.'),
  lost: has(list(HeldPermission), 'What the principal can do now, and could not then.'),
  human: may(
    nullable(Summary),
    'Whose account the principal certainly is; null if it is nobody’s, or several people’s.',
  ),
  is_person: may(flag, 'Whether the counts have it among the people.'),
});

const PlannedAccessList = exact('planned changes of access', {
  ...cut,
  counts: has(ChangeCounts, 'What all of them come to, people first.'),
  values: has(
    list(PlannedAccess),
    'The first of them: people first, and of these who would lose something.',
  ),
  created: may(
    list(anyText),
    'The ids of principals, resources and humans of the values that only the push would create, if there are any.',
  ),
});

/** How the removal guard would stop the push (docs/rules.md: Removal guard). */
export const AskedConfirmation = exact('asked confirmation', {
  standing: has(count, 'Rows that the data source holds.'),
  removed: has(count, 'Rows that go.'),
  digest: has(anyText, 'The digest after the push, by which it is confirmed.'),
  message: has(anyText, 'How to confirm the push.'),
});
export type AskedConfirmation = t.TypeOf<typeof AskedConfirmation>;

/** What a push would do (docs/api.md: Plan). */
export const PlanAnswer = exact('plan', {
  ...effect,
  confirmation: has(
    nullable(AskedConfirmation),
    'How the removal guard would stop the push; null if it would not.',
  ),
  limited: may(
    yes,
    'The key is limited: the lists show only what follows from rows of its own providers.',
  ),
  nodes: has(PlannedNodes, 'Nodes of the data source.'),
  relationships: has(PlannedRelationships, 'Relationships that its rows state.'),
  shared_nodes: has(
    nullable(PlannedNodes),
    'Nodes that belong to no data source; null for a limited key.',
  ),
  derived_relationships: has(PlannedRelationships, 'Relationships that the service derives.'),
  access_changes: has(
    nullable(PlannedAccessList),
    'Who would gain or lose what; null for a limited key, and if the service could not compare it.',
  ),
});
export type PlanAnswer = t.TypeOf<typeof PlanAnswer>;

/** The exact changes that a push makes. Each list is in order and ends at some length. */
export type PlannedChanges = Pick<
  PlanAnswer,
  | 'limited'
  | 'nodes'
  | 'relationships'
  | 'shared_nodes'
  | 'derived_relationships'
  | 'access_changes'
>;
