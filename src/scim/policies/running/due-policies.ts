import type { Reconciled } from '../graph/lifecycle-records';
import type { LifecycleDependencies } from '../dependencies';
import { reconcile } from './reconcile';
import { errorFields, type Log } from '../../../log';
import { isOutage } from '../../../neo4j/failure';
import type { Timed } from '../../timetable';

const HOUR_MS = 3600 * 1000;

const isPast = (time: string | null, now: number): boolean =>
  time !== null && Date.parse(time) <= now;

/** Whether a run of a provider is due, and whether it must read the application. */
const dueOf = async (
  { records, provisioning, fullHours }: LifecycleDependencies,
  { provider, state, turns }: Reconciled,
): Promise<{ readonly full: boolean } | null> => {
  const now = provisioning.clock.now();
  const isAsked = state.asked > state.answered;
  if (state.isHeld) return null;
  if (state.outcome === 'FAILED' && state.retryAt !== null && !isPast(state.retryAt, now)) {
    return isAsked ? { full: false } : null;
  }
  const last = state.fullRunAt === null ? null : Date.parse(state.fullRunAt);
  // A reading that failed is tried again later. Until then everything else goes on.
  const isLater = state.outcome === 'UNREAD' && !isPast(state.retryAt, now);
  const isFullDue =
    !isLater &&
    fullHours > 0 &&
    (last === null ? state.outcome === 'UNREAD' : now - last >= fullHours * HOUR_MS);
  if (isFullDue) return { full: true };
  if (isAsked || state.outcome === 'FAILED' || state.outcome === 'POSTPONED') {
    // The first run reads the application, so that the timetable has a beginning.
    return { full: last === null && fullHours > 0 };
  }
  if (turns > state.turn && (await records.changedPeopleSince(state.turn, turns))) {
    return { full: false };
  }
  if (turns > state.turn) await records.setTurn(provider, turns);
  const iso = new Date(now).toISOString();
  return (await records.isActionDue(provider, iso)) ? { full: false } : null;
};

/** A provider whose policies are due. */
export interface DueRun {
  readonly provider: string;
  readonly full: boolean;
  readonly turn: number;
}

/** When policies of a provider last ran; before all times if they never did. */
const lastRun = ({ state: { runAt } }: Reconciled): number =>
  runAt === null ? 0 : Date.parse(runAt);

/** How many applications policies read and change at once. Each may hold a share of the memory. */
const APPLICATIONS_AT_ONCE = 2;

/**
 * Policies that are due: after a push that can matter, on the timetable, for actions that may be tried
 * again, and by request (docs/provisioning.md: When policies run). Those that ran longest ago come
 * first, so applications that are always due hold up no others.
 */
export const timedPolicies = (dependencies: LifecycleDependencies, log: Log): Timed<DueRun> => ({
  atOnce: APPLICATIONS_AT_ONCE,
  due: async () => {
    const due: DueRun[] = [];
    const providers = await dependencies.records.providers();
    for (const each of providers.toSorted((a, b) => lastRun(a) - lastRun(b))) {
      const run = await dueOf(dependencies, each);
      if (run !== null) due.push({ ...run, provider: each.provider, turn: each.turns });
    }
    return due;
  },
  keyOf: ({ provider }) => provider,
  run: async ({ provider, full, turn }, stopping) => {
    try {
      await reconcile(dependencies, provider, { full, turn, isStopping: () => stopping.aborted });
    } catch (error) {
      // The outage log reports an outage once for all work.
      if (isOutage(error) || stopping.aborted) return;
      log.warn('a run of policies failed', { provider_id: provider, ...errorFields(error) });
    }
  },
});
