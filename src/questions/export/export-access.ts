import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Exported } from '../../graph/records/export-event';
import { toFailure } from '../../neo4j/failure';
import type { Failure } from '../../problem';
import type { Subject } from '../humans/subject';
import { type AskMemory, hasFailed } from '../memory/asked-in-memory';
import { placeIn } from './export-place';
import type { PieceStream, WritePieces } from '../threads/piece-threads';
import type { WantedExport } from './exported-rows';

/** An export as a client requests it (docs/api.md: Exports of access). */
export interface ExportRequest {
  /** The cursor after which it goes on; with `''` it begins at the first row. */
  readonly cursor: string;
  /** Whose access it exports; `null` means everybody's. */
  readonly subject: Subject | null;
  readonly isExplained: boolean;
  /** `csv` or `ndjson`. */
  readonly format: string;
  /** Aborted when the client has left. */
  readonly left: AbortSignal;
}

/** What exports need. */
export interface ExportDependencies {
  /** Finds whose access is wanted. */
  readonly ask: AskMemory;
  /** The secret that seals cursors. All processes share it. */
  readonly placeSecret: () => Promise<string>;
  readonly sizes: ExportSizes;
  /** Writes an export in a thread. */
  readonly write: WritePieces<WantedExport>;
}

/** How much an export may use, and what it sends at once. */
export type ExportSizes = Pick<WantedExport, 'cursorEvery' | 'memoryBytes' | 'loadSeconds'>;

/** The keys of all nodes of whom an export is about. Fails if they are not one human's. */
const nodesOf = (
  { ask }: ExportDependencies,
  subject: Subject,
): TE.TaskEither<Failure, readonly string[]> =>
  pipe(
    ask(null, subject.ids, (asked): readonly string[] | Failure => {
      const meant = asked.meantBy(subject);
      if (hasFailed(meant)) return meant;
      const { principal, accounts } = meant;
      const others = (accounts ?? []).map((node) => asked.then.graph.key(node));
      return [principal.about.id, ...others];
    }),
    TE.map(({ answer }) => answer),
  );

/** What the event of an export says. */
export const exportedAccess = ({
  cursor,
  isExplained,
  format,
  subject,
}: Pick<ExportRequest, 'cursor' | 'isExplained' | 'format' | 'subject'>): Exported => ({
  what: 'access',
  format,
  inWords: subject === null ? 'All access' : 'The access of one principal or human',
  parameters: { explain: isExplained, resumed: cursor !== '' },
});

/**
 * Exports the effective access of everybody to everything, or that of a principal or of all nodes of
 * a human, as `/api/v1/access` answers it for each principal (docs/rules.md: Access answers). The export starts when its generator is first
 * called; it ends, or is returned, when the export is over or the client has left.
 */
export const exportAccess =
  (dependencies: ExportDependencies) =>
  (request: ExportRequest): TE.TaskEither<Failure, PieceStream> =>
    pipe(
      TE.tryCatch(() => dependencies.placeSecret(), toFailure),
      // The secret also seals ids of the live stream, which are no cursors.
      TE.map((secret) => `${secret} export`),
      TE.bindTo('secret'),
      TE.bind('after', ({ secret }) => TE.fromEither(placeIn(request.cursor, secret))),
      TE.bind('only', () =>
        request.subject === null ? TE.right(null) : nodesOf(dependencies, request.subject),
      ),
      TE.map(({ secret, after, only }) => {
        const { isExplained, format, left } = request;
        const wanted = { after, only, secret, isExplained, isCsv: format === 'csv' };
        return dependencies.write({ ...wanted, ...dependencies.sizes }, left);
      }),
    );
