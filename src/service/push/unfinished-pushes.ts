import { randomUUID } from 'node:crypto';

import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { LargePushes, TakenOver } from '../../graph/push/large-pushes';
import { DataSourceGone } from '../../graph/push/data-source-state';
import { DataSourceBusy, DataSourceDeleting, LargePushTaken } from '../../graph/push/store';
import { Instant } from '../../model/instant';
import type { Failure } from '../../problem';
import type { Log } from '../../log';
import { decodePush } from './apply-push';
import { applyInParts, begunFailure } from './large-push';
import { pushInstant } from './push-instant';
import { resumedEvent } from './push-report';
import type { PartLimits, PushDependencies } from './push-request';
import { knownText } from './same-payload';
import { Stopwatch } from './stopwatch';

/** Goes on with a push that was taken over: computes what is left of it, and writes that. */
export const finishPush =
  (dependencies: PushDependencies) =>
  ({ pending, record, provider, dataSource }: TakenOver): TE.TaskEither<Failure, void> =>
    TE.tryCatch(async () => {
      const watch = new Stopwatch({});
      const { large, resourceDepth } = dependencies;
      const json = await watch.timeAsync('read', () => large.payload(pending.payload));
      const source = { provider: { custom_template: provider.template } };
      const decoded = decodePush({ source, json }, resourceDepth, watch);
      if (E.isLeft(decoded)) throw decoded.left;
      if (decoded.right._tag !== 'Whole') throw new Error('an increment is never applied in parts');
      const { put, removed, at, id, request_id: requestId } = record;
      await applyInParts(dependencies, {
        identity: { id, source: { provider, dataSource }, requestId },
        runner: pending.runner,
        at: new Instant(at),
        text: knownText(json, ''),
        decoded: decoded.right,
        counts: { put, removed },
        total: pending.total,
        found: null,
        watch,
      });
    }, begunFailure);

/** What going on with interrupted pushes needs. */
export interface UnfinishedDependencies {
  readonly large: LargePushes;
  readonly parts: Pick<PartLimits, 'writers'>;
  /** After how many seconds without a sign one is looked at. */
  readonly afterSeconds: number;
  /** Goes on with one, here or in a thread. */
  readonly finish: (taken: TakenOver) => TE.TaskEither<Failure, void>;
  readonly log: Log;
}

/** Nobody is needed: somebody is at it, or it is no more. */
const isLeft = (error: unknown): boolean =>
  [DataSourceBusy, DataSourceDeleting, DataSourceGone, LargePushTaken].some(
    (kind) => error instanceof kind,
  );

/** Goes on with every large push that was interrupted, whoever began it (graph.md 6). */
export const finishUnfinished = async (
  { large, parts, afterSeconds, finish, log }: UnfinishedDependencies,
  isStopping: () => boolean,
): Promise<void> => {
  for (const dataSource of await large.unfinished(afterSeconds)) {
    if (isStopping()) return;
    const taken = await takeOver(large, dataSource, parts.writers);
    if (taken === null) continue;
    const { id, at, request_id: requestId } = taken.record;
    const fields = { push_id: id, data_source_id: dataSource, request_id: requestId };
    log.warn('a large push was interrupted, and goes on', fields);
    const identity = { id, source: taken, requestId };
    const event = resumedEvent(identity, pushInstant(new Instant(at)));
    await large.tell(dataSource, taken.pending.runner, null, event);
    await pipe(
      finish(taken),
      TE.match(
        (failure) => log.warn('a large push is not finished', { ...fields, reason: failure._tag }),
        () => log.info('a large push is finished', fields),
      ),
    )();
  }
};

const takeOver = async (
  large: LargePushes,
  dataSource: string,
  lanes: number,
): Promise<TakenOver | null> => {
  try {
    return await large.takeOver(dataSource, randomUUID(), lanes);
  } catch (error) {
    if (isLeft(error)) return null;
    throw error;
  }
};
