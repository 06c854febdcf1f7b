import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { EntityPage } from '../contract/answers/questions/entities';
import type { QueryAnswer } from '../contract/answers/questions/query';
import type { Instant } from '../model/instant';
import type { Failure } from '../problem';
import { WALKS } from './statements/instant-statements';
import type { Graph } from '../neo4j/driver';
import { kindOfKey } from '../templates/graph/kind-of-key';
import type { AnswerLimits } from './instant/at-instant';
import { notThere } from './instant/existed';
import { answerOf } from './answering/answer-of';
import { type FoundEntities, type Search, searchEntities } from './search/entities';
import { readEntityPage } from './search/entity-page';
import { ListCache } from './answering/list-cache';
import { type Query, type QueryLimits, readingQuery } from './cypher/reading-query';
import { type QueryStream, streamedQuery } from './cypher/streamed-query';
import type { Settled } from './answering/settled-answer';

/** All questions other than those about effective access (docs/rules.md: Access answers). */
export interface Answers {
  search(search: Search): TE.TaskEither<Failure, Settled<FoundEntities>>;
  entity(id: string, at: Instant | null): TE.TaskEither<Failure, Settled<EntityPage>>;
  query(query: Query): TE.TaskEither<Failure, QueryAnswer>;
  /** Gives all rows of a query, however many. */
  queryRows(query: Query, left: AbortSignal): QueryStream;
}

const found = <A extends object>(
  missing: Failure,
  asked: TE.TaskEither<Failure, Settled<A | Failure | null>>,
): TE.TaskEither<Failure, Settled<A>> =>
  pipe(
    asked,
    TE.flatMap(({ answer, ...settled }) => {
      if (answer === null) return TE.left(missing);
      return '_tag' in answer ? TE.left(answer) : TE.right({ answer, ...settled });
    }),
  );

/** Which facts the page of an entity with this key shows. */
const pageWalkOf = (id: string): keyof typeof WALKS => {
  const kind = kindOfKey(id);
  if (kind?.keeper === 'shared') return 'shared entity';
  return kind?.label === 'LocalRole' ? 'role' : 'entity';
};

/** The questions, answered from the graph. */
export const graphAnswers = (graph: Graph, limits: QueryLimits & AnswerLimits): Answers => {
  const kept = new ListCache();
  return {
    search: (search) => searchEntities(graph, limits.seconds, kept, search),

    entity: (id, at) => {
      const asked = { entity: id };
      const reach = { asked, steps: WALKS[pageWalkOf(id)], looksUpNames: false };
      return found(
        notThere('entity', at),
        answerOf(graph, limits, at, reach, (tx, keyOf) => readEntityPage(tx, id, at, keyOf)),
      );
    },

    query: (query) => readingQuery(graph, limits, query),
    queryRows: (query, left) => streamedQuery(graph, limits, query, left),
  };
};
