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
import type { Route, Topic } from './routing/route';

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

/** Gives some routes their topic. */
const about = (
  name: Topic['name'],
  says: Topic['about'],
  routes: readonly Route[],
): readonly Route[] => {
  const topic = { name, about: says };
  return routes.map((route) => ({ ...route, topic }));
};

/**
 * All routes of the HTTP interface, in the order of the table in docs/api.md. If a request fits two
 * paths, the first one counts.
 */
export const apiRoutes = (deps: RouteDeps): readonly Route[] => {
  const asking = { ...deps, handle: deps.question };
  const routes: readonly Route[] = [
    ...about('Start', 'Pages for browsers, and the manual.', [
      startPage(deps.respond, deps.checkReady),
      manualRoute(deps.respond),
    ]),
    ...about(
      'Health',
      'Whether the service runs, and reaches Neo4j.',
      healthRoutes(deps.handle, deps.checkReady),
    ),
    ...about('Description', 'This interface and its payloads, for people and programs.', [
      ...apiDescriptionRoutes(deps.handle, () => routes),
      ...apiPageRoutes(deps.respond),
      ...kitRoutes(deps.respond),
    ]),
    ...about('Metrics', 'Figures for monitoring.', [metricsRoute(deps.respond, deps.metrics)]),
    ...about('Providers', 'Systems that push, and what each of them may claim.', [
      ...providerRoutes(deps),
      iconRoute(deps),
      ...trustRoutes(deps),
    ]),
    ...about('Accounts in applications', 'SCIM as a client: connections, actions, imports.', [
      ...connectionRoutes(deps),
      ...actionRoutes(deps),
      ...importRoutes(deps),
    ]),
    ...about('Policies', 'Rules that say who gets an account in an application.', [
      ...runRoutes(deps),
      ...policyRoutes(deps),
    ]),
    ...about('Data sources', 'Streams of pushes under a provider.', dataSourceRoutes(deps)),
    ...about('Pushes', 'Push, plan and check payloads, and read what pushes did.', [
      pushRoute(deps),
      pushCsvRoute(deps),
      partsRoute(deps),
      planRoute(deps),
      verifyRoute(deps),
      removalRoute(deps),
      ...pushRecordRoutes(deps),
    ]),
    ...about('Events', 'What happened, as a list and live.', [
      ...eventRoutes(asking),
      eventStreamRoute(deps),
    ]),
    ...about(
      'Entities',
      'Search and read people, groups, resources and what else is pushed.',
      entityRoutes(asking),
    ),
    ...about('Access', 'Who can do what, through what, since when, and what changed.', [
      ...accessRoutes(asking),
      changesRoute(asking),
      exportRoute(asking),
    ]),
    ...about('Questions', 'Cypher, reviewers, freshness and what is known of the past.', [
      ...questionRoutes(asking),
      historyRoute(asking),
    ]),
    ...about('Erasure', 'Removes what the service stores of a person.', [eraseRoute(deps)]),
    ...about('Keys', 'Keys for connectors, people and other programs.', teamKeyRoutes(deps)),
    ...about('SCIM', 'The service as a SCIM server for one data source.', [
      ...discoveryRoutes(deps),
      ...searchRoutes(asking),
      ...resourceRoutes(deps),
    ]),
  ];
  return routes;
};
