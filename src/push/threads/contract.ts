/* How other features run work in push threads, and wait for their turn. */

export type { PushThreads } from './push-threads';
export { pushTurns, takingTurns } from './push-turns';
export type { SentScim, ThreadWrite, WrittenScim } from './sent-scim';
