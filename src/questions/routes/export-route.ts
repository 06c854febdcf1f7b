import type { Response } from 'express';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { CSV } from '../../contract/csv';
import { isTrue } from '../../contract/parameters/query-parameters';
import { exportedAccess } from '../export/export-access';
import { callerOf } from '../../web/admission/caller';
import { keyOf } from '../../web/admission/turns';
import { type AnswerFormat, formatOf } from '../../web/lists/answer-format';
import { leavingOf, streamed } from '../../web/exchange/answer-stream';
import { piecesOrEnd } from '../threads/piece-threads';
import { queryOf } from '../../web/lists/list-query';
import type { Route } from '../../web/routing/route';
import { narrowedTo } from './access-query';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { endpoints, NDJSON } from '../endpoints';
import { accessExportsOf, exportTurnsOf } from '../in-context';

const FORMATS: readonly AnswerFormat[] = [
  { name: 'ndjson', mediaType: NDJSON },
  { name: 'csv', mediaType: CSV },
];

/** Exports the access of everybody, or of one principal or human, to everything (docs/api.md: Exports of access). */
export const exportRoute = ({ question }: Web, context: Context): Route => ({
  ...endpoints.exportAccess,
  handler: question((req, res: Response) =>
    exportTurnsOf(context).run(
      { key: keyOf(callerOf(res)) },
      pipe(
        TE.fromEither(queryOf(endpoints.exportAccess.query, req)),
        TE.bindTo('asked'),
        TE.bind('subject', ({ asked }) => TE.fromEither(narrowedTo(asked))),
        TE.bind('format', () => TE.fromEither(formatOf(req, FORMATS))),
        TE.map(({ asked, subject, format }) => ({
          format,
          subject,
          cursor: asked.cursor ?? '',
          isExplained: isTrue(asked.explain),
        })),
        TE.bindTo('wanted'),
        TE.bind('exported', ({ wanted }) =>
          accessExportsOf(context)({ ...wanted, left: leavingOf(res) }),
        ),
        TE.flatMap(({ wanted, exported }) =>
          streamed(res, wanted.format === 'csv' ? CSV : NDJSON, piecesOrEnd(exported), {
            exported: exportedAccess(wanted),
          }),
        ),
      ),
    ),
  ),
});
