import { feature } from '../../feature';
import { teamKeyRoutes } from './team-key-routes';
import { teamKeyRecord } from './records';
import { refusedSignInsOf } from './contract';
import { events } from './events';

/** How often the service reports refused sign-ins, in one line. */
const REFUSALS_SECONDS = 60;

/** Keys for connectors, people and other programs. */
export const keys = feature({
  name: 'keys',
  records: [teamKeyRecord.node],
  events,
  routes: (web, context) => [
    {
      topic: { name: 'Keys', about: 'Keys for connectors, people and other programs.' },
      routes: teamKeyRoutes(web, context),
    },
  ],
  rounds: (context) => [
    {
      name: 'refused sign-ins',
      everySeconds: REFUSALS_SECONDS,
      rounds: [() => Promise.resolve(refusedSignInsOf(context).report())],
      runsAtStop: true,
    },
  ],
});
