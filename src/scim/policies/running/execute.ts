import type { AccountChange, ActionChange } from '../graph/lease';
import type { ManagedAccount, StoredAction } from '../graph/records';
import type { EventRecord } from '../../../graph/records/event-record';
import type { Provider } from '../../../contract/records/provider';
import {
  type Account,
  type AccountResult,
  deleteAccount,
  disableAccount,
  notShown,
  type Which,
} from '../../client/accounts';
import { ensureAccount } from '../../client/ensure-account';
import type { Application } from '../../client/application';
import { changeMembers } from '../../client/members';
import { isDown, ScimFault, type ScimFaultCode } from '../../client/scim-fault';
import type { Occasion } from '../../../graph/records/event';
import { actionEvent } from '../../actions/action-event';
import { idsOf, ignoredValuesOf, knownOf } from '../../actions/known-account';
import { problemOf } from '../../connections/test-connection';
import type { LifecycleDependencies } from '../dependencies';
import type { DesiredAccount, Policy } from '../planning/policy';
import type { OneRecord, Recorder } from './recorder';
import { deadEvent, membersEvent } from '../policy-events';

/** The complete application does not work, so other actions would fail too. */
export class ApplicationDown extends Error {
  constructor(readonly fault: ScimFault) {
    super(fault.message);
  }
}

/** Another try would find the same, unless the account is one that the application gave before. */
const FINAL: ReadonlySet<ScimFaultCode> = new Set([
  'TAKEN',
  'AMBIGUOUS',
  'NOT_OFFERED',
  'MEMBERS_UNKNOWN',
  'INCOMPLETE',
  'REPEATS_SECRET',
  'NOT_AS_SHOWN',
]);

/** What actions of one run share. */
export interface Running {
  readonly dependencies: LifecycleDependencies;
  readonly provider: Provider;
  readonly recorder: Recorder;
  readonly runId: string;
  /** Begins an action on the application, with a deadline of its own. */
  readonly begin: () => Promise<Application>;
  readonly policies: ReadonlyMap<string, Policy>;
  readonly desired: ReadonlyMap<string, DesiredAccount>;
  /** The records of accounts by person; actions change them. */
  readonly managed: Map<string, ManagedAccount>;
  /** Counts the requests of all actions. */
  readonly spent: { requests: number };
}

const isoOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

const nowOf = ({ dependencies }: Running): string => isoOf(dependencies.provisioning.clock.now());

const occasionOf = (running: Running): Occasion => ({
  at: nowOf(running),
  requestId: running.runId,
});

/** The result of an action: which of its people are left, and what to write. */
export interface Ended {
  readonly left: readonly string[];
  readonly fault: ScimFault | null;
  readonly outcome: string | null;
  readonly account: string | null;
  /** How the records of accounts change. */
  readonly records: readonly RecordChange[];
  readonly events: readonly EventRecord[];
}

/** How an action changes the record of a person's account as it is when the action ends. */
interface RecordChange {
  readonly person: string;
  readonly after: (before: ManagedAccount) => ManagedAccount;
}

const noRecord = (person: string, policy: string): ManagedAccount => ({
  person,
  policy,
  account: null,
  userName: null,
  externalId: null,
  digest: null,
  isCreating: false,
  former: [],
  ignored: [],
  ignoredValues: [],
  groups: [],
  unsureGroups: [],
  isAdopted: false,
  state: 'ACTIVE',
  since: '',
  leftAt: null,
  deleteAt: null,
});

const eventOfAction = (
  running: Running,
  action: StoredAction,
  result: AccountResult,
  person: string,
): EventRecord => {
  const { provider, runId } = running;
  const outcome = { user: person, ...result, problem: null };
  return actionEvent({ provider, act: { requestId: runId } }, { action: action.kind }, outcome);
};

const DAY_MS = 24 * 3600 * 1000;

/**
 * Records that an account may be created from now on. Whatever becomes of the request, the account
 * is then known to be that of a policy.
 */
const claimed = (
  running: Running,
  action: StoredAction,
  { person, who, policies }: DesiredAccount,
): OneRecord => {
  const record: ManagedAccount = {
    ...(running.managed.get(person) ?? noRecord(person, action.policy)),
    policy: policies[0],
    isCreating: true,
    state: 'ACTIVE',
    // An id that the application once gave is never forgotten.
    account: null,
    former: idsOf(running.managed.get(person) ?? noRecord(person, '')),
    groups: [],
    unsureGroups: [],
    userName: who.userName,
    externalId: who.externalId,
  };
  running.managed.set(person, record);
  return { at: nowOf(running), accounts: [{ ...record, until: null }] };
};

/** Records the id that the application gave an account, before anybody has seen it; null: none. */
const created = (
  running: Running,
  { person }: DesiredAccount,
  wasCreating: boolean,
  id: string | null,
): OneRecord => {
  const before = running.managed.get(person) ?? noRecord(person, '');
  const record: ManagedAccount =
    id === null
      ? { ...before, isCreating: wasCreating }
      : { ...before, account: id, former: idsOf(before).filter((each) => each !== id) };
  running.managed.set(person, record);
  return { at: nowOf(running), accounts: [record] };
};

/** Works on the application within a deadline of its own, and counts the requests. */
export const onApplication = async <A>(
  running: Running,
  work: (application: Application) => Promise<A>,
): Promise<A> => {
  const application = await running.begin();
  try {
    return await work(application);
  } finally {
    running.spent.requests += application.exchange.requestCount;
  }
};

/**
 * After this many tries a value that does not show counts as one that the application does not
 * store.
 */
const SEVERAL_TRIES = 4;

/** Whether an action that fails now is given up. */
const isLastTry = ({ dependencies }: Running, { attempts }: StoredAction): boolean =>
  attempts + 1 >= dependencies.retries.most;

/** Whether an account is managed for somebody else, whatever its present name. */
const isManagedForOther =
  ({ managed }: Running, person: string) =>
  (account: string): boolean =>
    [...managed.values()].some(
      (each) =>
        each.account === account &&
        each.person !== person &&
        each.state !== 'DELETED' &&
        each.state !== 'RELEASED',
    );

/** The end of an action on the account of one person that succeeded. */
const endedWith = (
  running: Running,
  action: StoredAction,
  result: AccountResult,
  person: string,
  after: (record: ManagedAccount) => ManagedAccount,
): Ended => ({
  left: [],
  fault: null,
  outcome: result.outcome,
  account: result.account,
  records: [{ person, after }],
  events: [eventOfAction(running, action, result, person)],
});

/** Brings an account to the wanted state. */
const ensure = async (running: Running, action: StoredAction): Promise<Ended> => {
  const { recorder, desired, managed } = running;
  const [person = ''] = action.people;
  const wanted = desired.get(person);
  if (wanted === undefined) throw new Error('nobody wants this account any more');
  const before = managed.get(person) ?? noRecord(person, action.policy);
  return onApplication(running, async (application) => {
    const result = await ensureAccount(application, {
      who: wanted.who,
      attributes: wanted.attributes,
      mayCreate: true,
      adopt: false,
      ...knownOf(before),
      known: idsOf(before).filter(
        (id) => id === before.account || !isManagedForOther(running, person)(id),
      ),
      // Attributes that did not show after several tries are those that the application does not
      // store.
      isUnfinished: action.attempts >= SEVERAL_TRIES,
      // An id that no look has found in all tries may be one that never was.
      isUnseen: knownOf(before).isUnseen && !isLastTry(running, action),
      isOthers: isManagedForOther(running, person),
      // An account that an earlier try may have created is no account that existed before.
      mayTake: wanted.adopt || before.isCreating,
      beforeCreation: () => recorder.write(() => claimed(running, action, wanted)),
      afterCreation: (id) => recorder.write(() => created(running, wanted, before.isCreating, id)),
    });
    const isSame = result.account === before.account;
    const wasOurs = before.isCreating || idsOf(before).includes(result.account ?? '');
    const after = (now: ManagedAccount): ManagedAccount => ({
      ...now,
      policy: wanted.policies[0],
      account: result.account,
      former: idsOf(now).filter((id) => id !== result.account),
      userName: wanted.who.userName,
      externalId: wanted.who.externalId,
      digest: wanted.digest,
      ignored: result.ignored,
      ignoredValues: ignoredValuesOf(result.ignored, wanted.attributes),
      ...(isSame ? {} : { groups: [], unsureGroups: [] }),
      isAdopted: isSame ? now.isAdopted : result.outcome !== 'created' && !wasOurs,
      isCreating: false,
      state: 'ACTIVE',
      leftAt: null,
      deleteAt: null,
    });
    return endedWith(running, action, result, person, after);
  });
};

/**
 * Takes away every account that the application ever gave a person. One that may have been made, and
 * that nobody has seen, counts as absent only after the last try: it may show later.
 */
const takeAll = async (
  running: Running,
  application: Application,
  action: StoredAction,
  before: ManagedAccount,
): Promise<AccountResult> => {
  const { person, externalId, userName, isCreating, account } = before;
  // An account that is managed for somebody else by now belongs to them.
  const isOthers = isManagedForOther(running, person);
  const ids = idsOf(before).filter((id) => id === account || !isOthers(id));
  const isUnknown = account === null && (isCreating || ids.length === 0);
  const all: readonly Which[] = [
    ...ids.map((id) => ({ account: id })),
    ...(isUnknown ? [{ who: { externalId, userName }, adopt: false, isOthers }] : []),
  ];
  const remove = action.kind === 'delete' ? deleteAccount : disableAccount;
  const results: AccountResult[] = [];
  for (const which of all) results.push(await remove(application, which));
  const taken = results.find(({ outcome }) => outcome !== 'absent');
  const newest = account === null ? results.at(-1) : results[0];
  const isLast = isLastTry(running, action);
  if (isCreating && newest?.outcome === 'absent' && !isLast) throw notShown(account);
  return taken ?? (results[0] as AccountResult);
};

/** Takes the accounts of a person away. */
const take = async (running: Running, action: StoredAction): Promise<Ended> => {
  const { policies, managed } = running;
  const [person = ''] = action.people;
  const before = managed.get(person);
  if (before === undefined) throw new Error('there is no account to take away');
  return onApplication(running, async (application) => {
    const isDeletion = action.kind === 'delete';
    const result = await takeAll(running, application, action, before);
    const leavers = policies.get(before.policy)?.leavers;
    const now = running.dependencies.provisioning.clock.now();
    const isGone = isDeletion || result.outcome === 'absent';
    const wait = leavers?.action === 'delete' ? leavers.after_days * DAY_MS : null;
    const after = (record: ManagedAccount): ManagedAccount => ({
      ...record,
      state: isGone ? 'DELETED' : 'DISABLED',
      account: record.account ?? result.account,
      isCreating: false,
      ...(isGone ? { groups: [], unsureGroups: [] } : {}),
      digest: null,
      leftAt: record.leftAt ?? isoOf(now),
      deleteAt: isGone || wait === null ? null : (record.deleteAt ?? isoOf(now + wait)),
    });
    return endedWith(running, action, result, person, after);
  });
};

/** Adds people to a group, or removes them. One that is refused does not stop the others. */
const members = async (running: Running, action: StoredAction): Promise<Ended> => {
  const { managed } = running;
  const group = action.group ?? '';
  const found = action.people.flatMap((person) => {
    const record = managed.get(person);
    // Nobody has seen an account yet that is being created.
    return record?.account === undefined || record.account === null || record.isCreating
      ? []
      : [record];
  });
  const without = action.people.filter((person) => !found.some((each) => each.person === person));
  const nobody = new ScimFault('NO_ACCOUNT', 'The person has no account yet.');
  if (found.length === 0) {
    const none = { outcome: null, account: null, records: [], events: [] };
    return { left: without, fault: nobody, ...none };
  }
  return onApplication(running, async (application) => {
    const isAdding = action.kind === 'add_members';
    const results = await changeMembers(
      application,
      group,
      isAdding ? 'add' : 'remove',
      found.map(({ account }): Account => ({ id: account ?? '', resource: {}, etag: null })),
    );
    const faults = new Map(
      results.flatMap((each) => ('fault' in each ? [[each.account, each.fault] as const] : [])),
    );
    const failed = found.filter(({ account }) => faults.has(account ?? ''));
    const done = found.filter(({ account }) => !faults.has(account ?? ''));
    const [first] = [...faults.values()];
    return {
      left: [...without, ...failed.map(({ person }) => person)],
      fault: first ?? (without.length > 0 ? nobody : null),
      outcome: isAdding ? 'added' : 'removed',
      account: null,
      records: done.map(({ person }) => ({
        person,
        after: (record) => {
          const groups = new Set(record.groups);
          if (isAdding) groups.add(group);
          else groups.delete(group);
          const unsureGroups = record.unsureGroups.filter((each) => each !== group);
          return { ...record, groups: [...groups].sort(), unsureGroups };
        },
      })),
      events:
        done.length === 0
          ? []
          : [
              membersEvent(
                running.provider,
                occasionOf(running),
                action,
                done.map(({ person }) => person),
              ),
            ],
    };
  });
};

/** What carries out an action. */
export type Work = (running: Running, action: StoredAction) => Promise<Ended>;

const WORK = {
  ensure,
  disable: take,
  delete: take,
  add_members: members,
  remove_members: members,
} as const;

/** The fault of an action. What the application sent may be such that no code expects it. */
const faultOf = (error: unknown): ScimFault => {
  if (error instanceof ScimFault) return error;
  if (!(error instanceof TypeError || error instanceof RangeError || error instanceof URIError)) {
    throw error;
  }
  const message = `The answer of the application could not be used: ${error.message}`;
  return new ScimFault('NOT_SCIM', message, { cause: error });
};

const attempt = async (running: Running, action: StoredAction, work: Work): Promise<Ended> => {
  try {
    return await work(running, action);
  } catch (error) {
    const fault = faultOf(error);
    const none = { outcome: null, account: null, records: [], events: [] };
    return { left: action.people, fault, ...none };
  }
};

/** What is written of an action that failed, and whether it is given up. */
const failedChange = (
  running: Running,
  { people }: Pick<StoredAction, 'people'>,
  fault: ScimFault,
  attempts: number,
): ActionChange & { readonly status: 'FAILED' | 'DEAD' } => {
  const { retries, provisioning } = running.dependencies;
  const { clock } = provisioning;
  const { code, message } = problemOf(fault);
  const problem = { code, message };
  const wasOurs = people.some((person) => {
    const record = running.managed.get(person);
    return record !== undefined && (record.isCreating || idsOf(record).length > 0);
  });
  const isFinal = FINAL.has(fault.code) && !(fault.code === 'TAKEN' && wasOurs);
  const isDead = isFinal || attempts >= retries.most;
  const now = clock.now();
  if (isDead) return { status: 'DEAD', problem, nextTry: null, finishedAt: isoOf(now) };
  const asked = fault.details.retryAfterSeconds ?? 0;
  const own = retries.pauseSeconds(attempts) * (0.5 + clock.random() / 2);
  return {
    status: 'FAILED',
    problem,
    nextTry: isoOf(now + Math.max(asked, own) * 1000),
  };
};

/**
 * The records of accounts while an action is under way. If it does not end, nobody knows whether it
 * had an effect, so the wanted values are then written again.
 */
const unsettled = (
  { managed }: Running,
  { kind, people, group, policy }: StoredAction,
): readonly AccountChange[] =>
  people.flatMap((person): readonly AccountChange[] => {
    const before = managed.get(person);
    if (before === undefined) return [];
    const isRaised =
      kind === 'ensure' && (before.state === 'DISABLED' || before.state === 'RELEASED');
    const record: ManagedAccount = {
      ...before,
      ...(group === null
        ? { digest: null }
        : { unsureGroups: [...new Set([...before.unsureGroups, group])].sort() }),
      // From now on it may be enabled, whatever becomes of the request.
      ...(isRaised ? { policy, state: 'ACTIVE', leftAt: null, deleteAt: null } : {}),
    };
    managed.set(person, record);
    return [isRaised ? { ...record, until: null } : record];
  });

/**
 * Carries out one action: records that it begins, carries it out, and records the result. Rejects
 * with `ApplicationDown` if the complete application does not work, and with `LeaseLost`.
 */
export const execute = async (
  running: Running,
  action: StoredAction,
  work: Work = WORK[action.kind],
): Promise<void> => {
  const { recorder, dependencies, managed, provider } = running;
  const attempts = action.attempts + 1;
  const begun: ActionChange = { status: 'PLANNED', attempts, startedAt: nowOf(running) };
  await recorder.write(() => ({
    at: nowOf(running),
    actions: [[action.id, begun]],
    accounts: unsettled(running, action),
  }));
  const { fault, left, outcome, account, records, events } = await attempt(running, action, work);
  const isFailed = fault !== null && left.length > 0;
  const change: ActionChange = isFailed
    ? { ...failedChange(running, action, fault, attempts), people: left, account }
    : {
        status: 'DONE',
        outcome,
        account,
        problem: null,
        nextTry: null,
        finishedAt: nowOf(running),
      };
  const isDead = isFailed && change.status === 'DEAD';
  const dead = isDead
    ? [deadEvent(provider, occasionOf(running), { ...action, people: left }, fault)]
    : [];
  await recorder.write(() => {
    const at = nowOf(running);
    const accounts = records.map(({ person, after }): AccountChange => {
      const record = after(managed.get(person) ?? noRecord(person, action.policy));
      managed.set(person, record);
      return { ...record, until: record.state === 'DELETED' ? at : null };
    });
    return { at, actions: [[action.id, change]], accounts, events: [...events, ...dead] };
  });
  dependencies.count(action.kind, isDead ? 'dead' : isFailed ? 'failed' : 'done');
  if (fault !== null && isDown(fault)) throw new ApplicationDown(fault);
};
