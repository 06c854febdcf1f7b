/** What pages about reviews ask the feature. */
export { decide, reassign } from '../acts';
export { MOST_KEPT_AT_ONCE } from '../rules/decide';
export type { Loss } from '../rules/loss';
export type { ItemState, Mark } from '../rules/words';
export type { ReviewedApplication } from '../endpoints';
export { reviewedSources } from '../schedule/reviewed-applications';
export type { Review } from '../records';
export {
  listOwnItems,
  lossesOf,
  type OwnItem,
  type OwnItems,
  type OwnReview,
  ownReviews,
  readOwnItems,
  responsibleFor,
} from './own-items';
