/** What pages about reviews ask the feature. */
export { cancelReview, closeReview, createReview, decide, except, reassign, remind } from '../acts';
export { type AllItems, listAllItems, type ListedItem } from './all-items';
export { evidenceOf } from '../evidence/evidence';
export { openReview } from '../open-review';
export { send } from '../sending/send';
export { verifyReview } from '../evidence/verify-review';
export {
  allReviews,
  mayOversee,
  type OversightOfReview,
  overseeReview,
  type Overseer,
} from './progress';
export type { Sending } from '../endpoints';
export { inWholeTurn, planDraft } from './whole';
export { wantedOf } from './wanted';
export { MOST_AT_ONCE, MOST_KEPT_AT_ONCE, type Numbers } from '../rules/decide';
export type { Loss } from '../rules/loss';
export {
  ERASED_HOLDER,
  MARK_WORDS,
  OTHERS_MARK_WORDS,
  REMEDIATION_WORDS,
  STATE_WORDS,
} from '../rules/in-words';
export { ITEM_STATES, type ItemState, type Mark, MARKS, SCOPE_MARKS } from '../rules/words';
export { MOST_OF_REASON, type PlanAnswer as Plan, type ReviewedApplication } from '../endpoints';
export { reviewedApplication, reviewedSources } from '../schedule/reviewed-applications';
export type { Review } from '../records';
export { CADENCES } from '../rules/cadence';
export {
  listOwnItems,
  lossesOf,
  type OwnItem,
  type OwnItems,
  type OwnItemsPage,
  type OwnReview,
  ownReviews,
  readOwnItems,
  responsibleFor,
} from './own-items';
export { reviewsWithReturned } from './returned';
