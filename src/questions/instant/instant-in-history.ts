import * as E from 'fp-ts/Either';

import type { AsOf } from '../../contract/answers/page';
import { Instant } from '../../model/instant';
import { badField, type Failure } from '../../problem';
import { HISTORY_SINCE, INSTANT_ASKED } from '../statements/instant-statements';
import type { Runner } from '../../neo4j/transaction';
import { toDateTime } from '../../neo4j/values';

/**
 * The refusal of an instant about which the service cannot answer. `pointer` names it in the
 * request.
 */
export const refusedInstant = (pointer: string, message: string): Failure =>
  badField(pointer, 'OUT_OF_RANGE', message);

/** The refusal of an instant before the history. It names the first instant. */
const beforeHistory = (pointer: string, since: string | null): Failure =>
  refusedInstant(
    pointer,
    since === null
      ? 'names an instant, but this service keeps no history'
      : `lies before the history, which begins at ${since}`,
  );

/** The refusal of an instant that lies in the future; `null` if it does not. */
export const inFuture = (pointer: string, { utc }: Instant): Failure | null =>
  Date.parse(utc) > Date.now() ? refusedInstant(pointer, 'lies in the future') : null;

/**
 * Finds the newest push by an instant. Refuses an instant that the history does not reach. `pointer`
 * names the instant in the request.
 */
export const newestBy = async (
  tx: Runner,
  at: Instant,
  pointer: string,
): Promise<E.Either<Failure, AsOf | null>> => {
  const { records } = await tx.run<{
    since: string | null;
    is_kept: boolean;
    newest: readonly AsOf[];
  }>(INSTANT_ASKED, { at: toDateTime(at) });
  const [record] = records;
  return record?.get('is_kept') === true
    ? E.right(record.get('newest')[0] ?? null)
    : E.left(beforeHistory(pointer, record?.get('since') ?? null));
};

/** The first instant of the history; `null` if the service stores none. */
export const beginningOfHistory = async (tx: Runner): Promise<Instant | null> => {
  const { records } = await tx.run<{ since: string | null }>(HISTORY_SINCE);
  const since = records[0]?.get('since') ?? null;
  return since === null ? null : new Instant(since);
};
