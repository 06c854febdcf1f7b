import neo4j from 'neo4j-driver';

import type { Counts } from '../../contract/answers/pushes';
import {
  BEGIN_LARGE_PUSH,
  COUNT_LARGE_PUSH,
  END_LARGE_PUSH,
  LEAVE_HALF_WRITTEN,
  REPLACE_PUSH,
} from '../statements/chunked-push-statements';
import { END_UPLOAD, RETAIN_UPLOAD } from './upload-statements';
import {
  type Actor,
  type EventRecord,
  storedActor,
  writeEvent,
} from '../../graph/records/event-record';
import { type PushRecord, writePush } from '../../graph/records/push-record';
import type { Runner } from '../../neo4j/transaction';

/** A chunked push that is not finished. */
export interface PendingPush {
  readonly push: string;
  /** The upload that holds the payload of the push. */
  readonly payload: string;
  /** The id of the process or thread that applies the push. */
  readonly runner: string;
  /** Nodes and relationships that the push writes. */
  readonly total: number;
  /** The owner of the key that pushed; unset: the service itself, which imports an application. */
  readonly by?: Actor | undefined;
}

/** What the service records when a chunked push begins. */
export interface ChunkedPushBegun {
  readonly record: PushRecord;
  readonly events: readonly EventRecord[];
  readonly pending: PendingPush;
  /**
   * The property names of the data source after the push. They count from now on: some chunks may
   * bring them even if the push is never finished.
   */
  readonly propertyNames: readonly string[] | null;
}

/**
 * What the service records when a chunked push begins, and whether the push replaces an unfinished
 * one.
 */
type Beginning = ChunkedPushBegun & { readonly isReplacing: boolean };

/** Reads a chunked push from its node in the graph. */
export const toPendingPush = (
  stored: Readonly<Record<string, unknown>> | null,
): PendingPush | null => {
  if (stored === null) return null;
  const { push, payload, runner, total } = stored as unknown as PendingPush;
  const by = storedActor(stored.key_id, stored.key_name, stored.client_address);
  return { push, payload, runner, total: Number(total), by };
};

/** Records that a chunked push has begun. The caller holds the lock of the data source. */
export const beginChunkedPush = async (
  tx: Runner,
  dataSource: string,
  { record, events, pending, isReplacing, propertyNames }: Beginning,
): Promise<void> => {
  const { push, payload, runner, total, by } = pending;
  await tx.run(BEGIN_LARGE_PUSH, {
    data_source: dataSource,
    large: {
      push,
      payload,
      runner,
      total: neo4j.int(total),
      key_id: by?.keyId ?? null,
      key_name: by?.name ?? null,
      client_address: by?.address ?? null,
    },
    property_names: propertyNames,
    // The chunks of the replaced push are in the graph, but this push does not count them.
    is_counted: !isReplacing,
  });
  const { records } = await tx.run(RETAIN_UPLOAD, { upload: pending.payload });
  if (records.length === 0) throw new Error('the payload of a chunked push is gone');
  await writePush(tx, record);
  for (const event of events) await writeEvent(tx, event);
};

/** Records that another push replaces an unfinished chunked push. */
export const replaceChunkedPush = async (
  tx: Runner,
  { push, payload }: PendingPush,
): Promise<void> => {
  await tx.run(REPLACE_PUSH, { push });
  await tx.run(END_UPLOAD, { upload: payload });
};

/** Ends a chunked push. Nothing of it is left to resume. */
export const endChunkedPush = async (
  tx: Runner,
  dataSource: string,
  { payload }: PendingPush,
): Promise<void> => {
  await tx.run(END_LARGE_PUSH, { data_source: dataSource });
  await tx.run(END_UPLOAD, { upload: payload });
};

/**
 * What a chunked push has written. `isCounted` says that the graph holds nothing of an earlier
 * unfinished push.
 */
export interface WrittenSoFar {
  readonly put: Counts;
  readonly removed: Counts;
  readonly isCounted: boolean;
}

/** Counts what a chunked push has written so far. The caller holds its lock. */
export const countWritten = async (tx: Runner, dataSource: string): Promise<WrittenSoFar> => {
  const { records } = await tx.run(COUNT_LARGE_PUSH, { data_source: dataSource });
  const number = (name: string): number => Number(records[0]?.get(name) ?? 0);
  return {
    put: { nodes: number('nodes_put'), relationships: number('relationships_put') },
    removed: { nodes: number('nodes_removed'), relationships: number('relationships_removed') },
    isCounted: records[0]?.get('is_counted') === true,
  };
};

/** Records that a failed push has left only some of its rows in the graph. */
export const leaveHalfWritten = async (
  tx: Runner,
  dataSource: string,
  push: string,
): Promise<void> => {
  await tx.run(LEAVE_HALF_WRITTEN, { data_source: dataSource, push });
};
