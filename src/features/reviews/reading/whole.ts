import * as TE from 'fp-ts/TaskEither';

import { type Context, oncePerContext } from '../../../context';
import { toFailure } from '../../../neo4j/failure';
import type { Failure } from '../../../problem';
import { planAnswer } from '../answers';
import type { PlanAnswer } from '../endpoints';
import { planReview } from '../plan-review';
import { conflict } from '../refuse';
import { earlierItems } from '../stored/earlier-items';
import { readReview } from '../stored/store';
import { readToAct } from '../stored/transactions';
import { Turns } from '../../../web/admission/turns';

/** How many requests read a whole review at once: each uses a connection that pushes use too. */
const READ_WHOLE = 2;

/** The turns of requests that plan, open or read a whole review: a key has one at a time. */
const wholeTurnsOf = oncePerContext(
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

/** Plans a draft. */
export const planDraft = async (context: Context, id: string): Promise<PlanAnswer> => {
  const { review } = await readToAct(context, (tx) => readReview(tx, id));
  if (review.state !== 'draft') throw conflict(`The review is ${review.state}.`);
  return planAnswer(await planReview(context, review, await earlierItems(context, review)));
};

/** Does work that reads all of a review, once it is the turn of the caller. */
export const inWholeTurn = <A>(
  context: Context,
  key: string,
  work: () => Promise<A>,
): TE.TaskEither<Failure, A> => wholeTurnsOf(context).run({ key }, TE.tryCatch(work, toFailure));
