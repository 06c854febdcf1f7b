import { randomUUID } from 'node:crypto';

import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import neo4j from 'neo4j-driver';

import type { ListedPush } from '../../contract/answers/pushes';
import type { Difference } from '../../difference/difference';
import type { Template } from '../../templates/templates';
import type { Failure } from '../../problem';
import type { SharedNode } from '../../rows/row/row';
import {
  BEGIN_CHUNK,
  LARGE_PUSH_RUNNER,
  LARGE_PUSHES,
  POSTPONE_LARGE_PUSH,
  TAKE_OVER_LARGE_PUSH,
  TELL_LARGE_PUSH,
} from '../../translate/push/chunked-push-statements';
import { FIND_PUSH } from '../../translate/records/timed-list-statements';
import type { Graph } from '../connection/driver';
import { FailedStep } from '../connection/failure';
import { toPush } from '../records/history';
import {
  countWritten,
  endChunkedPush,
  leaveHalfWritten,
  type PendingPush,
  type WrittenSoFar,
} from './chunked-push-locks';
import { type EventRecord, writeEvent } from '../records/event-record';
import { type PushRecord, writePush } from '../records/push-record';
import type { HeldChunkedPush } from './held-data-source';
import {
  DataSourceDeleting,
  holdDataSource,
  holdChunkedPush,
  ChunkedPushTaken,
  type PushLimits,
} from './store';
import { runTransaction, type Runner } from '../connection/transaction';
import { graphUploads, readWhole, type UploadOf } from '../records/uploads';
import { fromGraph } from '../connection/values';
import { writeDifference, writeBeforeDerivation } from '../write/write-difference';
import type { PushStamp } from '../write/writing';

/** What a chunk is written with. */
export interface ChunkStamp extends PushStamp {
  readonly runner: string;
  /** Whether it touches what pushes to other data sources touch. */
  readonly isBinding: boolean;
  readonly shared: ReadonlyMap<string, SharedNode>;
}

/** A large push that somebody goes on with. */
export interface TakenOver {
  readonly pending: PendingPush;
  /** How often somebody went on with it since it last got further, this time included. */
  readonly tries: number;
  readonly record: ListedPush;
  readonly dataSource: { readonly id: string; readonly name: string };
  readonly provider: { readonly id: string; readonly template: Template };
}

/** What is noted of a large push that cannot be finished. */
export interface ChunkedPushFailed {
  readonly record: PushRecord;
  readonly event: EventRecord;
}

/** Pushes whose difference one transaction does not hold (docs/rules.md: Chunked pushes). */
export interface ChunkedPushes {
  /** Keeps a payload for whoever has to go on; gives the id of its upload. */
  keepPayload(dataSource: string, json: string): Promise<string>;
  /** What was kept; rejects with `PayloadLost`. */
  payload(id: string): Promise<string>;
  /** Data sources of those that nobody has gone on with for some seconds. */
  unfinished(forSeconds: number): Promise<readonly string[]>;
  /** Takes one over, unless somebody is at it; `null` if there is none any more. */
  takeOver(dataSource: string, runner: string): Promise<TakenOver | null>;
  /** Holds the data source of one as its runner; the work may run several times. */
  hold<A>(
    dataSource: string,
    runner: string,
    work: (held: HeldChunkedPush) => Promise<A>,
  ): Promise<A>;
  /**
   * Lets nobody try again for some seconds; gives how often it was tried since it last got further, `null` once somebody else goes on with it. A
   * try that does not count was cut short by something else.
   */
  postpone(
    dataSource: string,
    runner: string,
    seconds: number,
    counts?: boolean,
  ): Promise<number | null>;
  /**
   * Ends one that cannot be finished: its record and event tell so, and its data source is `ERROR`. Rejects with `LargePushTaken` once somebody
   * else goes on with it.
   */
  fail(
    dataSource: string,
    runner: string,
    reportOf: (written: WrittenSoFar) => ChunkedPushFailed,
  ): Promise<void>;
  /** Writes a chunk in a transaction of its own. */
  write(words: ChunkStamp, chunk: Difference): Promise<void>;
  /** Tells how much is written, if that is known. */
  tell(dataSource: string, runner: string, done: number | null, event: EventRecord): Promise<void>;
}

/** Bytes of the payload in one part of its upload. */
const KEPT_AT_ONCE = 8 * 1024 ** 2;
/** Somebody who is at it is not waited for. */
const PATIENCE_SECONDS = 1;

const right = async <A>(task: TaskEither<Failure, A>): Promise<A> => {
  const done = await task();
  if (E.isRight(done)) return done.right;
  throw new FailedStep(done.left);
};

const requireRunner = async (tx: Runner, dataSource: string, runner: string): Promise<void> => {
  const { records } = await tx.run<{ runner: string }>(LARGE_PUSH_RUNNER, {
    data_source: dataSource,
  });
  if (records[0]?.get('runner') !== runner) throw new ChunkedPushTaken();
};

/** Locks the data source, and counts what the chunk writes. */
const beginChunk = async (
  tx: Runner,
  dataSource: string,
  runner: string,
  { created, changed, linked, relabelled, removed, unlinked }: Difference,
): Promise<void> => {
  const counts = {
    nodes_put: neo4j.int(created.length + changed.length),
    relationships_put: neo4j.int(linked.length + relabelled.length),
    nodes_removed: neo4j.int(removed.length),
    relationships_removed: neo4j.int(unlinked.length),
  };
  await tx.run(BEGIN_CHUNK, { data_source: dataSource, runner, counts });
};

/** Waits for all of them; of what fails the first tells why. */
const allInOrder = async (steps: readonly Promise<unknown>[]): Promise<void> => {
  for (const end of await Promise.allSettled(steps))
    if (end.status === 'rejected') throw end.reason;
};

const readRecord = async (tx: Runner, dataSource: string, push: string): Promise<ListedPush> => {
  const { records } = await tx.run<{ push: Record<string, unknown> }>(FIND_PUSH, {
    push,
    data_source: dataSource,
  });
  const [record] = records;
  if (record === undefined) throw new ChunkedPushTaken();
  return toPush(fromGraph(record.get('push')), dataSource);
};

/** What was kept of a large push is gone, or cannot be read. */
export class PayloadLost extends Error {}

/** The large pushes of the graph. */
export const graphChunkedPushes = (graph: Graph, limits: PushLimits): ChunkedPushes => {
  const uploads = graphUploads(graph);
  const write = { mode: 'write' } as const;
  return {
    keepPayload: async (dataSource, json) => {
      const upload: UploadOf = { id: randomUUID(), dataSource };
      await right(uploads.start(upload, null));
      const bytes = Buffer.from(json, 'utf8');
      for (let number = 1, at = 0; at < bytes.length; number += 1, at += KEPT_AT_ONCE) {
        const part = { number, bytes: bytes.subarray(at, at + KEPT_AT_ONCE) };
        await right(uploads.keep(upload, part, { payloadBytes: Infinity, quota: null }));
      }
      return upload.id;
    },

    payload: async (id) => {
      const bytes = await runTransaction(graph, write, (tx) => readWhole(tx, id));
      if (bytes === null) throw new PayloadLost();
      return bytes.toString('utf8');
    },

    unfinished: (forSeconds) =>
      runTransaction(graph, write, async (tx) => {
        const { records } = await tx.run<{ key: string }>(LARGE_PUSHES, {
          seconds: neo4j.int(forSeconds),
        });
        return records.map((record) => record.get('key'));
      }),

    takeOver: (dataSource, runner) => {
      const patience = { ...limits, waitSeconds: PATIENCE_SECONDS };
      return holdDataSource(graph, patience, dataSource, runner, async ({ state }, tx) => {
        const { pending, provider, name } = state;
        if (pending === null) return null;
        if (state.status === 'DELETING' || provider.state === 'DELETING') {
          throw new DataSourceDeleting();
        }
        const { records } = await tx.run(TAKE_OVER_LARGE_PUSH, { data_source: dataSource, runner });
        return {
          pending: { ...pending, runner },
          tries: Number(records[0]?.get('tries') ?? 1),
          record: await readRecord(tx, dataSource, pending.push),
          dataSource: { id: dataSource, name },
          provider: { id: provider.id, template: provider.template },
        };
      });
    },

    hold: (dataSource, runner, work) => holdChunkedPush(graph, limits, dataSource, runner, work),

    postpone: (dataSource, runner, seconds, counts = true) =>
      runTransaction(graph, write, async (tx) => {
        const at = { data_source: dataSource, runner, seconds: neo4j.int(seconds), counts };
        const { records } = await tx.run(POSTPONE_LARGE_PUSH, at);
        return records[0] === undefined ? null : Number(records[0].get('tries'));
      }),

    fail: (dataSource, runner, reportOf) =>
      holdDataSource(graph, limits, dataSource, runner, async ({ state }, tx) => {
        const { pending } = state;
        if (pending?.runner !== runner) throw new ChunkedPushTaken();
        const written = await countWritten(tx, dataSource);
        const { record, event } = reportOf(written);
        const { put, removed } = written;
        const count = put.nodes + put.relationships + removed.nodes + removed.relationships;
        await endChunkedPush(tx, dataSource, pending);
        // What had failed before it left rows too: they are still there.
        if (count > 0 || !written.isCounted) await leaveHalfWritten(tx, dataSource, pending.push);
        await writePush(tx, record, null, true);
        await writeEvent(tx, event);
      }),

    write: ({ runner, isBinding, shared, ...words }, chunk) => {
      const { dataSource } = words;
      const options = { ...write, timeoutSeconds: limits.pushSeconds };
      return runTransaction(graph, options, async (tx) => {
        const begun = beginChunk(tx, dataSource, runner, chunk);
        // Read under the lock of the data source: whoever takes a push over holds that too.
        const required = requireRunner(tx, dataSource, runner);
        // What is written meanwhile is taken back if the push is somebody else's.
        const written = isBinding
          ? writeDifference(tx, words, runner, chunk, shared)
          : writeBeforeDerivation(tx, words, chunk);
        await allInOrder([begun, required, written]);
      });
    },

    tell: (dataSource, runner, done, event) =>
      runTransaction(graph, write, async (tx) => {
        if (done !== null) {
          const at = { data_source: dataSource, runner, done: neo4j.int(done) };
          await tx.run(TELL_LARGE_PUSH, at);
        }
        await writeEvent(tx, event);
      }),
  };
};
