import * as TE from 'fp-ts/TaskEither';

import type { Provider } from '../../contract/records/provider';
import { oncePerContext } from '../../context';
import { providersOf } from '../../graph/records/registry';
import { toFailure } from '../../neo4j/failure';
import { graphLifecycleRecords } from './graph/lifecycle-records';
import { graphPeople } from './graph/people';
import { graphPolicies } from './graph/policies';
import type { Counter } from '../../metrics';
import type { LifecycleDependencies } from './dependencies';
import { lifecycle } from './lifecycle';
import { foreseeRemovals } from './orders/foresee';
import type { Membership } from './orders/membership';
import { dropOrders, placeOrders, readOrders } from './orders/order-records';
import { timedPolicies } from './running/due-policies';
import { Timetable } from '../timetable';
import { doublingRetries } from '../../background';
import type { KeyAct } from '../../graph/records/event-record';
import { takingTurns } from '../../push/threads/contract';
import { reachingOf, readingTurnsOf } from '../connections/contract';
import { LIMITS } from '../client/requests/exchange';

/** An action ends before its lease does, so no other process begins while it may still run. */
const LEASE_SECONDS = LIMITS.actionSeconds + 60;
/** The first pause is half a minute; after eight tries, an hour or so later, an action is given up. */
const RETRIES = doublingRetries(30, 8);
/** As many as there are connections to one application. */
const AT_ONCE = 4;
/** How long a request waits for the end of a run. */
const WAIT_SECONDS = 20;

/** What is counted of the actions of policies. */
export const ACTIONS: Counter<'kind' | 'outcome'> = {
  name: 'grantgraph_policy_actions_total',
  help: 'Actions of policies in applications by how they ended.',
  labels: ['kind', 'outcome'],
};

/** What policies work with. */
export const reconcilingOf = oncePerContext((context): LifecycleDependencies => {
  const { graph, config, metrics } = context;
  return {
    provisioning: reachingOf(context),
    registry: providersOf(context),
    policies: graphPolicies(graph),
    people: graphPeople(graph),
    records: graphLifecycleRecords(graph, LEASE_SECONDS),
    retries: RETRIES,
    atOnce: AT_ONCE,
    waitSeconds: WAIT_SECONDS,
    fullHours: config.scim.readHours,
    count: (kind, outcome) => metrics.count(ACTIONS, { kind, outcome }),
  };
});

/** Runs the policies that are due. */
export const policyTimetableOf = oncePerContext((context) => {
  const timetable = new Timetable(timedPolicies(reconcilingOf(context), context.log));
  context.onStop(timetable.stop);
  return timetable;
});

/** Removals that reviews order, as actions of the same kind as those of policies. */
export const ordersOf = oncePerContext((context) => {
  const inTurn = takingTurns(readingTurnsOf(context));
  return {
    /** Looks in an application what removals would do, once it is the turn of the caller. */
    foresee: (provider: Provider, memberships: readonly Membership[], { by }: KeyAct) =>
      inTurn(
        { by },
        TE.tryCatch(
          () => foreseeRemovals(reconcilingOf(context), provider, memberships),
          toFailure,
        ),
      ),
    place: placeOrders,
    drop: dropOrders,
    read: readOrders,
  };
});

/** The policies of providers, and their runs. */
export const policiesOf = oncePerContext((context) => {
  const policies = lifecycle(reconcilingOf(context));
  const inTurn = takingTurns(readingTurnsOf(context));
  return {
    ...policies,
    plan: (provider: Provider, full: boolean, { by }: KeyAct) =>
      inTurn({ by }, policies.plan(provider, full)),
  };
});

export { SCIM_FAULTS } from '../client/scim-fault';
export { isLeased } from '../lease';
