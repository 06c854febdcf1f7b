/* What other features see of a push: its result, and how often work is tried again. */

export type { AcceptedPush } from './accepted-push';
export { type Retries, doublingRetries } from './retries';
export { warnedAnswer } from './warned-answer';
