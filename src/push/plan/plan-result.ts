import type { PlanAnswer } from '../../contract/answers/plan';
import type { PushEffect } from '../run/apply-push';
import type { PushPlan } from './plan-push';
import { pushWarnings } from '../../graph/records/push-warnings';
import type { PlanSight } from '../receive/sent-push';
import { warnedAnswer } from '../run/warned-answer';

/** The result of a dry run, for the answer and for the log. */
export interface PlanResult extends Pick<PushEffect, 'outcome' | 'put' | 'removed'> {
  readonly warnings: number;
  readonly seconds: PushPlan['seconds'];
  /** The answer as JSON. The thread that ran the dry run makes it. */
  readonly json: Uint8Array<ArrayBuffer>;
}

/**
 * The answer to a dry run: what the push would answer, then what it would change (docs/rules.md:
 * Requests, Plans).
 */
export const planResult = (
  { effect, confirmation, changes, seconds }: PushPlan,
  { listed }: Pick<PlanSight, 'listed'>,
): PlanResult => {
  const { outcome, put, removed, digest, warnings } = effect;
  const answer: Omit<PlanAnswer, 'warnings'> = {
    unchanged: outcome === 'unchanged',
    put,
    removed,
    digest,
    confirmation,
    ...changes,
  };
  const listedWarnings =
    listed === undefined ? warnings : pushWarnings(warnings.listed.slice(0, listed));
  const json = warnedAnswer(listedWarnings, answer);
  return { outcome, put, removed, warnings: warnings.count, seconds, json };
};
