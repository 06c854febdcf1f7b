import { feature } from '../../feature';
import { trustStatements } from './statements';
import { trustRoutes } from './trust-routes';
import { events } from './events';

/** What providers may claim, and whom they mean. */
export const trusts = feature({
  name: 'trusts',
  statements: trustStatements,
  events,
  routes: (web, context) => [
    {
      topic: { name: 'Trusts', about: 'What each provider may claim, and whom it means.' },
      routes: trustRoutes(web, context),
    },
  ],
});
