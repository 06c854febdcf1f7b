import { feature } from '../../feature';
import { followReviews } from './follow';
import { repeatReviews } from './schedule/next-review';
import { reviewRecords } from './records';
import { reviewRoutes } from './review-routes';
import { reviewStatements } from './stored/statements';

/** How often the service looks what pushes did to the facts of reviews. */
const FOLLOWED_SECONDS = 5;

/** Access reviews: who decides about which access, and the proof of it (docs/reviews.md). */
export const reviews = feature({
  name: 'reviews',
  records: reviewRecords,
  statements: reviewStatements,
  routes: (web, context) => [
    {
      topic: { name: 'Reviews', about: 'Access reviews: who decides about which access.' },
      routes: reviewRoutes(web, context),
    },
  ],
  rounds: (context) => [
    {
      name: 'reviews',
      everySeconds: FOLLOWED_SECONDS,
      isWoken: true,
      rounds: [followReviews(context), () => repeatReviews(context)],
    },
  ],
});
