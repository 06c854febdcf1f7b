import { setTimeout as sleep } from 'node:timers/promises';

import { ask } from '../../neo4j/ask';
import type { Graph } from '../../neo4j/driver';
import { isOutage } from '../../neo4j/failure';
import { whileWanted } from '../../neo4j/unwanted';

const EVERY_MS = 1_000;

const RUNNING = `SHOW TRANSACTIONS YIELD transactionId, metaData
WHERE metaData.question = $question
RETURN transactionId`;

/**
 * The ids of the transactions of a question that Neo4j has not ended. The service queries this even
 * if nobody wants the answer of the question any more.
 */
const runningOf = (graph: Graph, question: string): Promise<readonly unknown[]> =>
  whileWanted(new AbortController().signal, () => ask(graph, RUNNING, { question }));

/** Whether Neo4j has not ended a question. If it refuses to say, the service knows no better. */
export const isStillRunning = async (graph: Graph, question: string): Promise<boolean> => {
  try {
    return (await runningOf(graph, question)).length > 0;
  } catch (error) {
    return isOutage(error);
  }
};

/** Resolves once Neo4j has ended a question. Does not hold the process. */
export const untilEnded = async (graph: Graph, question: string): Promise<void> => {
  while (await isStillRunning(graph, question)) {
    await sleep(EVERY_MS, undefined, { ref: false });
  }
};
