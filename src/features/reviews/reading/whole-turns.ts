import { oncePerContext } from '../../../context';
import { Turns } from '../../../web/admission/turns';

/** How many requests read a whole review at once: each uses a connection that pushes use too. */
const READ_WHOLE = 2;

/** The turns of requests that plan, open or read a whole review: a key has one at a time. */
export const wholeTurnsOf = oncePerContext(
  ({ config }): Turns =>
    new Turns({
      atOnce: READ_WHOLE,
      ofKey: 1,
      patience: {
        seconds: config.limits.questionWaitSeconds,
        keyBusy: 'The key plans, opens or reads a review; ask again when that is answered.',
        allBusy: `The service plans, opens or reads ${READ_WHOLE} reviews; ask again later.`,
      },
    }),
);
