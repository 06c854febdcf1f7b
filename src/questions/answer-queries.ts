import { pipe } from 'fp-ts/function';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import neo4j from 'neo4j-driver';

import type { Cypher } from '../contract/answers/questions/cypher';
import { badRequest, type Failure } from '../problem';
import { CHECK_BETWEEN } from './statements/access-pages';
import { EXPLAIN_ACCESS } from './statements/access-statements';
import { reviewersOf } from './statements/reviewer-statements';
import type { Graph } from '../neo4j/driver';
import { inTransaction, type Runner } from '../neo4j/transaction';
import { toInstant } from '../neo4j/values';
import { namesMeant, type PairQuestion } from './access/access';
import { accessStatement, type Listed, mostHeld, type WantedAccess } from './access/access-lists';
import { type Search, searchStatement } from './search/entities';
import type { Subject } from './humans/subject';
import { type AskMemory, hasFailed } from './memory/asked-in-memory';
import { searchMeanings } from './search/search-meaning';

/** A parameter as JSON. Parameters that are maps hold no integers of Neo4j. */
const plain = (value: unknown): unknown => {
  if (neo4j.isInt(value)) return value.toNumber();
  return Array.isArray(value) ? value.map(plain) : value;
};

/**
 * A statement as people paste it. It has only the parameters that it uses. JSON knows no times, so
 * these become part of the query.
 */
const pasted = (statement: string, given: Readonly<Record<string, unknown>>): Cypher => {
  let query = statement;
  const parameters: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const uses = new RegExp(`\\$${name}\\b`, 'g');
    if (neo4j.isDateTime(value)) {
      query = query.replace(uses, `datetime('${toInstant(value).utc}')`);
    } else if (uses.test(query)) parameters[name] = plain(value);
  }
  return { query, parameters };
};

/** Gives the queries behind answers of this graph (docs/api.md: The query behind an answer). */
export const answerQueries = (ask: AskMemory, graph: Graph, timeoutSeconds: number) => {
  const read = (work: (tx: Runner) => Promise<Cypher>): TE.TaskEither<Failure, Cypher> =>
    inTransaction(graph, { mode: 'read', timeoutSeconds }, work);
  /** Gives a query, once it is known whom the question means. */
  const aboutSubject = (
    subject: Subject,
    queryOf: (principal: string, accounts: readonly string[]) => TE.TaskEither<Failure, Cypher>,
  ): TE.TaskEither<Failure, Cypher> =>
    pipe(
      ask(null, subject.ids, (asked) => {
        const meant = asked.meantBy(subject);
        if (hasFailed(meant)) return meant;
        const accounts = (meant.accounts ?? []).map((node) => asked.then.graph.key(node));
        return { principal: meant.principal.about.id, accounts };
      }),
      TE.flatMap(({ answer: { principal, accounts } }) => queryOf(principal, accounts)),
    );
  const about = (
    of: 'principal' | 'resource',
    subject: Subject,
    queryOf: (id: string, accounts: readonly string[]) => TE.TaskEither<Failure, Cypher>,
  ): TE.TaskEither<Failure, Cypher> =>
    of === 'principal' ? aboutSubject(subject, queryOf) : queryOf(subject.ids[0] ?? '', []);
  const ofPair = (
    statement: string,
    { subject, ...asked }: PairQuestion,
  ): TE.TaskEither<Failure, Cypher> =>
    aboutSubject(subject, (principal) =>
      read(async (tx) => {
        const { resource, permissionType } = asked;
        const names = await namesMeant(tx, asked);
        return pasted(statement, { principal, resource, names, permission_type: permissionType });
      }),
    );
  return {
    list: (
      of: 'principal' | 'resource',
      subject: Subject,
      listed: Listed,
      wanted: WantedAccess,
    ): TE.TaskEither<Failure, Cypher> =>
      about(of, subject, (id, accounts) =>
        read(async (tx) => {
          const asked = { ...wanted, held: mostHeld(accounts) };
          const { statement, parameters } = await accessStatement(tx, of, id, listed, asked);
          return pasted(statement, parameters);
        }),
      ),
    check: (pair: PairQuestion): TE.TaskEither<Failure, Cypher> => ofPair(CHECK_BETWEEN, pair),
    explain: (pair: PairQuestion): TE.TaskEither<Failure, Cypher> => ofPair(EXPLAIN_ACCESS, pair),
    /** `meaning` is the one with which the search found its entities. */
    search: (search: Search, index: number): E.Either<Failure, Cypher> =>
      pipe(
        searchMeanings(search.filter, search.kinds),
        E.mapLeft(badRequest),
        E.map((meanings) => {
          const meaning = meanings[index];
          const asked = meaning === undefined ? null : searchStatement(meaning, search);
          // No kind of entity has what the filter needs.
          return asked === null
            ? pasted('UNWIND [] AS none RETURN none', {})
            : pasted(asked.statement, asked.parameters);
        }),
      ),
    reviewers: (of: 'principal' | 'resource', subject: Subject): TE.TaskEither<Failure, Cypher> =>
      about(of, subject, (id, accounts) =>
        TE.right(pasted(reviewersOf(of), { ids: [id, ...accounts] })),
      ),
  };
};
