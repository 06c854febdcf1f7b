import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { struct } from '../../../codec/struct';
import { CSV, type TableFile } from '../../../contract/csv';
import { flagText, isTrue, neededText } from '../../../contract/parameters/query-parameters';
import type { Context } from '../../../context';
import { endpoints as pushes } from '../../../push/endpoints';
import { pushAnswers, pushTable } from '../../../push/routes/contract';
import { interfaceOf, interfaceTables } from '../../../questions/contract';
import { endpoints as questions } from '../../../questions/endpoints';
import { asCsv, type Asking, type AsTable, type PageWork } from '../../../web/lists/listed';
import { parameterOf, queryOf } from '../../../web/lists/list-query';
import type { PageEnd } from '../../../contract/answers/page';
import type { Work } from '../../../web/exchange/handle';
import type { Route } from '../../../web/routing/route';
import type { Sent } from '../../../web/exchange/answer-stream';
import type { Web } from '../../../web/routing/web';
import { page, READERS, visitorOf } from '../../sign-in/contract';
import { ASK_QUERY, savedQuestion } from '../asking/saved';
import { askSource, paramsOf } from '../asking/source';
import type { SourceOfProvider } from '../overview/overview';
import { CSV_ADDRESSES } from './address';
import {
  accessFileName,
  accessInWords,
  changesFileName,
  dayOf,
  fileNameWithIds,
} from '../words/file-names';
import { aboutFile, type FileFacts, forPeople } from '../tables/about-file';
import { plainAccess, plainChanges } from './plain-tables';

const PUSHES_QUERY = struct(
  'the query of a file of pushes',
  { source: neededText },
  pushes.list.query.optional,
);

/**
 * `words=true` requests the table for people, with plain headings, and without ids; with `about=true`
 * a second file in place of it, which says what it answers.
 */
const words = { words: flagText, about: flagText };

const ACCESS_QUERY = struct(
  'the query of a file of access',
  {},
  { ...questions.access.query.optional, ...words },
);

const CHANGES_QUERY = struct(
  'the query of a file of changes',
  {},
  { ...questions.changes.query.optional, ...words },
);

const forPrograms = (name: string): TableFile => ({ name, isForPeople: false });

/** A list as the CSV of the interface, or in words if the request says so. */
const inWordsOrNot =
  <A extends PageEnd, R, P>(
    work: PageWork<A>,
    table: AsTable<A, R>,
    plain: AsTable<A, P>,
    nameOf: (answer: A, req: Asking) => string,
    factsOf: (answer: A, req: Asking) => FileFacts,
  ): Work<Sent> =>
  (req, res) => {
    const asked: PageWork<A> = (
      { query: { words: _words, about: _about, ...query }, params },
      response,
    ) => work({ query, params }, response);
    // The name of the file needs no row.
    const narrowing = Object.entries(req.query).filter(([name]) => name !== 'details');
    const first = { ...Object.fromEntries(narrowing), page_size: '1' };
    return pipe(
      asked({ query: first, params: req.params }, res),
      TE.flatMap((answer) => {
        const name = nameOf(answer, req);
        if (!isTrue(parameterOf(req, 'words'))) {
          return asCsv(asked, table, forPrograms(fileNameWithIds(name)))(req, res);
        }
        return isTrue(parameterOf(req, 'about'))
          ? aboutFile(name, factsOf(answer, req))(req, res)
          : asCsv(asked, plain, forPeople(name))(req, res);
      }),
    );
  };

/** The pushes to a data source, as the interface lists them. */
const pushesOf =
  (context: Context, found: SourceOfProvider) =>
  ({ query: { source: _source, ...query } }: Asking) =>
    pushAnswers(context).list({ query, params: paramsOf(found) }, true);

/**
 * The tables of the console as files. Each is the CSV of the interface: the same answer, columns and
 * parameters, for people with a role. Access and its changes are also there in words.
 */
export const csvRoutes = (
  { question }: Pick<Web, 'question'>,
  context: Context,
): readonly Route[] => {
  const { access, changes, entities, queryTable } = interfaceOf(context);
  const file = (
    declared: Pick<Parameters<typeof page>[0], 'path' | 'summary' | 'query'>,
    work: Parameters<typeof question>[0],
  ): Route => page({ ...declared, people: READERS, mediaTypes: [CSV], handler: question(work) });
  return [
    file(
      {
        path: CSV_ADDRESSES.access,
        summary: 'A table of access as a file.',
        query: ACCESS_QUERY,
      },
      inWordsOrNot(
        access.list,
        interfaceTables.access,
        plainAccess,
        (answer, req) => accessFileName(answer, dayOf(parameterOf(req, 'at'))),
        (answer, req) => ({
          question: accessInWords(answer),
          instant: parameterOf(req, 'at') || null,
          rows: answer.total,
          as_of: answer.as_of,
        }),
      ),
    ),
    file(
      {
        path: CSV_ADDRESSES.changes,
        summary: 'A table of gains and losses as a file.',
        query: CHANGES_QUERY,
      },
      inWordsOrNot(
        changes,
        interfaceTables.changes,
        plainChanges,
        changesFileName,
        ({ from, to, total }) => ({
          question: `Who gained and lost what after ${from} and until ${to}`,
          instant: to,
          rows: total,
          as_of: null,
        }),
      ),
    ),
    file(
      {
        path: CSV_ADDRESSES.entities,
        summary: 'What was found as a file.',
        query: questions.search.query,
      },
      asCsv(entities.search, interfaceTables.entities, forPrograms('entities.csv')),
    ),
    file(
      {
        path: CSV_ADDRESSES.pushes,
        summary: 'The pushes to a data source as a file.',
        query: PUSHES_QUERY,
      },
      (req, res) =>
        pipe(
          TE.fromEither(queryOf(PUSHES_QUERY, req)),
          TE.flatMap(({ source }) => askSource(context, source)),
          TE.flatMap((found) =>
            asCsv(pushesOf(context, found), pushTable, forPrograms('pushes.csv'))(req, res),
          ),
        ),
    ),
    file(
      {
        path: CSV_ADDRESSES.query,
        summary: 'The rows of a saved query as a file.',
        query: ASK_QUERY,
      },
      (req, res) =>
        pipe(
          TE.fromEither(queryOf(ASK_QUERY, req)),
          TE.flatMap((asked) =>
            pipe(
              savedQuestion(context, asked, visitorOf(res).role),
              TE.flatMap(({ query }) =>
                queryTable(query, res, { name: asked.query ?? '', file: forPrograms('rows.csv') }),
              ),
            ),
          ),
        ),
    ),
  ];
};
