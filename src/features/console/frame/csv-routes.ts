import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { struct } from '../../../codec/struct';
import { CSV } from '../../../contract/csv';
import { neededText } from '../../../contract/parameters/query-parameters';
import { PushesParameters } from '../../../contract/parameters/question-parameters';
import type { Context } from '../../../context';
import { pushAnswers, pushTable } from '../../../push/routes/contract';
import { interfaceOf, interfaceTables } from '../../../questions/contract';
import { asCsv, type Asking } from '../../../web/lists/listed';
import { queryOf } from '../../../web/lists/list-query';
import type { Route } from '../../../web/routing/route';
import type { Web } from '../../../web/routing/web';
import { page, READERS } from '../../sign-in/contract';
import { ASK_QUERY, savedQuestion } from '../asking/saved';
import { askSource, paramsOf } from '../asking/source';
import type { SourceOfProvider } from '../overview/overview';
import { CSV_ADDRESSES } from './address';

const PUSHES_QUERY = struct(
  'the query of a file of pushes',
  { source: neededText },
  PushesParameters.optional,
);

/** The pushes to a data source, as the interface lists them. */
const pushesOf =
  (context: Context, found: SourceOfProvider) =>
  ({ query: { source: _source, ...query } }: Asking) =>
    pushAnswers(context).list({ query, params: paramsOf(found) }, true);

/**
 * The tables of the console as files. Each is the CSV of the interface: the same answer, columns and
 * parameters, for people with a role.
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
        query: interfaceTables.access.query,
      },
      asCsv(access.list, interfaceTables.access.table, 'access.csv'),
    ),
    file(
      {
        path: CSV_ADDRESSES.changes,
        summary: 'A table of gains and losses as a file.',
        query: interfaceTables.changes.query,
      },
      asCsv(changes, interfaceTables.changes.table, 'changes.csv'),
    ),
    file(
      {
        path: CSV_ADDRESSES.entities,
        summary: 'What was found as a file.',
        query: interfaceTables.entities.query,
      },
      asCsv(entities.search, interfaceTables.entities.table, 'entities.csv'),
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
          TE.flatMap((found) => asCsv(pushesOf(context, found), pushTable, 'pushes.csv')(req, res)),
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
          TE.flatMap((asked) => savedQuestion(context, asked)),
          TE.flatMap((query) => queryTable(query, res, 'rows.csv')),
        ),
    ),
  ];
};
