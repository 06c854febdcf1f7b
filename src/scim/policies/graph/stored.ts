import { fromGraph, utcOf } from '../../../neo4j/values';
import type {
  AccountState,
  ActionKind,
  ActionStatus,
  ManagedAccount,
  ReconcilerState,
  RunOutcome,
  StoredAction,
} from './records';

type Stored = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : [];
const numberOf = (value: unknown, unset = 0): number =>
  value === undefined || value === null ? unset : Number(value);

/** Reads an action. */
export const toAction = (stored: Stored): StoredAction => {
  const values = fromGraph(stored) as Stored;
  const code = textOf(values.problem_code);
  return {
    id: String(values.id),
    kind: values.kind as ActionKind,
    policy: String(values.policy),
    people: textsOf(values.people),
    account: textOf(values.account),
    group: textOf(values.group),
    wanted: String(values.wanted),
    why: String(values.why),
    status: values.status as ActionStatus,
    attempts: numberOf(values.attempts),
    outcome: textOf(values.outcome),
    problem: code === null ? null : { code, message: textOf(values.problem) ?? '' },
    plannedAt: utcOf(values.planned_at) ?? '',
    nextTry: utcOf(values.next_try),
    finishedAt: utcOf(values.finished_at),
  };
};

/** Reads a record of an account from the list that MANAGED_ACCOUNTS gives. */
export const toManaged = (values: readonly unknown[]): ManagedAccount => {
  const [person, policy, account, userName, externalId, digest, ignored, groups, ...rest] = values;
  const [isAdopted, state, since, leftAt, deleteAt, isCreating, unsure, ...more] = rest;
  const [former, ignoredValues] = more;
  return {
    person: String(person),
    policy: String(policy),
    account: textOf(account),
    former: textsOf(former),
    isCreating: isCreating === true,
    userName: textOf(userName),
    externalId: textOf(externalId),
    digest: textOf(digest),
    ignored: textsOf(ignored),
    ignoredValues: textsOf(ignoredValues),
    groups: textsOf(groups),
    unsureGroups: textsOf(unsure),
    isAdopted: isAdopted === true,
    state: state as AccountState,
    since: textOf(since) ?? '',
    leftAt: textOf(leftAt),
    deleteAt: textOf(deleteAt),
  };
};

/** Reads the state of a provider; a provider without one has never been looked at. */
export const toState = (stored: Stored | null, isHeld: boolean): ReconcilerState => {
  const values = fromGraph(stored ?? {}) as Stored;
  const token = textOf(values.waiting_token);
  return {
    isHeld,
    turn: numberOf(values.turn, -1),
    asked: numberOf(values.asked),
    answered: numberOf(values.answered),
    runAt: utcOf(values.run_at),
    fullRunAt: utcOf(values.full_run_at),
    outcome: textOf(values.outcome) as RunOutcome | null,
    problem: textOf(values.problem),
    failures: numberOf(values.failures),
    retryAt: utcOf(values.retry_at),
    waiting:
      token === null
        ? null
        : {
            token,
            people: numberOf(values.waiting_people),
            joiners: numberOf(values.waiting_joiners),
          },
    passedAt: utcOf(values.passed_at),
    confirmedToken: textOf(values.confirmed_token),
    reportDigest: textOf(values.report_digest),
    driftDigest: textOf(values.drift_digest),
    driftCount: numberOf(values.drift_count),
    showsMembers: values.shows_members === true,
  };
};
