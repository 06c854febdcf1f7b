import { feature } from '../../feature';
import { firstPageRoute, manualRoute } from './manual-route';
import { startPage } from './start-page';

/** Pages for people: the first page, and the manual. */
export const manual = feature({
  name: 'manual',
  routes: ({ respond, checkReady }) => [
    {
      topic: { name: 'Start', about: 'Pages for browsers, and the manual.' },
      routes: [startPage(respond, checkReady), firstPageRoute(respond), manualRoute(respond)],
    },
  ],
});
