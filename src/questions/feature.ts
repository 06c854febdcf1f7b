import { feature } from '../feature';
import { historyRoute } from './routes/history-route';
import { accessRoutes } from './routes/access-routes';
import { changesRoute } from './routes/changes-route';
import { entityRoutes } from './routes/entity-routes';
import { exportRoute } from './routes/export-route';
import { gatewaysRoute } from './routes/gateways-route';
import { questionRoutes } from './routes/question-routes';

/** Questions to the graph. They have connections, turns and deadlines of their own. */
export const questions = feature({
  name: 'questions',
  routes: (web, context) => [
    {
      topic: {
        name: 'Entities',
        about: 'Search and read people, groups, resources and what else is pushed.',
      },
      routes: entityRoutes(web, context),
    },
    {
      topic: {
        name: 'Access',
        about: 'Who can do what, through what, since when, and what changed.',
      },
      routes: [
        ...accessRoutes(web, context),
        gatewaysRoute(web, context),
        changesRoute(web, context),
        exportRoute(web, context),
      ],
    },
    {
      topic: {
        name: 'Questions',
        about: 'Cypher, reviewers, freshness and what is known of the past.',
      },
      routes: [...questionRoutes(web, context), historyRoute(web, context)],
    },
  ],
});
