/* What other features see of a push: its result. */

export type { AcceptedPush } from './accepted-push';
export { warnedAnswer } from './warned-answer';
