import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { OpenedGraph } from '../../access/access-graph';
import { bounded, NoMemory } from '../../access/memory';
import { atOnce } from '../../access/pieces';

import type { Exported } from '../../web/exchange/tell-export';
import { toFailure } from '../../neo4j/failure';
import type { Failure } from '../../problem';
import type { Subject } from '../humans/subject';
import type { AccessMemory, AccessThen } from '../memory/access-memory';
import { inPieces } from '../memory/in-pieces';
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
  /** The access graph of the process. */
  readonly memory: Pick<AccessMemory, 'then'>;
  /** Writes an export in a thread. It ends when nobody wants it any more. */
  readonly write: WritePieces<WantedExport>;
}

/** How much an export may use, and what it sends at once. */
export type ExportSizes = Pick<WantedExport, 'cursorEvery' | 'memoryBytes'>;

/** The graph was loaded again: somebody may be erased whom an export would still name. */
const DROPPED: Failure = {
  _tag: 'Unavailable',
  message:
    'The service loads the graph of access again, and ends this export. Go on with its last cursor.',
};

const TOO_LARGE: Failure = {
  _tag: 'Unavailable',
  message:
    'The export needs more memory than it may use: set ACCESS_MEMORY, or give the service more (MEMORY).',
};

/** An export, up to the time when the process no longer holds its graph. */
async function* untilDropped(stream: PieceStream, dropped: AbortSignal): PieceStream {
  for await (const piece of stream) {
    if (dropped.aborted) break;
    yield piece;
  }
  if (dropped.aborted) yield E.left(DROPPED);
}

/** How often the service tries to copy in pieces. A commit in a pause spoils a copy, so the next one has no pauses. */
const ATTEMPTS = 3;

/** A copy of the graph of the process. */
interface Copied {
  readonly then: AccessThen;
  readonly graph: OpenedGraph;
}

const copyOf = (dependencies: ExportDependencies, attempt = 1): TE.TaskEither<Failure, Copied> =>
  pipe(
    dependencies.memory.then(null, '/at'),
    TE.bindTo('then'),
    TE.bind('graph', ({ then: { graph } }) =>
      TE.tryCatch(
        () => {
          const { changes } = graph;
          const copy = graph.copy(bounded(dependencies.sizes.memoryBytes, 'own'));
          if (attempt > ATTEMPTS) return Promise.resolve(atOnce(copy));
          return inPieces(copy, () => graph.changes === changes, Infinity);
        },
        (error) => (error instanceof NoMemory ? TOO_LARGE : toFailure(error)),
      ),
    ),
    TE.flatMap(({ then, graph }) =>
      graph === null ? copyOf(dependencies, attempt + 1) : TE.right({ then, graph }),
    ),
  );

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
      TE.bind('copied', () => copyOf(dependencies)),
      TE.map(({ secret, after, only, copied: { then, graph } }) => {
        const { isExplained, format, left } = request;
        const wanted = { after, only, secret, isExplained, isCsv: format === 'csv' };
        const { sizes, write } = dependencies;
        const stream = write(
          { ...wanted, ...sizes, graph, asOf: then.asOf },
          AbortSignal.any([left, then.dropped]),
        );
        return untilDropped(stream, then.dropped);
      }),
    );
