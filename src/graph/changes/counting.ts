import neo4j from 'neo4j-driver';

import type { AccessCounts } from '../../contract/answers/pushes';
import { Instant, justBefore } from '../../model/instant';
import { NEXT_UNCOUNTED, RECORD_COUNTED } from '../../translate/records/access-count-statements';
import type { Graph } from '../connection/driver';
import { runTransaction } from '../connection/transaction';
import { type EventRecord, writeEvent } from '../records/event-record';
import { ANY_CHANGE, changesIn, unlessTooMany, type Within, within } from './access-changes';
import type { ChangedAccess } from './compare';

/** A push whose changes of access nobody has counted. */
export interface UncountedPush {
  readonly push: string;
  readonly at: Instant;
  readonly turn: number;
  readonly requestId: string;
  /** Whether the history reaches back to the push. */
  readonly isKept: boolean;
  /** `null` if the data source is gone. */
  readonly source: {
    readonly provider: { readonly id: string };
    readonly dataSource: { readonly id: string; readonly name: string };
  } | null;
}

/** Counts what pushes changed in effective access, in the order of their commits. */
export interface AccessCounting {
  /** The next push; `null` if all are counted, or no history is kept. */
  next(): Promise<UncountedPush | null>;
  /** Counts the changes of a push; `null` if it changes too much. Rejects once `isStopping`. */
  count(push: UncountedPush, isStopping: () => boolean): Promise<AccessCounts | null>;
  /**
   * Records the counts of a push and an event, once, whatever other processes do. `null` says that
   * they are not known.
   */
  record(
    push: UncountedPush,
    counts: AccessCounts | null,
    event: EventRecord | null,
  ): Promise<void>;
}

/** How many pairs of a principal and a resource the service compares to count the changes of a push. */
const MOST_PAIRS = 5_000_000;

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

/** Counts changes in the graph. */
export const graphAccessCounting = (graph: Graph, timeoutSeconds: number): AccessCounting => ({
  next: async () => {
    // Neo4j routes writes to the leader, which knows the newest push.
    const { records } = await runTransaction(graph, { mode: 'write' }, (tx) =>
      tx.run(NEXT_UNCOUNTED),
    );
    const [record] = records;
    if (record === undefined) return null;
    const found = record.toObject() as Readonly<Record<string, unknown>> & {
      readonly [K in 'push' | 'at' | 'request_id' | 'data_source' | 'name' | 'provider']: string;
    };
    return {
      push: found.push,
      at: new Instant(found.at),
      turn: Number(found.turn),
      requestId: found.request_id,
      isKept: found.is_kept === true,
      source:
        found.provider === null
          ? null
          : {
              provider: { id: found.provider },
              dataSource: { id: found.data_source, name: found.name },
            },
    };
  },

  count: async ({ at }, isStopping) => {
    const period = { from: justBefore(at), to: at };
    const inRollback = within(graph, timeoutSeconds);
    const run: Within = (work) => {
      if (isStopping()) throw new Error('The service stops.');
      return inRollback(work);
    };
    const changes = await unlessTooMany(changesIn(run, period, ANY_CHANGE, { pairs: MOST_PAIRS }));
    return changes === null ? null : countsOf(changes);
  },

  record: ({ push, at, turn }, counts, event) =>
    runTransaction(graph, { mode: 'write' }, async (tx) => {
      const numbers = Object.entries(counts ?? {}).map(([name, count]) => [
        `access_${name}`,
        neo4j.int(count),
      ]);
      const { records } = await tx.run(RECORD_COUNTED, {
        ...{ push, at: at.utc, turn: neo4j.int(turn) },
        counts: Object.fromEntries(numbers) as Record<string, unknown>,
      });
      if (records.length > 0 && event !== null) await writeEvent(tx, event);
    }),
});
