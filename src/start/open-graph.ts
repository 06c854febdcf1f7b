import type { Config } from '../config';
import { closeGraph, type Graph, type GraphAddress, openGraph } from '../neo4j/driver';
import { verifyGraph } from '../neo4j/transaction';
import { records } from '../features';
import { migrate } from '../graph/migration/migrate';
import type { Log } from '../log';
import { outageLog } from './outage-log';
import { type Preparation, prepareGraph } from './prepare-graph';
import type { Neo4jOfService } from './open-neo4j';
import type { Stopper } from './stopper';

/** The connections of a service to its Neo4j. */
export interface OpenGraph {
  readonly address: GraphAddress;
  readonly graph: Graph;
  /** Questions have connections of their own, so slow ones hold none that others need. */
  readonly asked: Graph;
  /** The migration of the graph. It starts at once. */
  readonly schema: Preparation;
}

/**
 * The most connections that one question holds at once, since a page asks for several answers
 * together. `test/http/questions-left.test.ts` counts them for each question.
 */
export const CONNECTIONS_OF_QUESTION = 8;

/** The thread of a query in Cypher has its own. Here the service looks whether Neo4j has ended the query. */
const CONNECTIONS_OF_QUERY = 1;

/** How many connections the questions of a service need, so that none waits for one of another. */
export const connectionsOfQuestions = ({
  questionsAtOnce,
  cypherAtOnce,
}: Pick<Config['limits'], 'questionsAtOnce' | 'cypherAtOnce'>): number =>
  questionsAtOnce * CONNECTIONS_OF_QUESTION + cypherAtOnce * CONNECTIONS_OF_QUERY;

/** Opens the connections, and starts to prepare the graph. */
export const openServiceGraph = (
  { limits, retention }: Config,
  neo4j: Neo4jOfService,
  log: Log,
  started: Stopper,
): OpenGraph => {
  const address = { ...neo4j, silenceSeconds: limits.silenceSeconds };
  const outages = outageLog(log, async () => verifyGraph(graph)());
  const graph: Graph = openGraph(address, {
    onOutage: outages.noticed,
    transactionSeconds: limits.pushSeconds,
  });
  started.add(() => closeGraph(graph));
  const asked = openGraph(address, {
    graph,
    connections: connectionsOfQuestions(limits),
    isForQuestions: true,
    transactionSeconds: limits.answerSeconds,
  });
  started.add(() => closeGraph(asked));
  // This stops before the connections are closed, since that is no outage.
  started.add(outages.stop);
  const schema = prepareGraph(() => migrate(graph, records, retention.historyDays !== 0), log);
  started.add(schema.cancel);
  return { address, graph, asked, schema };
};
