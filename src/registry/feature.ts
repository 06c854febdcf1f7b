import { feature } from '../feature';
import { dataSourceRoutes } from './routes/data-source-routes';
import { iconRoute, providerRoutes } from './routes/provider-routes';
import { removalRoute } from './routes/removal-route';
import { providerRecord } from '../contract/records/provider';
import { DataSource } from '../model/service-nodes';
import { finishDeletions } from './deletion';
import { deletionsOf } from './contract';
import { events } from './events';
import { type CatalogEntry, entry } from '../graph/statements/catalog-entry';
import { ALLOW_REMOVAL } from '../graph/statements/data-source-statements';
import { LOCK_PROVIDER } from '../graph/statements/provider-lock';

/** The statements of the registry. The push line lists those of deletions, since it runs them. */
const registryCatalog = (): readonly CatalogEntry[] => [
  entry('Let the removal guard pass the next push', ALLOW_REMOVAL),
  entry('Lock a provider', LOCK_PROVIDER),
];

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
