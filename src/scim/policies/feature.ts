import { feature } from '../../feature';
import { figuresOf } from '../../graph/records/figures';
import { policyRoutes } from './routes/policy-routes';
import { runRoutes } from './routes/run-routes';
import { secondsSince } from '../../metrics';
import {
  LifecycleAction,
  LifecycleState,
  ManagedAccount,
  ManagedAccountVersion,
  policyRecord,
} from './records';
import { ACTIONS, policyTimetableOf } from './contract';
import { events } from './events';

/** How often the service looks whether policies are due. */
const POLICY_SECONDS = 1;

/** Policies: who gets an account in an application. */
export const policies = feature({
  name: 'policies',
  records: [
    policyRecord.node,
    ManagedAccount,
    ManagedAccountVersion,
    LifecycleAction,
    LifecycleState,
  ],
  events,
  routes: (web, context) => [
    {
      topic: {
        name: 'Policies',
        about: 'Rules that say who gets an account in an application.',
      },
      routes: [...runRoutes(web, context), ...policyRoutes(web, context)],
    },
  ],
  rounds: (context) => [
    {
      name: 'policies',
      everySeconds: POLICY_SECONDS,
      rounds: [policyTimetableOf(context).round],
    },
  ],
  counters: [ACTIONS],
  gauges: (context) => {
    const figures = async () => (await figuresOf(context)())?.policies ?? [];
    return [
      {
        name: 'grantgraph_policy_open_actions',
        help: 'Actions of policies that are not done, by provider; `dead` are given up.',
        labels: ['provider', 'state'],
        read: async () =>
          (await figures()).flatMap(({ provider, open, dead }) => [
            { labels: { provider, state: 'open' }, value: open },
            { labels: { provider, state: 'dead' }, value: dead },
          ]),
      },
      {
        name: 'grantgraph_policy_last_run_age_seconds',
        help: 'How long ago the policies of a provider last ran; absent before the first run.',
        labels: ['provider'],
        read: async () =>
          (await figures()).flatMap(({ provider, lastRunAt }) =>
            lastRunAt === null ? [] : [{ labels: { provider }, value: secondsSince(lastRunAt) }],
          ),
      },
    ];
  },
});
