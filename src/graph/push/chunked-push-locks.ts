import neo4j from 'neo4j-driver';

import type { Counts } from '../../contract/answers/pushes';
import {
  BEGIN_LARGE_PUSH,
  COUNT_LARGE_PUSH,
  END_LARGE_PUSH,
  LEAVE_HALF_WRITTEN,
  REPLACE_PUSH,
} from '../../translate/push/chunked-push-statements';
import { END_UPLOAD, RETAIN_UPLOAD } from '../../translate/records/upload-statements';
import { type Actor, type EventRecord, writeEvent } from '../records/event-record';
import { type PushRecord, writePush } from '../records/push-record';
import type { Runner } from '../connection/transaction';

/** A chunked push that is not finished. */
export interface PendingPush {
  readonly push: string;
  /** The upload that keeps its payload. */
  readonly payload: string;
  /** Who applies it. */
  readonly runner: string;
  /** Nodes and relationships that it writes. */
  readonly total: number;
  /** Whose key pushed it; an earlier release kept none. */
  readonly by?: Actor | undefined;
}

/** What is noted when a chunked push begins. */
export interface ChunkedPushBegun {
  readonly record: PushRecord;
  readonly events: readonly EventRecord[];
  readonly pending: PendingPush;
  /** Names of properties that its data source then has brought: parts of it may bring them even if it is never finished. */
  readonly propertyNames: readonly string[] | null;
}

/** What is noted when a chunked push begins, and whether it takes the place of one that was not finished. */
type Beginning = ChunkedPushBegun & { readonly isReplacing: boolean };

/** What the graph keeps of a chunked push. */
export const toPendingPush = (
  stored: Readonly<Record<string, unknown>> | null,
): PendingPush | null => {
  if (stored === null) return null;
  const { push, payload, runner, total } = stored as unknown as PendingPush;
  const { key_id: keyId, key_name: name } = stored;
  const by =
    typeof name === 'string'
      ? { keyId: typeof keyId === 'string' ? keyId : null, name }
      : undefined;
  return { push, payload, runner, total: Number(total), by };
};

/** Notes that a chunked push has begun, its data source's lock held. */
export const beginChunkedPush = async (
  tx: Runner,
  dataSource: string,
  { record, events, pending, isReplacing, propertyNames }: Beginning,
): Promise<void> => {
  const { push, payload, runner, total, by } = pending;
  await tx.run(BEGIN_LARGE_PUSH, {
    data_source: dataSource,
    large: {
      ...{ push, payload, runner, total: neo4j.int(total) },
      ...{ key_id: by?.keyId ?? null, key_name: by?.name ?? null },
    },
    property_names: propertyNames,
    // What the one before has written is in the graph, and in nobody's counts.
    is_counted: !isReplacing,
  });
  const { records } = await tx.run(RETAIN_UPLOAD, { upload: pending.payload });
  if (records.length === 0) throw new Error('the payload of a chunked push is gone');
  await writePush(tx, record);
  for (const event of events) await writeEvent(tx, event);
};

/** Notes that another push takes the place of a large one that was not finished. */
export const replaceChunkedPush = async (
  tx: Runner,
  { push, payload }: PendingPush,
): Promise<void> => {
  await tx.run(REPLACE_PUSH, { push });
  await tx.run(END_UPLOAD, { upload: payload });
};

/** Ends a chunked push: nothing of it is to be gone on with. */
export const endChunkedPush = async (
  tx: Runner,
  dataSource: string,
  { payload }: PendingPush,
): Promise<void> => {
  await tx.run(END_LARGE_PUSH, { data_source: dataSource });
  await tx.run(END_UPLOAD, { upload: payload });
};

/** What a chunked push has written, and whether it is known that there is nothing else. */
export interface WrittenSoFar {
  readonly put: Counts;
  readonly removed: Counts;
  readonly isCounted: boolean;
}

/** Counts what a chunked push has written so far, its lock held. */
export const countWritten = async (tx: Runner, dataSource: string): Promise<WrittenSoFar> => {
  const { records } = await tx.run(COUNT_LARGE_PUSH, { data_source: dataSource });
  const number = (name: string): number => Number(records[0]?.get(name) ?? 0);
  return {
    put: { nodes: number('nodes_put'), relationships: number('relationships_put') },
    removed: { nodes: number('nodes_removed'), relationships: number('relationships_removed') },
    isCounted: records[0]?.get('is_counted') === true,
  };
};

/** Notes that some of a push that failed is in the graph, and not all of it. */
export const leaveHalfWritten = async (
  tx: Runner,
  dataSource: string,
  push: string,
): Promise<void> => {
  await tx.run(LEAVE_HALF_WRITTEN, { data_source: dataSource, push });
};
