import type { Context } from '../../context';
import { type Gauge, secondsSince } from '../../metrics';
import { figuresOf } from '../../graph/records/figures';

const GRAPH = [
  ['nodes', 'grantgraph_graph_nodes', 'All nodes in the graph but facts that ended'],
  ['relationships', 'grantgraph_graph_relationships', 'All relationships in the graph'],
  ['pastFacts', 'grantgraph_history_facts', 'Facts that ended and are stored'],
] as const;

/** What is measured of the graph. */
export const graphGauges = (context: Context): readonly Gauge[] => {
  const figures = figuresOf(context);
  return [
    ...GRAPH.map(([what, name, help]) => ({
      name,
      help: `${help}; absent while Neo4j does not answer.`,
      read: async () => {
        const graph = await figures();
        return graph === null ? [] : [{ value: graph[what] }];
      },
    })),
    {
      name: 'grantgraph_access_changes_delay_seconds',
      help: 'How long the first push has waited whose changes of access are not counted; 0 if none waits.',
      read: async () => {
        const graph = await figures();
        return graph === null ? [] : [{ value: secondsSince(graph.uncountedSince) }];
      },
    },
    {
      name: 'grantgraph_data_source_last_push_age_seconds',
      help: 'How long ago the last accepted push of a data source was; absent before the first one.',
      labels: ['provider', 'data_source'],
      read: async () =>
        ((await figures())?.sources ?? []).map(({ provider, dataSource, lastPushAt }) => ({
          labels: { provider, data_source: dataSource },
          value: secondsSince(lastPushAt),
        })),
    },
  ];
};
