import type { Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { ExportedAccess } from '../../contract/answers/questions/access';
import { CSV, csvHead } from '../../contract/csv';
import { isTrue } from '../../contract/parameters/query-parameters';
import { ExportParameters } from '../../contract/parameters/question-parameters';
import { exportColumns, exportedLines } from '../../contract/tables/exported-access';
import type { ExportedRows, ExportStream } from '../access/export-access';
import { actOf } from '../../web/admission/caller';
import { type AnswerFormat, formatOf } from '../../web/lists/answer-format';
import { leavingOf, StreamFailure, streamed } from '../../web/exchange/answer-stream';
import { queryOf } from '../../web/lists/list-query';
import type { Route } from '../../web/routing/route';
import { hop } from './access-answers';
import { narrowedTo } from './access-query';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { accessExportsOf } from '../in-context';

const NDJSON = 'application/x-ndjson';

const FORMATS: readonly AnswerFormat[] = [
  { name: 'ndjson', mediaType: NDJSON },
  { name: 'csv', mediaType: CSV },
];

/** The last row of some has the cursor; the last one of all says so. */
const answersOf = (
  { rows, cursor, asOf }: ExportedRows,
  isEnd: boolean,
): readonly ExportedAccess[] =>
  rows.map(({ explanation, ...row }, at) => ({
    ...row,
    ...(explanation === undefined
      ? {}
      : {
          explanation: explanation && {
            permission: explanation.permission,
            hops: explanation.hops.map(hop),
            scope: explanation.scope.map(hop),
          },
        }),
    as_of: asOf,
    ...(at === rows.length - 1 ? { cursor, ...(isEnd ? { is_last: true as const } : {}) } : {}),
  }));

async function* piecesOf(exported: ExportStream, isCsv: boolean): AsyncGenerator<string, void> {
  if (isCsv) yield csvHead(exportColumns);
  const pieceOf = (some: ExportedRows, isEnd: boolean): string => {
    const rows = answersOf(some, isEnd);
    return isCsv ? exportedLines(rows) : rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  };
  // Rows wait until more follow, or until it is certain that none do.
  let waiting: ExportedRows | null = null;
  for await (const read of exported) {
    if (E.isLeft(read)) throw new StreamFailure(read.left);
    if (waiting !== null) yield pieceOf(waiting, false);
    waiting = read.right;
  }
  if (waiting !== null) yield pieceOf(waiting, true);
}

/** Exports the access of everybody, or of one principal or human, to everything (docs/api.md: Exports of access). */
export const exportRoute = ({ question }: Web, context: Context): Route => ({
  method: 'get',
  path: '/api/v1/access\\:export',
  access: { scopes: ['read'], limitedKeys: 'never' },
  summary: 'Exports what everybody, a `principal` or a human can reach, as NDJSON or CSV.',
  more: 'api#exports-of-access',
  answer: { mediaTypes: [NDJSON, CSV], line: ExportedAccess },
  query: ExportParameters,
  handler: question((req, res: Response) =>
    pipe(
      TE.fromEither(queryOf(ExportParameters, req)),
      TE.bindTo('asked'),
      TE.bind('subject', ({ asked }) => TE.fromEither(narrowedTo(asked))),
      TE.bind('format', () => TE.fromEither(formatOf(req, FORMATS))),
      TE.bind('exported', ({ asked, subject, format }) =>
        accessExportsOf(context)({
          ...{ format, subject },
          act: actOf(res),
          cursor: asked.cursor ?? '',
          isExplained: isTrue(asked.explain),
          left: leavingOf(res),
        }),
      ),
      TE.flatMap(({ format, exported }) =>
        streamed(res, format === 'csv' ? CSV : NDJSON, piecesOf(exported, format === 'csv')),
      ),
    ),
  ),
});
