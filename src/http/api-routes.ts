import type { Log } from '../log';
import type { Metrics } from '../metrics';
import type { MemorySizes } from '../service/receive/memory-plan';
import type { UseCases } from '../service/use-cases';
import { eventRoutes } from './events/event-routes';
import { eventStreamRoute } from './events/event-stream-route';
import type { Handle } from './exchange/handle';
import type { Respond } from './exchange/respond';
import type { RunningWork } from './exchange/running-work';
import { policyRoutes } from './lifecycle/policy-routes';
import { runRoutes } from './lifecycle/run-routes';
import { apiDescriptionRoutes } from './operation/api-description-routes';
import { apiPageRoutes } from './operation/api-page';
import { type CheckReady, healthRoutes } from './operation/health-routes';
import { historyRoute } from './operation/history-route';
import { kitRoutes } from './operation/kit-routes';
import { manualRoute } from './operation/manual-route';
import { metricsRoute } from './operation/metrics-route';
import { startPage } from './operation/start-page';
import { actionRoutes } from './provisioning/action-routes';
import { connectionRoutes } from './provisioning/connection-routes';
import { importRoutes } from './provisioning/import-routes';
import { partsRoute } from './push/parts-route';
import { planRoute } from './push/plan-route';
import { pushRecordRoutes } from './push/push-record-routes';
import { pushCsvRoute, pushRoute } from './push/push-route';
import { removalRoute } from './push/removal-route';
import { verifyRoute } from './push/verify-route';
import { accessRoutes } from './questions/access-routes';
import { changesRoute } from './questions/changes-route';
import { exportRoute } from './questions/export-route';
import { entityRoutes } from './questions/entity-routes';
import { questionRoutes } from './questions/question-routes';
import { dataSourceRoutes } from './registry/data-source-routes';
import { eraseRoute } from './registry/erase-route';
import { iconRoute } from './registry/icon-route';
import { providerRoutes } from './registry/provider-routes';
import { teamKeyRoutes } from './registry/team-key-routes';
import { trustRoutes } from './registry/trust-routes';
import { discoveryRoutes } from './scim-server/discovery-routes';
import { resourceRoutes } from './scim-server/resource-routes';
import { searchRoutes } from './scim-server/search-routes';
import type { Route } from './routing/route';

/** What the handlers of the routes need. */
export interface RouteDeps {
  readonly log: Log;
  readonly handle: Handle;
  /** Handles questions to the graph; a key may run a limited number of them at once. */
  readonly question: Handle;
  readonly respond: Respond;
  readonly running: RunningWork;
  readonly metrics: Pick<Metrics, 'contentType' | 'text'>;
  readonly limits: Pick<MemorySizes, 'bodyBytes'>;
  readonly useCases: UseCases;
  /** Whether the graph answers now. */
  readonly checkReady: CheckReady;
}

/**
 * All routes of the HTTP interface, in the order of the table in docs/api.md. If a request fits two
 * paths, the first one counts.
 */
export const apiRoutes = (deps: RouteDeps): readonly Route[] => {
  const asking = { ...deps, handle: deps.question };
  const routes: readonly Route[] = [
    startPage(deps.respond, deps.checkReady),
    manualRoute(deps.respond),
    ...healthRoutes(deps.handle, deps.checkReady),
    ...apiDescriptionRoutes(deps.handle, () => routes),
    ...apiPageRoutes(deps.respond),
    ...kitRoutes(deps.respond),
    metricsRoute(deps.respond, deps.metrics),
    ...providerRoutes(deps),
    iconRoute(deps),
    ...trustRoutes(deps),
    ...connectionRoutes(deps),
    ...actionRoutes(deps),
    ...importRoutes(deps),
    ...runRoutes(deps),
    ...policyRoutes(deps),
    ...dataSourceRoutes(deps),
    pushRoute(deps),
    pushCsvRoute(deps),
    partsRoute(deps),
    planRoute(deps),
    verifyRoute(deps),
    removalRoute(deps),
    ...pushRecordRoutes(deps),
    ...eventRoutes(asking),
    eventStreamRoute(deps),
    ...entityRoutes(asking),
    ...accessRoutes(asking),
    changesRoute(asking),
    exportRoute(asking),
    ...questionRoutes(asking),
    historyRoute(asking),
    eraseRoute(deps),
    ...teamKeyRoutes(deps),
    ...discoveryRoutes(deps),
    ...searchRoutes(asking),
    ...resourceRoutes({ ...deps, question: deps.question }),
  ];
  return routes;
};
