import { oncePerContext } from '../../../context';
import { Turns } from '../../../web/admission/turns';

/** How many requests read a whole review at once: each uses a connection that pushes use too. */
const READ_WHOLE = 2;

/** The turns of requests that read a whole review, or plan one: a key has one at a time. */
export const wholeTurnsOf = oncePerContext(
  ({ config }): Turns =>
    new Turns({
      ...{ atOnce: READ_WHOLE, ofKey: 1 },
      patience: {
        seconds: config.limits.questionWaitSeconds,
        keyBusy: {
          _tag: 'Exhausted',
          message: 'The key reads or plans a review; ask again when that is answered.',
        },
        allBusy: {
          _tag: 'Exhausted',
          message: `The service reads or plans ${READ_WHOLE} reviews; ask again later.`,
        },
      },
    }),
);
