import type * as t from 'io-ts';

import { list } from '../../../codec/collections';
import { exact, has, mapOf, may, nullable } from '../../../codec/exact';
import { flag } from '../../../codec/scalars';
import { anyText, time } from '../../../codec/text';
import { Summary, WayOfRow } from './access';
import { cypher } from './cypher';
import { answerEnd, asOf } from '../page';
import { DataSource } from '../registry';
import { count, nodeValue, textOrNull } from '../values';

const entity = {
  id: has(anyText, 'Its id, which is the key of its node.'),
  label: has(anyText, 'The label of its node.'),
  name: has(anyText, 'Its name; where it has none, an id.'),
  properties: has(
    mapOf('properties of a node', nodeValue),
    'Its properties by name; custom ones are `customprop_…` and `dynprop_…`.',
  ),
  data_source: has(textOrNull, 'The data source that it belongs to; null if it is shared.'),
  provider: has(textOrNull, 'The provider that it belongs to; null if it is shared.'),
  since: has(textOrNull, 'When it was created.'),
  changed: has(textOrNull, 'When it last changed.'),
} as const;

/** An entity as clients see it (docs/rules.md: Searches). */
export const Entity = exact('entity', entity);
export type Entity = t.TypeOf<typeof Entity>;

/** Entities that a search found. */
export const EntityList = exact('page of entities', {
  values: has(list(Entity), 'The page.'),
  ...answerEnd,
  cypher,
});
export type EntityList = t.TypeOf<typeof EntityList>;

const since = has(nullable(time), 'Since when.');

const related = (name: string, about: string) =>
  has(list(exact(name, { about: has(Summary, 'The other entity.'), since })), about);

/** The first of many related entities, by name. */
const some = { total: has(count, 'How many there are.') } as const;
const values = (name: string) => related(name, 'The first hundred, by name.');

const Members = exact('members of an entity', {
  ...some,
  groups: has(count, 'How many of them are groups, apps or roles, whose own members gain it too.'),
  values: values('member'),
});

const InGroup = exact('somebody in a group', {
  about: has(Summary, 'Who it is.'),
  person: has(flag, 'Whether it is a human.'),
  way: has(
    WayOfRow,
    'Through what: a shortest way, from who it is to what is directly in the group; its first 16 steps.',
  ),
  more_steps: has(count, 'How many steps of the way follow these.'),
});

const Everybody = exact('everybody in a group', {
  ...some,
  people: has(count, 'How many of them are humans. They come first.'),
  values: has(list(InGroup), 'The first hundred, by name.'),
});

const Contents = exact('what an entity contains', { ...some, values: values('part') });

const EntityTag = exact('tag of an entity', {
  key: has(anyText, 'Its key.'),
  value: has(anyText, 'Its value; may be empty.'),
  derived: has(flag, 'Whether the entity has it from somewhere else.'),
  since,
});

const EntityOwner = exact('owner of an entity', {
  about: has(Summary, 'The identity.'),
  since,
  owner_type: has(textOrNull, 'As the payload says.'),
  primary: has(nullable(flag), 'As the payload says.'),
  people: has(list(anyText), 'Ids of those who are known by this identity, a hundred at most.'),
  people_total: has(count, 'How many are known by it.'),
});

const PolicyAccount = exact('account that a policy manages', {
  provider: has(anyText, 'The id of the provider whose application has the account.'),
  provider_name: has(anyText, 'Its name.'),
  policy: has(anyText, 'The id of the policy that made or adopted it.'),
  policy_name: has(anyText, 'Its name; empty if it is gone.'),
  account: has(anyText, 'The id of the account in the application.'),
  user_name: has(anyText, 'Its `userName`.'),
  state: has(anyText, '`ACTIVE`, `LEAVING`, `DISABLED`, `DELETED` or `RELEASED`.'),
  groups: has(list(anyText), 'Groups of the application in which policies have put it.'),
  since: has(nullable(time), 'Since when.'),
  left_at: has(nullable(time), 'When the person left.'),
});

const { status, last_push, last_push_at } = DataSource.fields;

const EntitySource = exact('source of an entity', {
  data_source: has(anyText, 'The id of the data source.'),
  name: has(anyText, 'The name of the data source.'),
  provider: has(anyText, 'The id of its provider.'),
  provider_name: has(anyText, 'The name of its provider.'),
  status,
  last_push,
  last_push_at,
});

/** An entity with its tags, memberships, managers and owners (docs/rules.md: Searches). */
export const EntityPage = exact('page of an entity', {
  ...entity,
  labels: has(list(anyText), 'All labels of its node.'),
  tags: has(list(EntityTag), 'Its tags.'),
  memberships: related('membership', 'Groups that it is a member of.'),
  members: has(Members, 'Who is directly in a group, or has a role.'),
  everybody: may(
    Everybody,
    'With `everybody`, of a group: who is in it directly, through other groups, or by an identity or account.',
  ),
  contains: has(Contents, 'Resources that are directly in it.'),
  managers: related('manager', 'Who manages it.'),
  owners: has(list(EntityOwner), 'Who owns it.'),
  resource_managers: related('resource manager', 'Who manages it as a resource.'),
  totals: has(
    exact('how long the lists of an entity are', {
      tags: has(count, 'How many tags it has.'),
      memberships: has(count, 'How many groups it is directly in.'),
      managers: has(count, 'How many manage it.'),
      owners: has(count, 'How many own it.'),
      resource_managers: has(count, 'How many manage it as a resource.'),
    }),
    'How many there are in all of what each list names the first hundred of.',
  ),
  policy_accounts: has(
    list(PolicyAccount),
    'Accounts that policies manage for the person in applications.',
  ),
  sources: has(list(EntitySource), 'The data sources that it comes from.'),
  freshness: has(
    exact('freshness', {
      since: has(textOrNull, 'When it was created.'),
      since_push: has(textOrNull, 'The push that brought it.'),
      changed: has(textOrNull, 'When it last changed.'),
      changed_push: has(textOrNull, 'The push that last changed it.'),
    }),
    'When it was created and last changed, and by which pushes.',
  ),
});
export type EntityPage = t.TypeOf<typeof EntityPage>;

/** One entity. */
export const EntityValue = exact('one entity', {
  value: has(EntityPage, 'The result.'),
  as_of: asOf,
});
