import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type {
  AccountRequest,
  ActionAnswer,
  ActionResult,
  DeprovisionRequest,
  MembersRequest,
} from '../connections/endpoints';
import { FailedStep } from '../../neo4j/failure';
import type { KnownAccount, StoredPerson } from '../connections/connection-records';
import { badField, type Failure } from '../../problem';
import {
  type Account,
  type AccountResult,
  deleteAccount,
  disableAccount,
  needAccount,
  type Which,
} from '../client/accounts';
import { ensureAccount } from '../client/ensure-account';
import { type Application, openApplication } from '../client/application';
import { changeMembers, type MemberChange } from '../client/members';
import { ScimFault } from '../client/scim-fault';
import { actionEvent, type NamedAction } from './action-event';
import { openConnection, type OpenConnection } from '../connections/set-connection';
import type { Acting, ProvisioningDependencies } from '../connections/reaching';
import { internal } from './internal';
import { idsOf, ignoredValuesOf, knownOf } from './known-account';
import { ManagedForOther, type ManagedAccounts, managedAccountsOf } from './managed-accounts';
import { accountOf } from './mapping';
import { problemOf } from '../connections/test-connection';

/** Whom an action is about: a user of the graph, or an account that the request names. */
type Subject =
  | { readonly user: string; readonly person: StoredPerson }
  | { readonly user: null; readonly account: string };

const switchedOn = ({ provider, isDryRun }: Acting): E.Either<Failure, void> =>
  provider.provisioning || isDryRun
    ? E.right(undefined)
    : E.left({
        _tag: 'Conflict',
        message:
          'Provisioning of the provider is off: switch it on with PATCH, or ask for a dry run.',
      });

/**
 * Finds the user. A key that is limited to providers acts only for their users, and cannot find out
 * whether there are others.
 */
const personOf =
  (
    { connections }: Pick<ProvisioningDependencies, 'connections'>,
    { limitedTo, provider: { id } }: Acting,
  ) =>
  (key: string): TE.TaskEither<Failure, StoredPerson> =>
    pipe(
      connections.person(key, id),
      TE.flatMap((person) =>
        person === null || limitedTo?.includes(person.provider) === false
          ? TE.left<Failure>({
              _tag: 'NotFound',
              message: `There is no user of an identity provider with the id ${JSON.stringify(key)} that this key may see.`,
            })
          : TE.right(person),
      ),
    );

const failed = (user: string | null, account: string | null, fault: ScimFault): ActionResult => ({
  user,
  account,
  outcome: 'failed',
  confirmed: false,
  ignored: [],
  problem: problemOf(fault),
});

/** Runs a part of an action. If the application fails, the result says so; nothing is thrown. */
const settled = async (
  { user }: Pick<Subject, 'user'>,
  account: string | null,
  work: () => Promise<AccountResult>,
): Promise<ActionResult> => {
  try {
    return { user, ...(await work()), problem: null };
  } catch (error) {
    if (error instanceof ScimFault) return failed(user, account, error);
    throw error;
  }
};

type Work = (
  open: OpenConnection,
  application: () => Promise<Application>,
) => Promise<readonly ActionResult[]>;

/** Runs an action, and writes an event for each of its results unless it is a dry run. */
const acted = (
  dependencies: ProvisioningDependencies,
  acting: Acting,
  described: NamedAction,
  work: Work,
): TE.TaskEither<Failure, ActionAnswer> =>
  pipe(
    openConnection(dependencies, acting.provider, { isDryRun: acting.isDryRun }),
    TE.bindTo('open'),
    TE.bind('values', ({ open }) =>
      TE.tryCatch(
        () => work(open, () => openApplication(open.exchange)),
        (error) => (error instanceof ManagedForOther ? error.failure : internal(error)),
      ),
    ),
    TE.map(({ open, values }): ActionAnswer => ({
      dry_run: acting.isDryRun,
      values,
      requests: open.exchange.requests,
    })),
    TE.tap(({ values }) =>
      acting.isDryRun
        ? TE.right(undefined)
        : TE.sequenceSeqArray(
            values.map((value) => dependencies.writeEvent(actionEvent(acting, described, value))),
          ),
    ),
  );

const whichOf = (
  subject: Subject,
  { settings }: OpenConnection,
  adopt: boolean,
  keeping: ManagedAccounts,
): Which => {
  if (subject.user === null) return { account: subject.account };
  const { mapping, profile } = settings;
  const { properties, known } = subject.person;
  const { who } = accountOf(properties, mapping, profile);
  const mine = keeping.of(subject.user, who);
  return { who, adopt, known: idsOf(known).filter(mine.isFree), isOthers: mine.isOthers };
};

/** Remembers the account of a person: the next call finds it by its id, however the person is called. */
const rememberer =
  (
    { connections }: Pick<ProvisioningDependencies, 'connections'>,
    { provider, isDryRun }: Acting,
    { key, known }: StoredPerson,
  ) =>
  async (change: Partial<KnownAccount> & Pick<KnownAccount, 'account'>): Promise<void> => {
    if (isDryRun || change.account === null) return;
    const former = idsOf(known).filter((id) => id !== change.account);
    const done = await connections.remember(provider.id, key, { ...known, ...change, former })();
    if (E.isLeft(done)) throw new FailedStep(done.left);
  };

/** Creates the account of a person, or brings it up to date (docs/provisioning.md: By hand). */
const ensure =
  (action: 'provision' | 'update', mayCreate: boolean) =>
  (dependencies: ProvisioningDependencies) =>
  (acting: Acting, { user, adopt, force }: AccountRequest): TE.TaskEither<Failure, ActionAnswer> =>
    pipe(
      TE.fromEither(switchedOn(acting)),
      TE.flatMap(() => personOf(dependencies, acting)(user)),
      TE.bindTo('person'),
      TE.bind('keeping', () => managedAccountsOf(dependencies, acting, force === true)),
      TE.flatMap(({ person, keeping }) =>
        acted(dependencies, acting, { action }, async ({ settings }, application) => [
          await settled({ user }, null, async () => {
            const { mapping, profile } = settings;
            const { who, attributes } = accountOf(person.properties, mapping, profile);
            const mine = keeping.of(person.key, who);
            const remember = rememberer(dependencies, acting, person);
            const result = await ensureAccount(await application(), {
              who,
              attributes,
              mayCreate,
              adopt: adopt === true,
              ...knownOf(person.known),
              known: idsOf(person.known).filter(mine.isFree),
              isOthers: mine.isOthers,
              afterCreation: (id) =>
                id === null ? Promise.resolve() : remember({ account: id, isCreating: true }),
            });
            const { account, ignored } = result;
            await remember({
              account,
              isCreating: false,
              ignored,
              ignoredValues: ignoredValuesOf(ignored, attributes),
            });
            return result;
          }),
        ]),
      ),
    );

/** Gives a person an account, or brings the one that they have up to date. */
export const provision = ensure('provision', true);
/** Brings the account of a person up to date; fails if there is none. */
export const update = ensure('update', false);

/** Disables or deletes an account. */
export const deprovision =
  (dependencies: ProvisioningDependencies) =>
  (
    acting: Acting,
    { user, account, how, adopt, force }: DeprovisionRequest,
  ): TE.TaskEither<Failure, ActionAnswer> => {
    const isNamed = typeof account === 'string' && account !== '';
    if (isNamed && typeof user === 'string') {
      const message = 'is named together with "user": name only one of them';
      return TE.left(badField('/account', 'UNKNOWN_FIELD', message));
    }
    return pipe(
      TE.fromEither(switchedOn(acting)),
      TE.flatMap((): TE.TaskEither<Failure, Subject> =>
        isNamed
          ? TE.right({ user: null, account })
          : pipe(
              personOf(dependencies, acting)(user ?? ''),
              TE.map((person) => ({ user: person.key, person })),
            ),
      ),
      TE.bindTo('subject'),
      TE.bind('keeping', () => managedAccountsOf(dependencies, acting, force === true)),
      TE.flatMap(({ subject, keeping }) =>
        acted(dependencies, acting, { action: how }, async (open, application) => [
          await settled(subject, isNamed ? account : null, async () => {
            // A caller who names only an account may not know to whom it belongs.
            if (isNamed) keeping.refuseManaged(account);
            const which = whichOf(subject, open, adopt === true, keeping);
            const change = how === 'disable' ? disableAccount : deleteAccount;
            return change(await application(), which);
          }),
        ]),
      ),
    );
  };

const MOST_MEMBERS = 100;

const subjectsOf = (
  dependencies: ProvisioningDependencies,
  acting: Acting,
  { users, accounts }: MembersRequest,
): TE.TaskEither<Failure, readonly Subject[]> => {
  const named = [...new Set(accounts ?? [])];
  const keys = [...new Set(users ?? [])];
  const count = named.length + keys.length;
  if (count === 0) return TE.left(badField('/users', 'MISSING_FIELD', 'name users or accounts'));
  if (count > MOST_MEMBERS) {
    const message = `and accounts may be ${MOST_MEMBERS} at most, not ${count}`;
    return TE.left(badField('/users', 'OUT_OF_RANGE', message));
  }
  return pipe(
    keys.map(personOf(dependencies, acting)),
    TE.sequenceSeqArray,
    TE.map((people): readonly Subject[] => [
      ...people.map((person) => ({ user: person.key, person })),
      ...named.map((account) => ({ user: null, account })),
    ]),
  );
};

interface Found {
  readonly subject: Subject;
  readonly account: Account;
}

const namedChange = (change: MemberChange, { group }: MembersRequest): NamedAction => ({
  action: `${change}_members`,
  group,
});

/** Adds accounts to a group or removes them. One that fails does not stop the others. */
const changed =
  (change: MemberChange) =>
  (dependencies: ProvisioningDependencies) =>
  (acting: Acting, request: MembersRequest): TE.TaskEither<Failure, ActionAnswer> =>
    pipe(
      TE.fromEither(switchedOn(acting)),
      TE.flatMap(() => subjectsOf(dependencies, acting, request)),
      TE.bindTo('subjects'),
      TE.bind('keeping', () => managedAccountsOf(dependencies, acting, request.force === true)),
      TE.flatMap(({ subjects, keeping }) =>
        acted(dependencies, acting, namedChange(change, request), async (open, begin) => {
          const results = new Map<Subject, ActionResult>();
          const found: Found[] = [];
          try {
            const application = await begin();
            for (const subject of subjects) {
              try {
                const which = whichOf(subject, open, request.adopt === true, keeping);
                found.push({ subject, account: await needAccount(application, which) });
              } catch (error) {
                if (!(error instanceof ScimFault)) throw error;
                const account = subject.user === null ? subject.account : null;
                results.set(subject, failed(subject.user, account, error));
              }
            }
            if (found.length > 0) {
              const accounts = found.map(({ account }) => account);
              const outcomes = await changeMembers(application, request.group, change, accounts);
              for (const { subject, account } of found) {
                const outcome = outcomes.find((each) => each.account === account.id);
                if (outcome === undefined) continue;
                results.set(
                  subject,
                  'fault' in outcome
                    ? failed(subject.user, account.id, outcome.fault)
                    : { user: subject.user, ...outcome, ignored: [], problem: null },
                );
              }
            }
          } catch (error) {
            if (!(error instanceof ScimFault)) throw error;
            for (const subject of subjects) {
              if (results.has(subject)) continue;
              const account = found.find((each) => each.subject === subject)?.account.id ?? null;
              results.set(subject, failed(subject.user, account, error));
            }
          }
          return subjects.map((subject) => results.get(subject) as ActionResult);
        }),
      ),
    );

/** Adds accounts to a group. */
export const addMembers = changed('add');
/** Removes accounts from a group. */
export const removeMembers = changed('remove');
