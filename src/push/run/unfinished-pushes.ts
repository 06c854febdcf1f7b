import { hash, randomUUID } from 'node:crypto';

import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';

import { isOutageFailure } from '../../neo4j/failure';
import { type ChunkedPushes, PayloadLost, type TakenOver } from '../graph/chunked-pushes';
import { DataSourceGone } from '../graph/data-source-state';
import { DataSourceBusy, DataSourceDeleting, ChunkedPushTaken } from '../graph/store';
import { Instant } from '../../model/instant';
import { type Failure, oneProblem } from '../../problem';
import type { Log } from '../../log';
import { FailedStep } from '../../neo4j/failure';
import { decodePush } from './apply-push';
import { applyInChunks } from './chunked-push';
import { withinHeap } from '../receive/needed-heap';
import { pushInstant } from '../../graph/records/push-instant';
import { heldFailure } from '../change/push-refusal';
import { failedReport, resumedEvent, type WhyFailed } from './push-report';
import type { PushDependencies } from '../change/push-dependencies';
import type { PushSizes } from '../receive/push-sizes';
import type { Retries } from '../../background';
import { Stopwatch } from '../change/stopwatch';

/** Reads the stored payload of a push. A payload that cannot be uncompressed counts as lost. */
const storedPayload = async (large: ChunkedPushes, id: string): Promise<string> => {
  try {
    return await large.payload(id);
  } catch (error) {
    if (/^(Z_|ERR_BUFFER_TOO_LARGE)/.test(String((error as { code?: unknown }).code))) {
      throw new PayloadLost();
    }
    throw error;
  }
};

/**
 * Resumes a push that was taken over: computes what is left of it, and writes that. The process
 * that began the push may have had more memory, so this checks the payload again.
 */
export const finishPush =
  (dependencies: PushDependencies, sizes: Pick<PushSizes, 'heapBytes' | 'threads'>) =>
  ({ pending, record, provider, dataSource }: TakenOver): TE.TaskEither<Failure, void> =>
    TE.tryCatch(async () => {
      const watch = new Stopwatch({});
      const { chunkedPushes, resourceDepth } = dependencies;
      const stored = await watch.timeAsync('read', () =>
        storedPayload(chunkedPushes, pending.payload),
      );
      const judged = withinHeap(stored, sizes);
      if (E.isLeft(judged)) throw new FailedStep(judged.left);
      const json = judged.right;
      const source = { provider: { custom_template: provider.template } };
      const decoded = decodePush({ source, json }, resourceDepth, watch);
      if (E.isLeft(decoded)) throw decoded.left;
      // The service never applies an increment in chunks.
      if (decoded.right._tag !== 'Full') throw new PayloadLost();
      const { put, removed, at, id, request_id: requestId } = record;
      await applyInChunks(dependencies, {
        identity: { id, source: { provider, dataSource }, requestId, by: pending.by },
        runner: pending.runner,
        at: new Instant(at),
        sha256: hash('sha256', json, 'hex'),
        decoded: decoded.right,
        counts: { put, removed },
        total: pending.total,
        found: null,
        watch,
      });
    }, heldFailure);

/** What the service needs to resume interrupted pushes. */
export interface UnfinishedDependencies {
  readonly chunkedPushes: ChunkedPushes;
  /** A push without a sign of life for this many seconds counts as interrupted. */
  readonly afterSeconds: number;
  /** Resumes one push, in this thread or in a push thread. */
  readonly finish: (taken: TakenOver) => TE.TaskEither<Failure, void>;
  /** When the service tries an unfinished push again, and when it gives up. */
  readonly retries: Retries;
  readonly log: Log;
}

/** Another process works on the data source, or the push or the data source is gone. */
const isLeft = (error: unknown): boolean =>
  [DataSourceBusy, DataSourceDeleting, DataSourceGone, ChunkedPushTaken].some(
    (kind) => error instanceof kind,
  );

/**
 * Resumes every interrupted chunked push, whichever process began it (docs/rules.md: Chunked
 * pushes).
 */
export const finishUnfinished = async (
  dependencies: UnfinishedDependencies,
  isStopping: () => boolean,
): Promise<void> => {
  const { chunkedPushes, afterSeconds } = dependencies;
  for (const dataSource of await chunkedPushes.unfinished(afterSeconds)) {
    if (isStopping()) return;
    const taken = await takeOver(chunkedPushes, dataSource);
    if (taken !== null) await goOn(dependencies, taken, isStopping);
  }
};

/**
 * Tries to finish a push that was taken over. Waits longer after each try, and gives the push up
 * after the last one (docs/operating.md: A chunked push that cannot be finished).
 */
const goOn = async (
  { chunkedPushes, finish, retries, log }: UnfinishedDependencies,
  taken: TakenOver,
  isStopping: () => boolean,
): Promise<void> => {
  const { tries, pending, record } = taken;
  const { id, at, request_id: requestId } = record;
  const { runner } = pending;
  const dataSource = taken.dataSource.id;
  const fields = { push_id: id, data_source_id: dataSource, request_id: requestId };
  const identity = { id, source: taken, requestId, by: pending.by };
  const giveUp = async (why: WhyFailed): Promise<void> => {
    const begun = new Instant(at);
    const begunAt = pushInstant(begun);
    await chunkedPushes.fail(dataSource, runner, (written) =>
      failedReport(identity, begun, begunAt, why, written, record.seconds),
    );
    log.error('the service gives up a chunked push', {
      ...fields,
      outcome: why.outcome,
      why: why.message,
    });
  };

  if (tries > retries.most) {
    await giveUp(failed('Each process that went on with the push ended before it was finished.'));
    return;
  }
  // Sets the next try before this one begins, because a process that the push kills cannot set it
  // afterwards.
  await chunkedPushes.postpone(dataSource, runner, retries.pauseSeconds(tries));
  log.warn('the service resumes an interrupted chunked push', { ...fields, tries });
  await chunkedPushes.tell(
    dataSource,
    runner,
    null,
    resumedEvent(identity, pushInstant(new Instant(at))),
  );
  const end = await finish(taken)();
  if (E.isRight(end)) {
    log.info('the service has finished a chunked push', fields);
    return;
  }
  const failure = end.left;
  // The log reports an outage once for the complete service.
  if (!isOutageFailure(failure)) {
    log.warn('the service could not finish a chunked push', { ...fields, reason: failure._tag });
  }
  if (isLeftToOthers(failure)) return;
  if (failure._tag === 'Invalid') {
    const isLost = failure.problems.some(({ code }) => code === 'NOT_FINISHED');
    await giveUp({ ...failure, outcome: isLost ? 'failed' : 'refused' });
    return;
  }
  // A try does not count if the service is stopping or all threads are busy.
  const isTry = !isStopping() && failure._tag !== 'Exhausted';
  const counted = await chunkedPushes.postpone(
    dataSource,
    runner,
    retries.pauseSeconds(tries),
    isTry,
  );
  if (isTry && counted !== null && counted >= retries.most) await giveUp(failed(failure.message));
};

const failed = (message: string): WhyFailed => ({
  outcome: 'failed',
  message,
  ...oneProblem('', 'NOT_FINISHED', message),
});

/** Another process has taken over the data source, or the data source is gone. */
const isLeftToOthers = ({ _tag }: Failure): boolean => _tag === 'Conflict' || _tag === 'NotFound';

const takeOver = async (large: ChunkedPushes, dataSource: string): Promise<TakenOver | null> => {
  try {
    return await large.takeOver(dataSource, randomUUID());
  } catch (error) {
    if (isLeft(error)) return null;
    throw error;
  }
};
