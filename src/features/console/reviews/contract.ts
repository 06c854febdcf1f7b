import type { PageForm } from '../forms/page-form';
import type { Page } from '../frame/page';
import { decidePage, decisionForm } from './decide';
import { newReviewForm, newReviewPage } from './drafts/new-review';
import { openForm, planPage } from './drafts/plan';
import { allItemsPage } from './items/all-items';
import { oversightForm, oversightPage } from './oversight';
import { ownItemsPage } from './own-items';
import { ownReviewsPage } from './own-reviews';
import { verifiedPage } from './verified';

/** The pages of reviews, which the feature `reviews` declares. */
export const pages: readonly Page[] = [
  ownReviewsPage,
  ownItemsPage,
  decidePage,
  oversightPage,
  allItemsPage,
  planPage,
  newReviewPage,
  verifiedPage,
];

/** The forms of these pages. */
export const forms: readonly PageForm[] = [decisionForm, oversightForm, openForm, newReviewForm];

export { accessThatCameBack } from './revokes/came-back';
export { evidenceRoute } from './verified';
export { REVIEWS } from './words';
