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
} from '../statements/chunked-push-statements';
import { FIND_PUSH } from '../../graph/statements/timed-list-statements';
import type { Graph } from '../../neo4j/driver';
import { FailedStep } from '../../neo4j/failure';
import { toPush } from '../../graph/records/lists/push-and-event-lists';
import {
  countWritten,
  endChunkedPush,
  leaveHalfWritten,
  type PendingPush,
  type WrittenSoFar,
} from './chunked-push-locks';
import { type EventRecord, writeEvent } from '../../graph/records/event-record';
import { type PushRecord, writePush } from '../../graph/records/push-record';
import type { HeldChunkedPush } from './held-data-source';
import {
  DataSourceDeleting,
  holdDataSource,
  holdChunkedPush,
  ChunkedPushTaken,
  keepsHistory,
  type PushLimits,
} from './store';
import { runTransaction, type Runner } from '../../neo4j/transaction';
import { graphUploads, readWhole, type UploadOf } from './uploads';
import { fromGraph } from '../../neo4j/values';
import { writeDifference, writeBeforeDerivation } from '../../graph/write/write-difference';
import type { PushStamp } from '../../graph/write/writing';

/** What the service needs to write a chunk. */
export interface ChunkStamp extends Omit<PushStamp, 'keepsHistory'> {
  readonly runner: string;
  /** Whether the chunk touches what pushes to other data sources touch. */
  readonly isBinding: boolean;
  readonly shared: ReadonlyMap<string, SharedNode>;
}

/** A chunked push that the service resumes. */
export interface TakenOver {
  readonly pending: PendingPush;
  /** How many tries there were since the push last made progress, with this one. */
  readonly tries: number;
  readonly record: ListedPush;
  readonly dataSource: { readonly id: string; readonly name: string };
  readonly provider: { readonly id: string; readonly template: Template };
}

/** The record and event of a chunked push that the service gives up. */
export interface ChunkedPushFailed {
  readonly record: PushRecord;
  readonly event: EventRecord;
}

/** Pushes that are too large for one transaction (docs/rules.md: Chunked pushes). */
export interface ChunkedPushes {
  /** Keeps the payload, so that another process can resume the push. Gives the id of the upload. */
  keepPayload(dataSource: string, json: string): Promise<string>;
  /** Reads a stored payload. Rejects with `PayloadLost`. */
  payload(id: string): Promise<string>;
  /** Data sources with a chunked push that no process has begun or taken over for some seconds. */
  unfinished(forSeconds: number): Promise<readonly string[]>;
  /** Takes over a push, unless another process works on it. Gives `null` if the push has ended. */
  takeOver(dataSource: string, runner: string): Promise<TakenOver | null>;
  /** Holds the data source of a push for its runner. The work may run several times. */
  hold<A>(
    dataSource: string,
    runner: string,
    work: (held: HeldChunkedPush) => Promise<A>,
  ): Promise<A>;
  /**
   * Postpones the next try by some seconds. Returns how many tries there were since the push last
   * made progress, or `null` if another process has taken over the push. A try does not count if
   * something else cut it short.
   */
  postpone(
    dataSource: string,
    runner: string,
    seconds: number,
    counts?: boolean,
  ): Promise<number | null>;
  /**
   * Gives up a push that cannot be finished: writes its record and event, and sets its data source
   * to `ERROR`. Rejects with `ChunkedPushTaken` if another process has taken over the push.
   */
  fail(
    dataSource: string,
    runner: string,
    reportOf: (written: WrittenSoFar) => ChunkedPushFailed,
  ): Promise<void>;
  /** Writes a chunk in a transaction of its own. */
  write(words: ChunkStamp, chunk: Difference): Promise<void>;
  /** Records how much is written, if that is known, and writes an event. */
  tell(dataSource: string, runner: string, done: number | null, event: EventRecord): Promise<void>;
}

/** Bytes of the payload in each part of the upload that holds it. */
const KEPT_AT_ONCE = 8 * 1024 ** 2;
/** The service hardly waits for a process that works on the push; but Neo4j may be busy with others. */
const PATIENCE_SECONDS = 5;

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

/** Takes the lock of the data source, and counts what the chunk writes. */
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

/** Waits for all steps. If steps fail, throws the error of the first one. */
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
  return toPush(fromGraph(record.get('push')), dataSource, false);
};

/** The stored payload of a chunked push is gone or unreadable. */
export class PayloadLost extends Error {}

/** The chunked pushes of a graph. */
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
        await right(uploads.store(upload, part, { payloadBytes: Infinity, quota: null }));
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
        // An earlier push that failed also left rows, and they are still there.
        if (count > 0 || !written.isCounted) await leaveHalfWritten(tx, dataSource, pending.push);
        await writePush(tx, record, null, true);
        await writeEvent(tx, event);
      }),

    write: ({ runner, isBinding, shared, ...stamp }, chunk) => {
      const words = { ...stamp, keepsHistory: keepsHistory(limits) };
      const { dataSource } = words;
      const options = { ...write, timeoutSeconds: limits.pushSeconds };
      return runTransaction(graph, options, async (tx) => {
        const begun = beginChunk(tx, dataSource, runner, chunk);
        // Reads the runner under the lock of the data source. A process that takes over the push
        // holds that lock too.
        const required = requireRunner(tx, dataSource, runner);
        // If the push belongs to another runner, the transaction rolls back what it has written.
        const written = isBinding
          ? writeDifference(tx, words, runner, chunk, shared, { isPart: true })
          : writeBeforeDerivation(tx, words, runner, chunk);
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
