import neo4j from 'neo4j-driver';

import type { AccessCounts, AccessFactors, AccessNotCounted } from '../../contract/answers/pushes';
import { Instant, justBefore, nanosOf } from '../../model/instant';
import {
  BEGAN_AT,
  CHANGED_AT,
  ENDED_AT,
  NEXT_UNCOUNTED,
  RECORD_COUNTED,
} from '../statements/access-count-statements';
import type { Graph } from '../../neo4j/driver';
import { LATEST, runTransaction, type Runner } from '../../neo4j/transaction';
import { toDateTime } from '../../neo4j/values';
import { type EventRecord, writeEvent } from '../../graph/records/event-record';
import { storedFactors } from '../../graph/records/push-record';
import { changesIn, unlessTooMuch, type Within, within } from './access-changes';
import { type ChangeBounds, LARGE_CHANGE } from './affected';
import type { ChangedAccess } from './find-changes';
import { factorsOf } from './factors';

/** A push whose changes of access nobody has counted. */
export interface UncountedPush {
  readonly push: string;
  readonly at: Instant;
  readonly turn: number;
  readonly requestId: string;
  /** Whether the history reaches back to the push. */
  readonly isKept: boolean;
  /** Whether a fact of access began, ended or changed by the push. Else it changed no access. */
  readonly touchesAccess: boolean;
  /** Whether the push itself has recorded what it changed. */
  readonly isTold: boolean;
  /** `null` if the data source is gone. */
  readonly source: {
    readonly provider: { readonly id: string };
    readonly dataSource: { readonly id: string; readonly name: string };
  } | null;
}

/**
 * What a push changed: counts by permission; or the reason why nobody counted that, and what was
 * created and ended. Nobody knows that if `factors` is `null`.
 */
export type Counted =
  | { readonly access: AccessCounts }
  | { readonly access: AccessNotCounted; readonly factors: AccessFactors | null };

/** Counts what pushes changed in effective access, in the order of their commits. */
export interface AccessCounting {
  /** The next pushes, some hundred at most; none if all are counted. */
  next(): Promise<readonly UncountedPush[]>;
  /**
   * Counts the changes of a push, or reports what was created and ended if it changes too much.
   * Rejects when `isStopping`.
   */
  count(push: UncountedPush, isStopping: () => boolean): Promise<Counted>;
  /**
   * Records the counts of pushes that follow one another, and an event, once, whatever other
   * processes do. `null` records no counts.
   */
  record(
    pushes: readonly UncountedPush[],
    counted: Counted | null,
    event: EventRecord | null,
  ): Promise<void>;
}

/** How many pushes the service looks at together. */
const PUSHES_AT_ONCE = 200;

/** How much the service looks at to count the changes of a push. That needs a second or two. */
const OF_A_PUSH: ChangeBounds = { changed: LARGE_CHANGE, facts: 20_000, pairs: 20_000 };
/**
 * Neo4j ends each step of a count after this time. A step lasts this long only on a busy machine.
 */
const COUNTING_SECONDS = 10;

/** What changes of access come to. */
export const countsOf = (changes: readonly ChangedAccess[]): AccessCounts => {
  const sum = (of: 'gained' | 'lost'): number =>
    changes.reduce((all, change) => all + change[of].length, 0);
  return {
    gained: sum('gained'),
    lost: sum('lost'),
    principals: new Set(changes.map(({ principal }) => principal.id)).size,
    resources: new Set(changes.map(({ resource }) => resource.id)).size,
  };
};

const storedCounts = (counted: Counted | null): Readonly<Record<string, unknown>> => {
  if (counted === null) return {};
  if ('factors' in counted) return storedFactors(counted.access, counted.factors);
  return Object.fromEntries(
    Object.entries(counted.access).map(([name, count]) => [`access_${name}`, neo4j.int(count)]),
  );
};

interface Uncounted extends Readonly<Record<'push' | 'at' | 'request_id', string>> {
  readonly turn: unknown;
  readonly is_kept: boolean;
  readonly is_told: boolean;
  readonly data_source: string;
  readonly name: string;
  readonly provider: string | null;
}

/** Those of the instants at which a fact of access began, ended or changed. */
const touchingAccess = async (
  tx: Runner,
  instants: readonly Instant[],
): Promise<ReadonlySet<string>> => {
  const [first] = [...instants].sort((a, b) => (nanosOf(a) < nanosOf(b) ? -1 : 1));
  if (first === undefined) return new Set();
  const parameters = { instants: instants.map(toDateTime), first: toDateTime(first) };
  const found = await Promise.all(
    [BEGAN_AT, ENDED_AT, CHANGED_AT].map((statement) =>
      tx.run<{ at: string }>(statement, parameters),
    ),
  );
  return new Set(
    found.flatMap(({ records }) => records.map((record) => new Instant(record.get('at')).utc)),
  );
};

/** Counts changes in the graph. */
export const graphAccessCounting = (
  graph: Graph,
  timeoutSeconds: number,
  bounds = OF_A_PUSH,
): AccessCounting => ({
  next: () =>
    runTransaction(graph, LATEST, async (tx) => {
      const { records } = await tx.run(NEXT_UNCOUNTED, { most: neo4j.int(PUSHES_AT_ONCE) });
      const pushes = records.map((record) => record.toObject() as Uncounted);
      const touching = await touchingAccess(
        tx,
        pushes.map(({ at }) => new Instant(at)),
      );
      return pushes.map(({ provider, data_source, name, ...push }): UncountedPush => {
        const at = new Instant(push.at);
        const dataSource = { id: data_source, name };
        return {
          push: push.push,
          at,
          turn: Number(push.turn),
          requestId: push.request_id,
          isKept: push.is_kept,
          isTold: push.is_told,
          touchesAccess: touching.has(at.utc),
          source: provider === null ? null : { provider: { id: provider }, dataSource },
        };
      });
    }),

  count: async ({ at }, isStopping) => {
    const period = { from: justBefore(at), to: at };
    const inRollback = within(graph, Math.min(timeoutSeconds, COUNTING_SECONDS));
    const run: Within = (work) => {
      if (isStopping()) throw new Error('The service stops.');
      return inRollback(work);
    };
    const changes = await unlessTooMuch(changesIn(run, period, bounds));
    if (changes !== null) return { access: countsOf(changes) };
    return { access: { state: 'too large' }, factors: await unlessTooMuch(factorsOf(run, at)) };
  },

  record: async (pushes, counted, event) => {
    const last = pushes.at(-1);
    if (last === undefined) return;
    await runTransaction(graph, LATEST, async (tx) => {
      const { records } = await tx.run(RECORD_COUNTED, {
        pushes: pushes.map(({ push }) => push),
        ...{ push: last.push, at: last.at.utc, turn: neo4j.int(last.turn) },
        counts: storedCounts(counted),
      });
      if (records.length > 0 && event !== null) await writeEvent(tx, event);
    });
  },
});
