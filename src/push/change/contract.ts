/* Why the push line refuses a change, for features that change rows without a payload. */

export { confirmationOf } from './confirmation';
export { heldFailure } from './push-refusal';
export { type RemovalGuard, needsConfirmation } from './removal-guard';
