import type { PlanAnswer } from '../../contract/answers/plan';
import type { PushEffect } from '../push/apply-push';
import type { PushPlan } from './plan-push';
import { warnedAnswer } from '../push/warned-answer';

/** What a push would do, as it is told, and what the log tells of it. */
export interface PlanResult extends Pick<PushEffect, 'outcome' | 'put' | 'removed'> {
  readonly warnings: number;
  readonly seconds: PushPlan['seconds'];
  /** The answer as JSON, made where the plan was. */
  readonly json: Uint8Array<ArrayBuffer>;
}

/** A plan as it is told: what the push would answer, then what it would change (docs/rules.md: Requests, Plans). */
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
