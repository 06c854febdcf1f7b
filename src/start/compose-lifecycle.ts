import { graphLifecycleRecords } from '../graph/lifecycle/lifecycle-records';
import { graphPeople } from '../graph/lifecycle/people';
import { graphPolicies } from '../graph/lifecycle/policies';
import type { Graph } from '../graph/connection/driver';
import { LIMITS } from '../scim/requests/exchange';
import type { LifecycleDependencies } from '../service/lifecycle/dependencies';
import { doublingRetries } from '../service/push/retries';

/** An action ends before its lease does, so nobody else begins while it may still run. */
export const LEASE_SECONDS = LIMITS.actionSeconds + 60;
/** The first pause is half a minute; after eight tries, an hour or so later, an action is given up. */
const RETRIES = doublingRetries(30, 8);
/** As many as there are connections to one application. */
const AT_ONCE = 4;
/** How long a request waits for the end of a run. */
const WAIT_SECONDS = 20;

/** Puts together what policies need. */
export const composeLifecycle = (
  graph: Graph,
  { fullHours, count }: Pick<LifecycleDependencies, 'fullHours' | 'count'>,
): Omit<LifecycleDependencies, 'provisioning' | 'registry'> => ({
  policies: graphPolicies(graph),
  people: graphPeople(graph),
  records: graphLifecycleRecords(graph, LEASE_SECONDS),
  ...{ retries: RETRIES, atOnce: AT_ONCE, waitSeconds: WAIT_SECONDS, fullHours, count },
});
