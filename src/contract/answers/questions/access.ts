import type * as t from 'io-ts';

import { list } from '../../../codec/collections';
import { deprecated, exact, has, mapOf, may, nullable, oneOf } from '../../../codec/exact';
import { flag } from '../../../codec/scalars';
import { anyText, enumeration, time } from '../../../codec/text';
import { repeatedNarrowing } from '../../parameters/access-narrowing';
import { cypher } from './cypher';
import { answerEnd, asOf } from '../page';
import { count, textOrNull, yes } from '../values';

const id = has(anyText, 'Its id, which is the key of its node.');
const label = has(anyText, 'The label of its node.');
const name = has(anyText, 'Its name; where it has none, an id.');
const path = has(textOrNull, 'The path of a resource.');
const resource_type = has(textOrNull, 'The type of a resource.');
const application = has(textOrNull, 'The application that it is in.');
const domain = has(textOrNull, 'The domain of what an identity provider has.');
const provider = has(
  textOrNull,
  'The provider whose data source has it; null if it is shared. Connectors choose names, and not this.',
);
const inactive = has(flag, 'Whether it is inactive or deactivated; it still has its access.');

/** What an answer says about a node wherever it names one (docs/rules.md: Access answers). */
export const Summary = exact('summary', {
  id,
  label,
  name,
  path,
  resource_type,
  application,
  domain,
  provider,
  inactive,
});
export type Summary = t.TypeOf<typeof Summary>;

const held = {
  name: has(anyText, 'Its native name.'),
  permission_type: has(list(anyText), 'Its canonical types.'),
} as const;

/** A permission that is held (docs/rules.md: Effective access). */
export const HeldPermission = exact('held permission', held);
export type HeldPermission = t.TypeOf<typeof HeldPermission>;

/** The accounts through which a human holds a permission. */
const through = may(
  list(anyText),
  'Of a human: the ids of those of their accounts that have it themselves. Empty where the human has it without an account.',
);

/** How many accounts have a permission of which an answer names only some. */
const accounts_total = may(
  count,
  'How many of their accounts have it themselves, if `accounts` names only the first of them.',
);

/** A permission that a principal, or a human, holds (docs/rules.md: One human). */
export const HeldThrough = exact('permission held by somebody', {
  ...held,
  accounts: through,
  accounts_total,
});
export type HeldThrough = t.TypeOf<typeof HeldThrough>;

const permissions = has(
  list(exact('permission', { ...held, application })),
  'What it may do there, by name.',
);

const StepOfRow = exact('step of a row', { id, label, name, provider });

/**
 * How many steps at the end of a long way a row lists. Among them are what is given, and the group or
 * account that holds it, also if a role in a role or two gives it.
 */
export const LAST_STEPS_OF_WAY = 6;

/** Through what a row is there. */
export const WayOfRow = exact('way of a row', {
  steps: has(
    list(StepOfRow),
    'From the principal to the permission, or to the role: at most 16, the last six of a long way among them.',
  ),
  more_steps: may(
    count,
    'How many steps are left out before the last six, if the way has more than 16.',
  ),
  on: has(nullable(StepOfRow), 'What it is held on, if that contains the resource, or is in it.'),
  since: has(nullable(time), 'When the way began: with the newest of its steps.'),
  others: has(nullable(count), 'How many other ways there are; null if nobody counted them.'),
  has_more: has(flag, 'Whether there are more than these.'),
});
export type WayOfRow = t.TypeOf<typeof WayOfRow>;
const way = may(nullable(WayOfRow), 'With `details`: the way that leads to most.');

const privileged = may(
  flag,
  'With `details`: whether it has a privileged permission there, also one that the list leaves out.',
);

const ResourceRow = exact('resource that is reached', {
  id,
  label,
  name,
  path,
  resource_type,
  application,
  provider,
  permissions: has(
    list(
      exact('permission on what is reached', {
        ...held,
        application,
        accounts: through,
        accounts_total,
      }),
    ),
    'What it may do there, by name.',
  ),
  privileged,
  way,
  resource: deprecated(anyText, 'The same as `id`.'),
  resource_label: deprecated(anyText, 'The same as `label`.'),
});
export type ResourceRow = t.TypeOf<typeof ResourceRow>;

const HumanAccount = exact('account of a human', {
  id,
  label,
  name,
  application,
  domain,
  provider,
});
export type HumanAccount = t.TypeOf<typeof HumanAccount>;

/** The other nodes of the human about whom an answer is (docs/rules.md: One human). */
const accounts = may(
  list(Summary),
  'Of a human: the other users, identities and accounts that are theirs. The answer is for all.',
);
/** The human about whom an answer is, if it is about one. */
export const answeredFor = {
  principal: may(Summary, 'Of a human: the node that gains what all their accounts gain.'),
  accounts,
} as const;

const PrincipalRow = exact('principal that has access', {
  id,
  label,
  name,
  application,
  domain,
  provider,
  inactive,
  permissions,
  principal: deprecated(anyText, 'The same as `id`.'),
  principal_label: deprecated(anyText, 'The same as `label`.'),
  drawn_together: may(
    list(anyText),
    'Ids of the identities and accounts that lead there, of a person.',
  ),
  accounts: may(list(HumanAccount), 'The same identities and accounts, with what they are.'),
  person: may(flag, 'Whether the row is a human; in lists of people.'),
  marks: may(list(anyText), 'With `details`: the marks of the row.'),
  privileged,
  way,
});
export type PrincipalRow = t.TypeOf<typeof PrincipalRow>;

const AccessFilter = exact('filter of access', repeatedNarrowing);
export type AccessFilter = t.TypeOf<typeof AccessFilter>;

const filter = has(AccessFilter, 'What the list was narrowed to.');

const counts = may(
  mapOf('counts of rows', count),
  'With `counts`: how many rows each mark, `privileged` and `write` leave in addition to the marks and types of the question.',
);

/** What a principal can reach (docs/rules.md: Access answers). */
export const ReachedResources = exact('resources that a principal reaches', {
  principal: has(Summary, 'Whom the question is about.'),
  accounts,
  filter,
  values: has(list(ResourceRow), 'The page.'),
  ...answerEnd,
  counts,
  cypher,
});

export type ReachedResources = t.TypeOf<typeof ReachedResources>;

/** Who can reach a resource (docs/rules.md: Access answers). */
export const PrincipalsWithAccess = exact('principals that have access', {
  resource: has(Summary, 'What the question is about.'),
  filter,
  values: has(list(PrincipalRow), 'The page.'),
  ...answerEnd,
  counts,
  people: may(count, 'How many rows of the complete list are humans. They come first.'),
  without_user: may(
    count,
    'How many of these humans are only an account or an identity: no employee and no user leads to it.',
  ),
  cypher,
});

export type PrincipalsWithAccess = t.TypeOf<typeof PrincipalsWithAccess>;

/** A list of access: of resources or of principals. */
export const AccessList = oneOf('list of access', ReachedResources, PrincipalsWithAccess);
export type AccessList = t.TypeOf<typeof AccessList>;

/** Whether a principal may do something. */
export const AccessCheck = exact('check of access', {
  value: has(
    exact('whether access is allowed', { allowed: has(flag, 'Whether it is allowed.') }),
    'The answer.',
  ),
  ...answeredFor,
  as_of: asOf,
  cypher,
});

const ExplainedHop = exact('hop', {
  id,
  label,
  name,
  relationship: has(textOrNull, 'The relationship that led here; null where the path begins.'),
  from: has(textOrNull, 'The id of the node that the relationship leads from.'),
  since: has(nullable(time), 'Since when the relationship is there.'),
  data_source: has(textOrNull, 'The data source that states the relationship.'),
  push: has(textOrNull, 'The push that brought the relationship.'),
});
export type ExplainedHop = t.TypeOf<typeof ExplainedHop>;

const ExplainedPath = exact('path', {
  permission: has(HeldPermission, 'What the path leads to.'),
  hops: has(list(ExplainedHop), 'From the principal to the permission.'),
  scope: has(list(ExplainedHop), 'From what the permission is held on to the resource.'),
});
export type ExplainedPath = t.TypeOf<typeof ExplainedPath>;

const ExplanationAnswer = exact('explanation', {
  paths: has(list(ExplainedPath), 'Paths, shortest first.'),
  truncated: has(flag, 'Whether there are more.'),
});
export type ExplanationAnswer = t.TypeOf<typeof ExplanationAnswer>;

/** The ways by which a principal has access. */
export const AccessExplanation = exact('explanation of access', {
  value: has(ExplanationAnswer, 'The answer.'),
  ...answeredFor,
  as_of: asOf,
  cypher,
});

export type AccessExplanation = t.TypeOf<typeof AccessExplanation>;

/** Why somebody is a suggested reviewer (docs/rules.md: Reviewers). */
export const ReviewReason = exact('reason to review', {
  type: has(
    enumeration('type of reason', [
      'manager',
      'owner',
      'entities_owned',
      'SYSTEM_resource_managers',
    ]),
    'What makes somebody a reviewer.',
  ),
  text: has(anyText, 'The reason, in words.'),
  of: has(Summary, 'Whom or what the reviewer manages or owns.'),
  since: has(nullable(time), 'Since when.'),
});
export type ReviewReason = t.TypeOf<typeof ReviewReason>;

const Reviewer = exact('reviewer', {
  ...Summary.fields,
  email: has(textOrNull, 'Their email.'),
  reasons: has(list(ReviewReason), 'Why they should review: the first twenty, nearest first.'),
  reasons_total: may(count, 'How many reasons there are, if not all are listed.'),
});
export type Reviewer = t.TypeOf<typeof Reviewer>;

/** The suggested reviewers of a principal's access, or of the access to a resource. */
export const ReviewerList = exact('list of reviewers', {
  principal: may(Summary, 'Whose access is reviewed.'),
  accounts,
  resource: may(Summary, 'The resource to which access is reviewed.'),
  values: has(list(Reviewer), 'The first hundred reviewers, nearest first; `total` counts all.'),
  ...answerEnd,
  cypher,
});

export type ReviewerList = t.TypeOf<typeof ReviewerList>;

/** A line of an export of access (docs/api.md: Exports of access). */
export const ExportedAccess = exact('exported access', {
  principal: has(Summary, 'Who has access.'),
  human: may(
    nullable(Summary),
    'The human whose account the principal certainly is; null if it is nobody’s, or several people’s.',
  ),
  resource: has(Summary, 'To what.'),
  permissions: has(list(HeldPermission), 'What it may do there, by name.'),
  explanation: may(
    nullable(ExplainedPath),
    'The first path of an explanation; null if it has more than 16 relationships.',
  ),
  as_of: asOf,
  cursor: may(anyText, 'On some lines: with it an export goes on behind this line.'),
  is_last: may(yes, 'Only on the last line: the export is complete.'),
});
export type ExportedAccess = t.TypeOf<typeof ExportedAccess>;
