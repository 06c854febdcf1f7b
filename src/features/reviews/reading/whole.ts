import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../../context';
import { toFailure } from '../../../neo4j/failure';
import type { Failure } from '../../../problem';
import { planAnswer } from '../answers';
import type { PlanAnswer } from '../endpoints';
import { planReview } from '../plan-review';
import { conflict } from '../refuse';
import { earlierItems } from '../stored/earlier-items';
import { readReview } from '../stored/store';
import { readToAct } from '../stored/transactions';
import { wholeTurnsOf } from './whole-turns';

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
