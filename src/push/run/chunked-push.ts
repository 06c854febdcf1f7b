import { randomUUID } from 'node:crypto';

import type { DecodedPush } from '../../contract/decode';
import { type Difference, sizeOf } from '../../difference/difference';
import { type Stage, stagesOf } from '../../difference/stages';
import type { HeldDataSource, HeldChunkedPush } from '../graph/held-data-source';
import type { UploadOf } from '../graph/uploads';
import type { Instant } from '../../model/instant';
import type { Template } from '../../templates/templates';
import type { Failure } from '../../problem';
import {
  type AppliedPush,
  countsOf,
  effectOf,
  possibleWarningsMeanwhile,
  type PushEffect,
} from './apply-push';
import type { PushChange } from '../change/push-change';
import { pushInstant } from '../../graph/records/push-instant';
import { recordAccepted } from './push-outcome';
import { heldFailure } from '../change/push-refusal';
import { begunReport, progressEvent, type PushIdentity } from './push-report';
import type { ChunkLimits, PushDependencies } from '../change/push-dependencies';
import type { Stopwatch } from '../change/stopwatch';
import { changeByFullPush } from '../change/full-change';

type Whole = Extract<DecodedPush<Template>, { _tag: 'Full' }>;

/** A chunked push that has begun. */
export interface ChunkedPush {
  readonly identity: PushIdentity;
  /** The id of the process or thread that applies it. */
  readonly runner: string;
  readonly at: Instant;
  /** SHA-256 of the payload's text. */
  readonly sha256: string;
  readonly decoded: Whole;
  /** What the push changes in all, with what another runner has written already. */
  readonly counts: Pick<PushEffect, 'put' | 'removed'>;
  readonly total: number;
  /** What the push changes, if nothing of it is written yet. */
  readonly found: PushChange | null;
  readonly watch: Stopwatch;
  /** The upload that brought the payload. It ends with the push. */
  readonly upload?: UploadOf | undefined;
}

const MOST_IN_CHUNK = 10_000;

/** Rows and relationships that one chunk may hold: at most half of what a transaction may hold. */
export const chunkSize = ({ transactionRows }: ChunkLimits): number =>
  Math.max(1, Math.min(MOST_IN_CHUNK, Math.floor(transactionRows / 2)));

/** Whether the diff is too large for one transaction (docs/rules.md: Chunked pushes). */
export const needsChunks = (
  difference: Difference,
  { transactionRows }: Pick<ChunkLimits, 'transactionRows'>,
): boolean => sizeOf(difference) > transactionRows;

/**
 * Records under the lock of the data source that a chunked push begins, with all that the service
 * needs to resume it. Once the record is committed, the push is finished or replaced
 * (docs/rules.md: Promises).
 */
export const startChunkedPush = async (
  held: HeldDataSource,
  push: Pick<ChunkedPush, 'identity' | 'decoded' | 'sha256' | 'watch' | 'upload'> & {
    change: PushChange;
  },
  payload: string,
): Promise<ChunkedPush> => {
  const { change, identity, watch } = push;
  const { at, difference, remembered } = change;
  const runner = randomUUID();
  const counts = countsOf(difference);
  const total = sizeOf(difference);
  const replaced = held.state.pending?.push ?? null;
  await held.begin({
    ...begunReport(identity, at, counts, replaced, watch.seconds),
    pending: { push: identity.id, payload, runner, total, by: identity.by },
    propertyNames: remembered?.propertyNames ?? null,
  });
  return { ...push, runner, at, counts, total, found: change };
};

/** Applies a chunked push that has begun, and records it like any other push. */
export const applyInChunks = (
  dependencies: PushDependencies,
  push: ChunkedPush,
): Promise<AppliedPush> => {
  const { decoded, identity, runner, watch, counts, upload } = push;
  let { found } = push;
  const dataSource = identity.source.dataSource.id;
  return dependencies.chunkedPushes.hold(dataSource, runner, async (held) => {
    const { names, heap } = dependencies;
    const change = found ?? {
      ...(await changeByFullPush(decoded, { held, names, heap, watch })),
      at: push.at,
    };
    // On a second run the graph holds some of the change already, so the push is compared again.
    found = null;
    const [concerns] = await Promise.all([
      possibleWarningsMeanwhile(decoded, change.warningSources),
      watch.timeAsync('write', () => writeStages(dependencies, held, push, change)),
    ]);
    await held.takeTurn(push.at);
    const written = await effectOf(decoded, change, held, watch, 'accepted', concerns);
    const applied = { ...written, effect: { ...written.effect, ...counts } };
    if (upload !== undefined) await held.endUpload(upload.id);
    await recordAccepted(held, identity, push.sha256, applied, watch.seconds);
    return applied;
  });
};

/**
 * Rows and relationships of a chunk that count as progress. Hashes that the push writes last do not
 * count.
 */
const doneBy = ({ name }: Stage, part: Difference): number =>
  sizeOf(part) - part.proven.length - (name === 'changes' ? 0 : part.changed.length);

const writeStages = async (
  { chunkedPushes, chunks, note }: PushDependencies,
  held: HeldChunkedPush,
  push: ChunkedPush,
  { difference, shared }: PushChange,
): Promise<void> => {
  const { runner, at, total, identity } = push;
  const { id: dataSource, provider } = held.state;
  const words = { dataSource, provider: provider.name, at };
  const fields = {
    push_id: identity.id,
    data_source_id: dataSource,
    request_id: identity.requestId,
  };
  let done = Math.max(0, total - sizeOf(difference));
  let reported = tenths(done, total);
  for (const stage of stagesOf(difference, chunkSize(chunks))) {
    for (const chunk of stage.chunks) {
      await held.stillHolds();
      await chunkedPushes.write({ ...words, runner, shared, isBinding: stage.isBinding }, chunk);
      done = Math.min(total, done + doneBy(stage, chunk));
      if (tenths(done, total) === reported) continue;
      reported = tenths(done, total);
      note('the service applies a chunked push', { ...fields, stage: stage.name, done, total });
      const event = progressEvent(identity, pushInstant(at), done, total);
      await chunkedPushes.tell(dataSource, runner, done, event);
    }
  }
};

const tenths = (done: number, total: number): number => Math.floor((10 * done) / total);

/**
 * Turns an error of a chunked push that has begun into a failure. The written chunks stay, and the
 * service resumes the push.
 */
export const begunFailure = (error: unknown): Failure => {
  const failure = heldFailure(error);
  if (failure._tag !== 'Unavailable' && failure._tag !== 'Internal') return failure;
  return {
    ...failure,
    _tag: 'Unavailable',
    message:
      'The push has begun and is not finished. The service resumes it, and its record shows how it ends. Another full push replaces it.',
  };
};
