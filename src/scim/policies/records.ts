import { flag, number, past, service, text, texts, time } from '../../model/table';
import { leased } from '../lease';

/** What a version stores of an account (docs/provisioning.md: What they leave in the graph). */
const versioned = {
  policy: text('Id of the policy; empty for an account that calls by hand made.', 'nobody'),
  account: text('Id of the account in the application.', 'mention'),
  user_name: text('Its `userName`, as last written.', 'mention'),
  external_id: text('Its `externalId`, as last written.', 'mention'),
  groups: texts('Groups of the application in which the policies have put it.', 'mention'),
  is_adopted: flag('Whether it existed in the application before.'),
  state: text(
    '`ACTIVE`, `LEAVING` (to be reported), `DISABLED`, `DELETED` or `RELEASED`.',
    'nobody',
  ),
  left_at: time('When the person left.'),
  delete_at: time('When it will be deleted.'),
};

/** An account that a policy made or adopted (docs/provisioning.md: Policies). */
export const ManagedAccount = service('ManagedAccount', {
  holds: { of: 'provider', by: 'provider', days: null },
  doc: 'An account in an application that a policy made or adopted. `ACCOUNT_OF` leads to the person while they are in the graph.',
  properties: {
    provider: text('Id of the provider.', 'nobody'),
    person: text("Key of the person's node.", 'people'),
    ...versioned,
    digest: text(
      'SHA-256 of its attributes as last written, in hexadecimal; absent while a change has begun and not ended.',
      'nobody',
    ),
    former: texts(
      'Ids that the application gave it before, the newest first: an account that was ever known is never forgotten.',
      'mention',
    ),
    ignored: texts('Attributes that the application did not store.', 'nobody'),
    ignored_values: texts(
      'Digests of these attributes with the values that it did not store.',
      'nobody',
    ),
    unsure_groups: texts(
      'Groups that a change has begun for and not ended: it may be in them or not.',
      'mention',
    ),
    is_creating: flag('Whether it may have been created, and nobody has seen it yet.'),
    since: time('When a policy made or adopted it.'),
    changed: time('Since when it is in this state; absent if no policy ever wrote it.'),
    until: time('When it was deleted or released.'),
  },
  indexes: ['provider', 'person', 'policy'],
});

/** A version of an account that ended (docs/provisioning.md: What they leave in the graph). */
export const ManagedAccountVersion = past('ManagedAccountVersion', {
  holds: {
    ...{ of: 'provider', by: 'provider' },
    days: { setting: 'historyDays', after: 'until' },
  },
  doc: 'A version of a ManagedAccount that ended: how the account was from `from` until `until`.',
  properties: {
    provider: text('Id of the provider.', 'nobody'),
    person: text("Key of the person's node.", 'people'),
    ...versioned,
    since: time('When a policy made or adopted the account.'),
    from: time('When this version began.'),
    until: time('When it ended.'),
  },
  indexes: ['person', 'provider', 'until'],
});

/** The properties of an account that a version stores. */
export const VERSIONED: readonly string[] = Object.keys(versioned);

/** One change in an application that policies or a review ask for (docs/provisioning.md: Actions). */
export const LifecycleAction = service('LifecycleAction', {
  holds: {
    ...{ of: 'provider', by: 'provider' },
    days: {
      ...{ setting: 'pushDays', after: 'finished_at' },
      where: "n.status IN ['DONE', 'DROPPED']",
    },
  },
  doc: 'A change in an application, recorded before and after it is made.',
  properties: {
    id: text('UUID.', 'nobody'),
    provider: text('Id of the provider.', 'nobody'),
    policy: text('Id of the policy; empty if a review ordered the action.', 'nobody'),
    review: text('Id of the review that ordered it; absent if a policy did.', 'nobody'),
    item: number('The number of the item of that review.'),
    kind: text('`ensure`, `disable`, `delete`, `add_members` or `remove_members`.', 'nobody'),
    people: texts("Keys of the people's nodes.", 'people'),
    account: text('Id of the account; empty if there are several or none.', 'mention'),
    group: text('The group, of changes of members.', 'mention'),
    wanted: text('Digest of the wanted state.', 'nobody'),
    why: text('Why.', 'mention'),
    status: text(
      '`PLANNED`, `DONE`, `FAILED` (will be tried again), `DEAD` or `DROPPED`.',
      'nobody',
    ),
    attempts: number('How often it was tried.'),
    outcome: text('What became of the account.', 'mention'),
    problem_code: text('Why the last try failed.', 'nobody'),
    problem: text('The same in a sentence.', 'mention'),
    planned_at: time('When it was planned.'),
    started_at: time('When the last try began.'),
    next_try: time('When it may be tried again.'),
    finished_at: time('When it was done, given up or dropped.'),
  },
  indexes: [['provider', 'status'], 'provider', 'status', 'policy'],
});

/** Which process reconciles a provider, and how far it has come (docs/architecture.md: Locks). */
export const LifecycleState = service('LifecycleState', {
  holds: { of: 'provider', by: 'key', days: null },
  doc: "Which process reconciles the application of a provider, and the result of the last run; its key is the provider's id.",
  properties: {
    ...leased,
    turn: number('Commit sequence up to which pushes are reconciled.'),
    asked: number('How often somebody requested a run.'),
    answered: number('How many of these a run has answered.'),
    run_at: time('When the last run was.'),
    full_run_at: time('When the application was last read completely.'),
    outcome: text('`DONE`, `AWAITING_CONFIRMATION`, `POSTPONED`, `UNREAD` or `FAILED`.', 'mention'),
    problem: text('Why the last run failed.', 'mention'),
    failures: number('How many runs have failed in a row.'),
    retry_at: time('When a failed run may be tried again.'),
    waiting_token: text('What a confirmation must name.', 'nobody'),
    waiting_people: number('How many people would lose their accounts.'),
    waiting_joiners: number('How many people would get accounts.'),
    passed_at: time('When the run began whose plan the guard last let pass.'),
    confirmed_token: text('What somebody has confirmed.', 'nobody'),
    report_digest: text('What policies in report-only would do, as last reported.', 'nobody'),
    drift_digest: text('Drift as last reported.', 'nobody'),
    shows_members: flag('Whether the application has ever shown a member of a group.'),
    drift_count: number('How many differences the last reading of the application found.'),
  },
});
