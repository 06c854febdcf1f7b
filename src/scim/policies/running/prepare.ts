import * as E from 'fp-ts/Either';

import type { Drift } from '../endpoints';
import type { Provider } from '../../../contract/records/provider';
import { FailedStep } from '../../../neo4j/failure';
import type { ManagedAccount, StoredAction } from '../graph/records';
import {
  type Application,
  type MembersShown,
  nothingShown,
  openApplication,
} from '../../client/application';
import { isDown, ScimFault } from '../../client/scim-fault';
import { openConnection, type OpenConnection } from '../../connections/set-connection';
import type { LifecycleDependencies } from '../dependencies';
import { withoutContested } from '../planning/contested';
import { type Desired, desiredOf } from '../planning/desired';
import { driftOf } from '../planning/drift';
import { type Guarded, guardOf } from '../planning/guard';
import { type Plan, planOf } from '../planning/plan';
import { type Policy, selectorKey, selectorsOf } from '../planning/policy';
import { readApplication } from './read-application';

/** The graph holds only a part of a directory, so nobody knows all people now. */
export class PushUnderWay extends Error {
  constructor(source: string) {
    super(`A large push to data source ${source} is not finished; the policies wait for its end.`);
  }
}

/** A directory that a policy names is gone. That says nothing about its people. */
export class DirectoryGone extends Error {
  constructor(source: string) {
    super(
      `Data source ${source}, which policies name, is gone. What became of its people is not known, ` +
        'so nothing is done: set these policies with directories that exist.',
    );
  }
}

/** The application of a provider, open for a run. */
export interface OpenedApplication {
  readonly open: OpenConnection;
  /** What answers of the application have shown of members, in this run and earlier ones. */
  readonly members: MembersShown;
  /**
   * Begins an action, with a deadline of its own. The first one finds out what the application can
   * do. Rejects with `ScimFault`.
   */
  readonly begin: () => Promise<Application>;
  /** How many requests were needed to find out what the application can do. */
  readonly asked: () => number;
}

/**
 * Opens the connection of a provider. It sends nothing to the application yet. Rejects with
 * `FailedStep`.
 */
export const openForRun = async (
  { provisioning }: Pick<LifecycleDependencies, 'provisioning'>,
  provider: Provider,
  isDryRun: boolean,
  showsMembers = false,
): Promise<OpenedApplication> => {
  const opened = await openConnection(provisioning, provider, { isDryRun })();
  if (E.isLeft(opened)) throw new FailedStep(opened.left);
  const open = opened.right;
  let first: Promise<Application> | null = null;
  const members: MembersShown = { ...nothingShown(), any: showsMembers };
  return {
    open,
    members,
    begin: async () => {
      first ??= openApplication(open.exchange);
      return { exchange: open.another(), can: (await first).can, members };
    },
    asked: () => open.exchange.requestCount,
  };
};

/** The work of a run, and how it was found. */
export interface Prepared {
  readonly desired: Desired;
  readonly managed: readonly ManagedAccount[];
  /** The people whose accounts the application shows otherwise than they are recorded. */
  readonly observed: ReadonlySet<string>;
  readonly open: readonly StoredAction[];
  readonly plan: Plan;
  readonly guarded: Guarded;
  /** Null if the application was not read. */
  readonly drift: readonly Drift[] | null;
  /** Why the application could not be read; null if it was, or was not to be. */
  readonly unread: ScimFault | null;
  readonly requests: number;
}

/** All groups of the application that policies name. */
const groupsOf = (policies: readonly Policy[]): readonly string[] => [
  ...new Set(policies.flatMap(({ groups }) => groups.map(({ name }) => name))),
];

/**
 * Computes what the policies want. With `readsApplication` it reads the application too, and
 * corrects differences if the policies say so.
 */
export const prepare = async (
  {
    people,
    records,
    provisioning,
  }: Pick<LifecycleDependencies, 'people' | 'records' | 'provisioning'>,
  provider: Provider,
  policies: readonly Policy[],
  { open: { settings }, begin }: OpenedApplication,
  readsApplication: boolean,
  isForeseen = false,
): Promise<Prepared> => {
  const found = await people.find(selectorsOf(policies));
  if ('gone' in found) throw new DirectoryGone(found.gone);
  if ('partial' in found) throw new PushUnderWay(found.partial);
  const { mapping, profile } = settings;
  const managed = await records.accounts(provider.id);
  const wanted = desiredOf(
    policies,
    found.people.map(({ key, properties, selectors }) => ({
      key,
      properties,
      selectors: new Set(selectors.map(selectorKey)),
    })),
    mapping,
    profile,
  );
  const desired = withoutContested(wanted, managed);
  const now = new Date(provisioning.clock.now()).toISOString();
  const incomplete = new Set(desired.incomplete.map(({ person }) => person));
  let present = managed;
  let drift: readonly Drift[] | null = null;
  let observed: ReadonlySet<string> = new Set();
  let unread: ScimFault | null = null;
  const lost = new Map<string, string[]>();
  const application = readsApplication ? await begin() : null;
  const existing =
    application === null
      ? null
      : await readApplication(application, managed, groupsOf(policies), () =>
          provisioning.clock.random(),
        ).catch((error: unknown) => {
          // People who have left lose their accounts nevertheless.
          if (!(error instanceof ScimFault) || isDown(error)) throw error;
          unread = error;
          return null;
        });
  const requests = application?.exchange.requestCount ?? 0;
  if (existing !== null) {
    const drifted = driftOf(managed, desired.accounts, existing);
    ({ drift } = drifted);
    const correcting = new Set(
      policies.filter((policy) => policy.drift === 'correct').map(({ id }) => id),
    );
    const differs = new Set(drifted.drift.map(({ person }) => person));
    // What the application said that it made, and does not have, is made again in any case.
    present = managed.map((each, index) =>
      differs.has(each.person) && (correcting.has(each.policy) || each.isCreating)
        ? (drifted.present[index] ?? each)
        : each,
    );
    for (const [index, { account, person, policy, isCreating }] of managed.entries()) {
      if (account === null || isCreating || present[index]?.account !== null) continue;
      lost.set(policy, [...(lost.get(policy) ?? []), person]);
    }
    observed = new Set(
      present.flatMap((each, index) => (each === managed[index] ? [] : each.person)),
    );
  }
  const plan = planOf(policies, desired, present, now, incomplete, isForeseen);
  const open = await records.openActions(provider.id);
  const { passedAt } = await records.state(provider.id);
  return {
    desired,
    managed: present,
    observed,
    open,
    plan,
    drift,
    requests,
    unread,
    guarded: guardOf(policies, plan, managed, open, passedAt, lost),
  };
};
