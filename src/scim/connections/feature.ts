import { feature } from '../../feature';
import { actionRoutes } from '../actions/action-routes';
import { connectionRoutes } from './connection-routes';
import { importRoutes } from '../import/import-routes';
import { ScimConnection } from './records';
import { ScimImport } from '../import/records';
import { entry } from '../../graph/statements/catalog-entry';
import { STANDING_ACCOUNTS, STANDING_GROUPS } from '../import/statements';
import { IMPORTS, importTimetableOf } from '../import/contract';
import { events as ofActions } from '../actions/events';
import { events as ofImports } from '../import/events';
import { events as ofConnections } from './events';

/** How often the service looks for imports of applications that are due. */
const IMPORTS_SECONDS = 5;

/** SCIM as a client: connections to applications, actions there, and imports. */
export const connections = feature({
  name: 'accounts in applications',
  records: [ScimConnection, ScimImport],
  statements: () => [
    entry('Read the groups of imported accounts', STANDING_ACCOUNTS),
    entry('Read the members of imported groups', STANDING_GROUPS),
  ],
  events: { ...ofConnections, ...ofImports, ...ofActions },
  routes: (web, context) => [
    {
      topic: {
        name: 'Accounts in applications',
        about: 'SCIM as a client: connections, actions, imports.',
      },
      routes: [
        ...connectionRoutes(web, context),
        ...actionRoutes(web, context),
        ...importRoutes(web, context),
      ],
    },
  ],
  rounds: (context) => [
    {
      name: 'imports',
      everySeconds: IMPORTS_SECONDS,
      rounds: [importTimetableOf(context).round],
    },
  ],
  counters: [IMPORTS],
});
