import type { PlanAnswer } from '../../contract/answers/plan';
import type { PushEffect } from '../run/apply-push';
import type { PushPlan } from './plan-push';
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
export const planResult = ({ effect, confirmation, changes, seconds }: PushPlan): PlanResult => {
  const { outcome, put, removed, digest, warnings } = effect;
  const answer: Omit<PlanAnswer, 'warnings'> = {
    unchanged: outcome === 'unchanged',
    put,
    removed,
    digest,
    confirmation,
    ...changes,
  };
  const json = warnedAnswer(warnings, answer);
  return { outcome, put, removed, warnings: warnings.count, seconds, json };
};
