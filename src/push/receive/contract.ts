/* How other features hand a payload to the push line, and for what purpose. */

export type { PushIntent, PushTarget } from './push-intent';
export { sameId } from './same-id';
export type { SentFile, SentPlan, SentPush } from './sent-push';
