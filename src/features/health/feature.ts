import * as E from 'fp-ts/Either';

import { feature } from '../../feature';
import { verifyGraph } from '../../neo4j/transaction';
import { healthRoutes } from './health-routes';
import { metricsRoute } from './metrics-route';
import { accessPhaseOf } from '../../questions/contract';
import { graphGauges } from './graph-gauges';

/** Whether the service runs, and figures for monitoring. */
export const health = feature({
  name: 'health',
  routes: ({ handle, respond, checkReady }, context) => [
    {
      topic: { name: 'Health', about: 'Whether the service runs, and reaches Neo4j.' },
      routes: healthRoutes(handle, checkReady, () => accessPhaseOf(context)),
    },
    {
      topic: { name: 'Metrics', about: 'Figures for monitoring.' },
      routes: [metricsRoute(respond, context.metrics)],
    },
  ],
  gauges: (context) => [
    {
      name: 'grantgraph_neo4j_up',
      help: 'Whether Neo4j answers.',
      read: async () => [{ value: E.isRight(await verifyGraph(context.graph)()) ? 1 : 0 }],
    },
    ...graphGauges(context),
  ],
});
