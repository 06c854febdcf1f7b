import * as E from 'fp-ts/Either';

import { feature } from '../../feature';
import { verifyGraph } from '../../neo4j/transaction';
import { healthRoutes } from './health-routes';
import { metricsRoute } from './metrics-route';
import { graphGauges } from './graph-gauges';

/** Whether the service runs, and figures for monitoring. */
export const health = feature({
  name: 'health',
  routes: ({ handle, respond, checkReady }, { metrics }) => [
    {
      topic: { name: 'Health', about: 'Whether the service runs, and reaches Neo4j.' },
      routes: healthRoutes(handle, checkReady),
    },
    {
      topic: { name: 'Metrics', about: 'Figures for monitoring.' },
      routes: [metricsRoute(respond, metrics)],
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
