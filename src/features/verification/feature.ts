import { feature } from '../../feature';
import { verificationCatalog } from './catalog';
import { verifyRoute } from './verify-route';
import { events } from './events';

/** Finds and repairs what somebody changed by hand in Neo4j. */
export const verification = feature({
  name: 'verification',
  statements: verificationCatalog,
  events,
  routes: (web, context) => [
    {
      topic: {
        name: 'Verification',
        about: 'Finds and repairs what somebody changed by hand in Neo4j.',
      },
      routes: [verifyRoute(web, context)],
    },
  ],
});
