import * as E from 'fp-ts/Either';

import { Instant, justBefore, nanosOf, present } from '../../model/instant';
import type { Failure } from '../../problem';
import type { Runner } from '../../neo4j/transaction';
import {
  beginningOfHistory,
  inFuture,
  newestBy,
  refusedInstant,
} from '../instant/instant-in-history';
import { INSTANT_OF_PUSH } from '../statements/change-statements';

/** Two instants: `from` is before the changes that count, and `to` is after them. */
export interface Period {
  readonly from: Instant;
  readonly to: Instant;
}

/** What a question about changes is about: a push, or the time between two instants. */
export type Span =
  | { readonly push: string }
  | {
      readonly since: Instant;
      /** `null` means now. */
      readonly until: Instant | null;
    };

/** The period of a question about changes. */
export interface AskedPeriod {
  readonly period: Period;
  /**
   * Whether the period begins with the history, because the history begins later than the requested
   * instant.
   */
  readonly isFromBeginning: boolean;
}

/** A failure that the question itself causes. */
export class Refused extends Error {
  constructor(readonly failure: Failure) {
    super(failure._tag);
  }
}

const periodOfPush = async (tx: Runner, push: string): Promise<Period> => {
  const { records } = await tx.run<{ at: string }>(INSTANT_OF_PUSH, { push });
  const [found] = records;
  if (found === undefined)
    throw new Refused({ _tag: 'NotFound', message: 'There is no push with this id.' });
  const to = new Instant(found.get('at'));
  return { from: justBefore(to), to };
};

const periodOfTime = ({ since, until }: Exclude<Span, { push: string }>): Period => {
  const later = until === null ? null : inFuture('/until', until);
  if (later !== null) throw new Refused(later);
  const to = until ?? present();
  if (nanosOf(to) > nanosOf(since)) return { from: since, to };
  throw new Refused(refusedInstant('/since', 'is not earlier than the end of the period'));
};

/**
 * The instants of a question. A time that begins before the history begins with it instead. Throws
 * `Refused` if a push is older, or if there is no history.
 */
export const periodOf = async (tx: Runner, span: Span): Promise<AskedPeriod> => {
  const isPush = 'push' in span;
  const period = isPush ? await periodOfPush(tx, span.push) : periodOfTime(span);
  const reached = await newestBy(tx, period.from, isPush ? '/push' : '/since');
  if (E.isRight(reached)) return { period, isFromBeginning: false };
  const beginning = isPush ? null : await beginningOfHistory(tx);
  if (beginning === null || nanosOf(beginning) >= nanosOf(period.to)) {
    throw new Refused(reached.left);
  }
  return { period: { ...period, from: beginning }, isFromBeginning: true };
};
