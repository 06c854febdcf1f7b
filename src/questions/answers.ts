import type * as TE from 'fp-ts/TaskEither';

import type { QueryAnswer } from './endpoints';
import type { Failure } from '../problem';
import type { Graph } from '../neo4j/driver';
import { type Query, type QueryLimits, readingQuery } from './cypher/reading-query';
import { type QueryStream, streamedQuery } from './cypher/streamed-query';
import { searchEntities } from './search/entities';

/** The questions, answered from the graph. */
export const graphAnswers = (graph: Graph, limits: QueryLimits) => ({
  search: searchEntities(graph, limits.seconds),
  query: (query: Query): TE.TaskEither<Failure, QueryAnswer> => readingQuery(graph, limits, query),
  /** Gives all rows of a query, however many. */
  queryRows: (query: Query, left: AbortSignal): QueryStream =>
    streamedQuery(graph, limits, query, left),
});

/** Questions that Neo4j answers: searches, and queries in Cypher. */
export type Answers = ReturnType<typeof graphAnswers>;
