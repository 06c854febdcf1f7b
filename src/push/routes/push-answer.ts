import * as E from 'fp-ts/Either';

import type { PushAnswer } from '../../contract/answers/pushes';
import type { Log } from '../../log';
import type { Failure } from '../../problem';
import type { PlanResult } from '../plan/plan-result';
import type { AcceptedPush } from '../run/accepted-push';
import type { PushTarget } from '../receive/push-intent';
import { warnedAnswer } from '../run/warned-answer';
import { JsonText } from '../../web/bodies/json-text';

/** The answer to a push, which `value` does not wrap (docs/rules.md: Requests). */
export const pushAnswer = ({
  push,
  at,
  outcome,
  warnings,
  put,
  removed,
  digest,
}: AcceptedPush): JsonText<PushAnswer> => {
  const answer: Omit<PushAnswer, 'warnings'> = {
    push_id: push,
    at,
    unchanged: outcome === 'unchanged',
    put,
    removed,
    digest,
  };
  return new JsonText(warnedAnswer(warnings, answer));
};

/** Logs how a push or a dry run ended, without its contents. */
export const logPush = (log: Log, source: PushTarget, requestId: string, what = 'push') => {
  const fields = {
    request_id: requestId,
    provider_id: source.provider.id,
    data_source_id: source.dataSource.id,
  };
  return {
    done: ({ push, outcome, warnings, put, removed, seconds }: AcceptedPush): void =>
      log.info(`push ${outcome}`, {
        ...fields,
        push_id: push,
        put,
        removed,
        warnings: warnings.count,
        seconds,
      }),
    planned: ({ outcome, put, removed, warnings, seconds }: PlanResult): void =>
      log.info(`${what} ${outcome}`, { ...fields, put, removed, warnings, seconds }),
    failed: (failure: Failure): void => {
      // The log line of the request says enough.
      if (failure._tag === 'Unavailable' && failure.isOutage) return;
      const isOurs = failure._tag === 'Unavailable' || failure._tag === 'Internal';
      log.info(`${what} ${isOurs ? 'failed' : 'refused'}`, {
        ...fields,
        reason: failure._tag,
        problems: failure._tag === 'Invalid' ? failure.total : undefined,
      });
    },
  };
};

/**
 * Refuses a push to a data source that is being deleted, before the service receives a large body.
 * The push checks this again under the lock of the data source.
 */
export const notDeleting = ({ provider, dataSource }: PushTarget): E.Either<Failure, undefined> =>
  provider.state === 'DELETING' || dataSource.status === 'DELETING'
    ? E.left({ _tag: 'Conflict', message: 'The data source is being deleted.' })
    : E.right(undefined);
