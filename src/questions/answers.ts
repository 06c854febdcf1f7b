import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Summary } from '../contract/answers/questions/access';
import type { EntityPage } from '../contract/answers/questions/entities';
import type { QueryAnswer } from '../contract/answers/questions/query';
import type { Instant } from '../model/instant';
import type { Failure } from '../problem';
import { WALKS } from './statements/instant-statements';
import type { Graph } from '../neo4j/driver';
import type { Subject } from './humans/subject';
import { type Asked, type AskMemory, hasFailed } from './memory/asked-in-memory';
import { kindOfKey } from './instant/walk';
import type { AnswerLimits } from './instant/at-instant';
import { notThere } from './instant/existed';
import { answerOf } from './answering/answer-of';
import { type FoundEntities, type Search, searchEntities } from './search/entities';
import { readEntityPage } from './search/entity-page';
import { ListCache } from './answering/list-cache';
import { type Query, type QueryLimits, readingQuery } from './cypher/reading-query';
import { type QueryStream, streamedQuery } from './cypher/streamed-query';
import { readReviewers, type Reviewer } from './access/reviewers';
import type { Settled } from './answering/settled-answer';

/** The suggested reviewers of a principal's access, or of the access to a resource. */
export interface Reviewers {
  readonly of: Summary;
  /** The other nodes of the human for whom the answer is; `null` if it is for one principal. */
  readonly accounts: readonly Summary[] | null;
  readonly reviewers: readonly Reviewer[];
}

/** All questions other than those about effective access (docs/rules.md: Access answers). */
export interface Answers {
  search(search: Search): TE.TaskEither<Failure, Settled<FoundEntities>>;
  entity(id: string, at: Instant | null): TE.TaskEither<Failure, Settled<EntityPage>>;
  /** Suggests reviewers of the access of a principal or a human, or of the access to a resource. */
  reviewers(
    of: 'principal' | 'resource',
    subject: Subject,
    at: Instant | null,
  ): TE.TaskEither<Failure, Settled<Reviewers>>;
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

/** Whom or what a question about reviewers means. */
const about = (
  asked: Asked,
  kind: 'principal' | 'resource',
  subject: Subject,
): Omit<Reviewers, 'reviewers'> | Failure => {
  if (kind === 'resource') {
    const place = asked.place(subject.ids[0] ?? '');
    return hasFailed(place) ? place : { of: place.about, accounts: null };
  }
  const meant = asked.meantBy(subject);
  if (hasFailed(meant)) return meant;
  const { principal, accounts } = meant;
  return { of: principal.about, accounts: accounts && accounts.map((one) => asked.summary(one)) };
};

/** Which facts the page of an entity with this key shows. */
const pageWalkOf = (id: string): keyof typeof WALKS => {
  const kind = kindOfKey(id);
  if (kind?.keeper === 'shared') return 'shared entity';
  return kind?.label === 'LocalRole' ? 'role' : 'entity';
};

/** The questions, answered from the graph. */
export const graphAnswers = (
  ask: AskMemory,
  graph: Graph,
  limits: QueryLimits & AnswerLimits,
): Answers => {
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

    reviewers: (kind, subject, at) =>
      pipe(
        ask(at, subject.ids, (asked) => about(asked, kind, subject)),
        TE.flatMap(({ answer: { of, accounts } }) => {
          const ids = [of.id, ...(accounts ?? []).map(({ id }) => id)];
          const steps = WALKS[`reviewers of ${kind}`];
          const reach = { asked: { [kind]: ids }, steps, looksUpNames: false };
          return pipe(
            answerOf(graph, limits, at, reach, (tx, keyOf) =>
              readReviewers(tx, kind, ids.map(keyOf)),
            ),
            TE.map(({ answer: reviewers, ...settled }) => ({
              answer: { of, accounts, reviewers },
              ...settled,
            })),
          );
        }),
      ),

    query: (query) => readingQuery(graph, limits, query),
    queryRows: (query, left) => streamedQuery(graph, limits, query, left),
  };
};
