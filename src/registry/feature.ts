import { feature } from '../feature';
import { dataSourceRoutes } from './routes/data-source-routes';
import { iconRoute } from './routes/icon-route';
import { providerRoutes } from './routes/provider-routes';
import { removalRoute } from './routes/removal-route';
import { providerRecord } from '../contract/records/provider';
import { DataSource } from '../model/service-nodes';
import { finishDeletions } from './deletion';
import { deletionsOf } from './contract';
import { registryCatalog } from './statements';
import { events } from './events';

/** How often the service looks for unfinished deletions of other processes. */
const DELETION_SECONDS = 30;

/** Providers and their data sources: who pushes, and where to. */
export const registry = feature({
  name: 'registry',
  records: [providerRecord.node, DataSource],
  statements: registryCatalog,
  events,
  routes: (web, context) => [
    {
      topic: { name: 'Providers', about: 'Systems that push.' },
      routes: [...providerRoutes(web, context), iconRoute(web, context)],
    },
    {
      topic: { name: 'Data sources', about: 'Streams of pushes under a provider.' },
      routes: [...dataSourceRoutes(web, context), removalRoute(web, context)],
    },
  ],
  rounds: (context) => [
    {
      name: 'deletions',
      everySeconds: DELETION_SECONDS,
      isWoken: true,
      rounds: [(isStopping) => finishDeletions(deletionsOf(context), isStopping)],
    },
  ],
});
