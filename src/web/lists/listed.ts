import { setImmediate } from 'node:timers/promises';

import type { Request, Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { PageEnd } from '../../contract/answers/page';
import { CSV, type CsvColumn, csvHead, csvLines, markOf, type TableFile } from '../../contract/csv';
import { LARGEST_ANSWER_PAGE } from '../../contract/page';
import type { Exported } from '../exchange/tell-export';
import { badField, type Failure } from '../../problem';
import { orEnd, type Sent, streamed } from '../exchange/answer-stream';
import { inPortions } from '../exchange/json-pieces';
import { type AnswerFormat, formatOf } from './answer-format';
import type { Work } from '../exchange/handle';
import { foundFor } from '../routing/find-route';
import { parameterOf } from './list-query';

/** The parameters of a list. */
export type Asking = Pick<Request, 'query' | 'params'>;

/** Answers one page of a list. */
export type PageWork<A> = (asking: Asking, res: Response) => TE.TaskEither<Failure, A>;

/** A list as a table: its columns, and the rows of a page. */
export interface AsTable<A, R> {
  readonly columns: (asking: Asking) => readonly CsvColumn<R>[];
  readonly rowsOf: (page: A) => readonly R[];
}

const FORMATS: readonly AnswerFormat[] = [
  { name: 'json', mediaType: 'application/json' },
  { name: 'csv', mediaType: CSV },
];

/** The format in which a client wants a list or an answer of rows. */
export const listFormat = (req: Request): E.Either<Failure, string> => formatOf(req, FORMATS);

/**
 * A table has all rows, so a page of one is refused: the client would think that it is complete.
 */
const isWhole = (asking: Asking): E.Either<Failure, void> => {
  const given = ['page_size', 'page_token', 'cypher'].find(
    (name) => parameterOf(asking, name) !== '',
  );
  if (given === undefined) return E.right(undefined);
  return E.left(
    badField(`/${given}`, 'UNKNOWN_FIELD', 'is only for JSON: CSV has all rows, and nothing else'),
  );
};

async function* linesOf<A extends PageEnd, R>(
  work: PageWork<A>,
  { columns: columnsOf, rowsOf }: AsTable<A, R>,
  { query, params }: Asking,
  res: Response,
  file: TableFile | undefined,
): AsyncGenerator<string, void> {
  const columns = columnsOf({ query, params });
  const pageAfter = (page_token: string): Asking => ({
    query: { ...query, page_size: String(LARGEST_ANSWER_PAGE), page_token },
    params,
  });
  let head = markOf(file) + csvHead(columns);
  for (let token: string | null = ''; token !== null && !res.destroyed;) {
    const page: A = await orEnd(work(pageAfter(token), res));
    const rows = rowsOf(page);
    if (rows.length === 0 && head !== '') yield head;
    for (const portion of inPortions(rows)) {
      yield head + csvLines(columns, portion);
      head = '';
      await setImmediate();
    }
    if (rows.length === 0) head = '';
    token = page.has_more ? page.next_page_token : null;
  }
}

/**
 * What the event of an export says: which path was exported, and which parameters narrowed it. It
 * names only parameters that the route declares, since a caller may send any others.
 */
export const exportedFile = (req: Request, res: Response, format: string): Exported => {
  const { path } = req;
  const { required, optional } = { ...foundFor(res).route?.query };
  return {
    what: path,
    inWords: `The ${format === 'csv' ? 'table' : 'picture'} ${path}`,
    format,
    parameters: {
      narrowed_by: Object.keys({ ...required, ...optional })
        .filter((name) => name !== 'format' && parameterOf(req, name) !== '')
        .toSorted(),
    },
  };
};

/** Answers all pages of a list as CSV, streamed; as a file, if it gets a name. */
export const asCsv =
  <A extends PageEnd, R>(work: PageWork<A>, table: AsTable<A, R>, file?: TableFile) =>
  (req: Request, res: Response): TE.TaskEither<Failure, Sent> =>
    pipe(
      TE.fromEither(isWhole(req)),
      TE.flatMap(() =>
        streamed(res, CSV, linesOf(work, table, req, res, file), {
          file: file?.name,
          exported: exportedFile(req, res, 'csv'),
        }),
      ),
    );

/**
 * Answers a list: one page as JSON, or all pages as CSV, streamed (docs/api.md: CSV).
 */
export const listed =
  <A extends PageEnd, R>(work: PageWork<A>, table: AsTable<A, R>): Work<A> =>
  (req, res) =>
    pipe(
      TE.fromEither(listFormat(req)),
      TE.flatMap((format): TE.TaskEither<Failure, A | Sent> =>
        format === 'json' ? work(req, res) : asCsv(work, table)(req, res),
      ),
    );
