import * as E from 'fp-ts/Either';
import neo4j from 'neo4j-driver';

import { compareAccess, type Moments, type Pieces } from '../../access/comparison/comparison';
import type { AccessCounts, AccessNotCounted } from '../../contract/answers/pushes';
import { type EventRecord, writeEvent } from '../../graph/records/event-record';
import { Instant, justBefore, nanosOf } from '../../model/instant';
import type { Graph } from '../../neo4j/driver';
import { LATEST, runTransaction } from '../../neo4j/transaction';
import type { AccessMemory, AccessThen } from '../memory/access-memory';
import { NEXT_UNCOUNTED, RECORD_COUNTED } from '../statements/access-count-statements';
import { inPieces } from '../memory/in-pieces';
import { everybodyIn } from './changed-people';

/** A push whose changes of access nobody has counted. */
export interface UncountedPush {
  readonly push: string;
  readonly at: Instant;
  readonly turn: number;
  readonly requestId: string;
  /** Whether the graph stores the history since the push. */
  readonly isKept: boolean;
  /** Whether a fact of access may have begun, ended or changed by the push. */
  readonly touchesAccess: boolean;
  /** Whether an earlier version of the service recorded what it changed. */
  readonly isRecorded: boolean;
  /** `null` if the data source is gone. */
  readonly source: {
    readonly provider: { readonly id: string };
    readonly dataSource: { readonly id: string; readonly name: string };
  } | null;
}

/** What a push changed, or that nobody could count it. */
export type Counted = AccessCounts | AccessNotCounted;

/** Counts what pushes changed in effective access, in the order of their commits. */
export interface AccessCounting {
  /**
   * The next pushes, some hundred at most. None if all are counted, or if the service has no graph in
   * memory yet.
   */
  next(): Promise<readonly UncountedPush[]>;
  /** Counts the changes of a push. Rejects when `isStopping`. */
  count(push: UncountedPush, isStopping: () => boolean): Promise<AccessCounts>;
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

/** How long a count holds the thread at a time, about: others have their turn in between. */
const TURN_MS = 10;

const storedCounts = (counted: Counted | null): Readonly<Record<string, unknown>> => {
  if (counted === null) return {};
  if ('state' in counted) return { access_state: counted.state };
  return Object.fromEntries(
    Object.entries(counted).flatMap(([name, count]) =>
      count === null ? [] : [[`access_${name}`, neo4j.int(count)]],
    ),
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

/** Counts changes in the access graph in memory. */
export const accessCounting = (graph: Graph, memory: AccessMemory): AccessCounting => {
  const now = async (): Promise<AccessThen | null> => {
    const then = await memory.then(null, '')();
    return E.isRight(then) ? then.right : null;
  };
  return {
    next: async () => {
      const pushes = await runTransaction(graph, LATEST, async (tx) => {
        const { records } = await tx.run(NEXT_UNCOUNTED, { most: neo4j.int(PUSHES_AT_ONCE) });
        return records.map((record) => record.toObject() as Uncounted);
      });
      const then = pushes.length === 0 ? null : await now();
      if (then === null) return [];
      return pushes.map(({ provider, data_source, name, ...push }): UncountedPush => {
        const at = new Instant(push.at);
        const dataSource = { id: data_source, name };
        return {
          push: push.push,
          at,
          turn: Number(push.turn),
          requestId: push.request_id,
          isKept: push.is_kept,
          isRecorded: push.is_told,
          touchesAccess: then.graph.instants.knows(nanosOf(at)),
          source: provider === null ? null : { provider: { id: provider }, dataSource },
        };
      });
    },

    count: async ({ at }, isStopping) => {
      for (;;) {
        const then = await now();
        if (then === null) throw new Error('The service has no graph of access in memory.');
        const { access, graph: known, humans } = then;
        const { changes } = known;
        const momentsNow = (): Moments => [
          known.instants.moment(nanosOf(justBefore(at))),
          known.instants.moment(nanosOf(at)),
        ];
        const moments = momentsNow();
        const isValid = (): boolean => {
          if (isStopping()) throw new Error('The service stops.');
          // What is committed later changes no moment, unless it lies before it.
          if (known.changes === changes) return true;
          if (!known.isSameUntil(nanosOf(at), changes)) return false;
          const [from, to] = momentsNow();
          return from === moments[0] && to === moments[1];
        };
        const work = function* (): Pieces<AccessCounts> {
          const compared = yield* compareAccess(access, moments, {
            target: null,
            isCounted: () => true,
            change: null,
          });
          const times = { asked: { access, humans }, graph: known, moments };
          const { people } = yield* everybodyIn(times, compared);
          const { gained, lost, principals, targets } = compared.counts;
          return { gained, lost, principals, resources: targets, people };
        };
        const counts = await inPieces(work(), isValid, Infinity, TURN_MS);
        if (counts !== null) return counts;
      }
    },

    record: async (pushes, counted, event) => {
      const last = pushes.at(-1);
      if (last === undefined) return;
      await runTransaction(graph, LATEST, async (tx) => {
        const { records } = await tx.run(RECORD_COUNTED, {
          pushes: pushes.map(({ push }) => push),
          push: last.push,
          at: last.at.utc,
          turn: neo4j.int(last.turn),
          counts: storedCounts(counted),
        });
        if (records.length > 0 && event !== null) await writeEvent(tx, event);
      });
    },
  };
};
