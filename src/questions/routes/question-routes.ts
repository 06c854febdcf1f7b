import { setImmediate } from 'node:timers/promises';

import type { Request, Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { ReviewerList } from '../../contract/answers/questions/access';
import { asValue } from '../../web/exchange/handle';
import { CSV, csvOf, markOf, type TableFile } from '../../contract/csv';
import { instantOf, isTrue } from '../../contract/parameters/query-parameters';
import { badField, type Failure } from '../../problem';
import { alone, type Instant, type Subject } from '../access/ask-access';
import { inPortions } from '../../web/exchange/json-pieces';
import { leavingOf, Sent, StreamFailure, streamed } from '../../web/exchange/answer-stream';
import { callerOf } from '../../web/admission/caller';
import { decodeBody } from '../../web/bodies/decode-body';
import { type Asking, listFormat } from '../../web/lists/listed';
import { queryOf } from '../../web/lists/list-query';
import { subjectOf, withPrincipal } from './access-query';
import { withCypher, withoutCypher } from './with-cypher';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { endpoints, QueryRequest, type QueryValue, SavedQueryRequest } from '../endpoints';
import { answersOf, cypherOf, queryLimitsOf, queryWriterOf, reviewersOf } from '../in-context';
import { type PieceStream, piecesOrEnd } from '../threads/piece-threads';
import { JsonText } from '../../web/bodies/json-text';
import { savedQueryFor, savedQuestion } from '../saved-question';
import { roleOf } from '../../web/admission/visitor';
import type { Query } from '../cypher/reading-query';

/** A question for reviewers. */
interface ReviewersQuery {
  readonly of: 'principal' | 'resource';
  readonly subject: Subject;
  /** The instant that the question is about; `null` means now. */
  readonly at: Instant | null;
}

const reviewed = (req: Asking): E.Either<Failure, ReviewersQuery> =>
  pipe(
    queryOf(endpoints.reviewers.query, req),
    E.bindTo('asked'),
    E.bind('principal', ({ asked }) => subjectOf(asked.principal, asked.person)),
    E.flatMap(({ asked, principal }): E.Either<Failure, ReviewersQuery> => {
      const { resource, person } = asked;
      const at = instantOf(asked.at);
      if (principal !== null && !resource)
        return E.right({ of: 'principal', subject: principal, at });
      if (principal !== null || !resource) {
        const message = 'principal or resource is needed, one';
        return E.left(badField('/principal', 'MISSING_FIELD', message));
      }
      return isTrue(person)
        ? E.left(withPrincipal)
        : E.right({ of: 'resource', subject: alone(resource), at });
    }),
    E.tap(({ at }) => withoutCypher(req, at)),
  );

type Answers = ReturnType<typeof answersOf>;

const answered = (answers: Answers, query: Query): TE.TaskEither<Failure, QueryValue> =>
  asValue(answers.query(query));

async function* linesOf(
  read: ReturnType<Answers['queryRows']>,
  mark: string,
): AsyncGenerator<string, void> {
  let isFirst = true;
  for await (const some of read) {
    if (E.isLeft(some)) throw new StreamFailure(some.left);
    const { columns, rows } = some.right;
    if (isFirst) yield mark + csvOf([columns]);
    isFirst = false;
    for (const portion of inPortions(rows)) {
      yield csvOf(portion);
      await setImmediate();
    }
  }
}

/** The table of a saved query: its name, and that of its file. */
export interface SavedTable {
  readonly name: string;
  readonly file?: TableFile;
}

/** All rows of a saved query as CSV. */
const table = (
  answers: Answers,
  query: Query,
  res: Response,
  { name, file }: SavedTable,
): TE.TaskEither<Failure, Sent> =>
  streamed(res, CSV, linesOf(answers.queryRows(query, leavingOf(res)), markOf(file)), {
    file: file?.name,
    exported: {
      what: `saved query ${name}`,
      inWords: `The saved query ${name}`,
      format: 'csv',
      parameters: {},
    },
  });

/** Runs a saved query. */
export const queryAnswer =
  (context: Context) =>
  (query: Query): TE.TaskEither<Failure, QueryValue> =>
    answered(answersOf(context), query);

/** Answers all rows of a saved query as a file. */
export const queryTable =
  (context: Context) =>
  (query: Query, res: Response, saved: SavedTable): TE.TaskEither<Failure, Sent> =>
    table(answersOf(context), query, res, saved);

/** All rows of a query of a caller as CSV. */
const callerTable = (stream: PieceStream, res: Response): TE.TaskEither<Failure, Sent> =>
  streamed(res, CSV, piecesOrEnd(stream), {
    exported: {
      what: 'query',
      inWords: 'The table of a query',
      format: 'csv',
      parameters: {},
    },
  });

/** An answer that is one piece; `Sent` if the client left before it began. */
const onlyPiece =
  (stream: PieceStream): TE.TaskEither<Failure, JsonText<QueryValue> | Sent> =>
  async () => {
    const { value } = await stream.next();
    // To its end, so that its thread can write the next answer.
    await stream.next();
    if (value === undefined) return E.right(new Sent());
    return E.isLeft(value) ? value : E.right(new JsonText<QueryValue>(value.right));
  };

/**
 * Answers a query of a caller. A thread makes the answer, since it may be as heavy as the caller
 * wants (docs/security.md: Queries).
 */
const callerAnswer =
  (context: Context, req: Request, res: Response) =>
  (query: Query): TE.TaskEither<Failure, JsonText<QueryValue> | Sent> =>
    pipe(
      TE.fromEither(listFormat(req)),
      TE.flatMap((format): TE.TaskEither<Failure, JsonText<QueryValue> | Sent> => {
        const isCsv = format === 'csv';
        const wanted = { query, isCsv, limits: queryLimitsOf(context) };
        const stream = queryWriterOf(context)(wanted, leavingOf(res));
        return isCsv ? callerTable(stream, res) : onlyPiece(stream);
      }),
    );

/** Suggests reviewers, for the parameters of a request (docs/rules.md: Reviewers). */
export const reviewersAnswer =
  (context: Context) =>
  (asking: Asking): TE.TaskEither<Failure, ReviewerList> =>
    pipe(
      TE.fromEither(reviewed(asking)),
      TE.flatMap(({ of, subject, at }) =>
        pipe(
          reviewersOf(context)(of, subject, at),
          TE.map(({ answer, asOf }) => ({
            [of]: answer.of,
            ...(answer.accounts === null ? {} : { accounts: answer.accounts }),
            values: answer.reviewers.map(({ about, email, reasons, reasonsTotal }) => ({
              ...about,
              email,
              reasons,
              ...(reasonsTotal > reasons.length ? { reasons_total: reasonsTotal } : {}),
            })),
            has_more: false,
            next_page_token: '',
            total: answer.total,
            as_of: asOf,
          })),
          TE.flatMap(withCypher(asking, () => cypherOf(context).reviewers(of, subject))),
        ),
      ),
    );

/** Answers a query as JSON, or as CSV if the request says so. */
const inFormat =
  (context: Context, req: Request, res: Response, saved: SavedTable) =>
  (query: Query): TE.TaskEither<Failure, QueryValue | Sent> =>
    pipe(
      TE.fromEither(listFormat(req)),
      TE.flatMap((format): TE.TaskEither<Failure, QueryValue | Sent> =>
        format === 'json' ? queryAnswer(context)(query) : queryTable(context)(query, res, saved),
      ),
    );

/**
 * Suggests reviewers, and runs saved queries and the caller's own queries in Cypher (docs/rules.md:
 * Reviewers, Cypher queries).
 */
export const questionRoutes = (
  { question, queryInCypher }: Web,
  context: Context,
): readonly Route[] => [
  route({
    ...endpoints.reviewers,
    handler: question(reviewersAnswer(context)),
  }),
  route({
    ...endpoints.query,
    handler: queryInCypher((req, res) =>
      pipe(
        TE.fromEither(queryOf(endpoints.query.query, req)),
        TE.flatMap(() => decodeBody(QueryRequest, req, res)),
        TE.map(({ cypher, parameters }) => ({
          cypher,
          parameters: parameters ?? {},
          key: callerOf(res).name,
        })),
        TE.flatMap(callerAnswer(context, req, res)),
      ),
    ),
  }),
  route({
    ...endpoints.runSaved,
    handler: question((req, res) =>
      pipe(
        TE.fromEither(queryOf(endpoints.runSaved.query, req)),
        // A caller who may not run the query is refused before anything else is checked, as by any route.
        TE.flatMapEither(() =>
          savedQueryFor(`${String(req.params.topic)}/${String(req.params.name)}`, roleOf(res)),
        ),
        TE.bindTo('saved'),
        TE.bind('sent', () => decodeBody(SavedQueryRequest, req, res)),
        TE.flatMapEither(({ saved, sent }) => savedQuestion(saved, sent.parameters ?? {})),
        TE.flatMap(
          inFormat(context, req, res, {
            name: `${String(req.params.topic)}/${String(req.params.name)}`,
          }),
        ),
      ),
    ),
  }),
];
