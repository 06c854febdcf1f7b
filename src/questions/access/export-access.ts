import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { AsOf } from '../../contract/answers/page';
import { toFailure } from '../../neo4j/failure';
import type { AccessExport, ExportedRow, ExportPlace, ExportStretch } from './access-export';
import type { Settled } from '../answering/settled-answer';
import type { EventRecord } from '../../graph/records/event-record';
import type { Subject } from '../humans/subject';
import { badField, type Failure } from '../../problem';
import { EXPORTED_LABELS } from '../statements/access-export-statements';
import type { Occasion } from '../../graph/records/event';
import { exportEvent } from '../../graph/records/export-event';
import { open, seal } from '../../secrets/seal';

export type { ExportedRow };

/** An export as a client requests it (docs/api.md: Exports of access). */
export interface ExportRequest {
  /** The cursor after which it goes on; with `''` it begins at the first row. */
  readonly cursor: string;
  /** Whose access it exports; `null` means everybody's. */
  readonly subject: Subject | null;
  readonly isExplained: boolean;
  /** `csv` or `ndjson`. */
  readonly format: string;
  /** The key that requests it, for the event. */
  readonly act: Omit<Occasion, 'at'>;
  /** Aborted when the client has left. */
  readonly left: AbortSignal;
}

/** Some rows of an export, and the cursor behind the last one. */
export interface ExportedRows {
  readonly rows: readonly ExportedRow[];
  readonly cursor: string;
  /** The newest push that these rows reflect. */
  readonly asOf: AsOf | null;
}

/** An export under way: rows, or the failure that ends it. */
export type ExportStream = AsyncGenerator<E.Either<Failure, ExportedRows>, void>;

/** What exports need. */
export interface ExportDependencies {
  readonly accessExport: AccessExport;
  /** The secret that seals cursors. All processes share it. */
  readonly placeSecret: () => Promise<string>;
  readonly sizes: ExportSizes;
  readonly writeEvent: (event: EventRecord) => TE.TaskEither<Failure, void>;
}

/** How much of an export is read and sent at once. */
export interface ExportSizes {
  /** Rows of one reading. */
  readonly rows: number;
  /** The same with explanations, each of which needs several statements. */
  readonly explainedRows: number;
  /** A client that lost its connection gets at most this many rows again. */
  readonly cursorEvery: number;
  /** How many principals the first reading looks at. */
  readonly firstPrincipals: number;
  readonly mostPrincipals: number;
}

/** The rows of one reading need some 10 MB. An export holds two readings. */
export const EXPORT_SIZES: ExportSizes = {
  ...{ rows: 10_000, explainedRows: 200, cursorEvery: 1_000 },
  ...{ firstPrincipals: 16, mostPrincipals: 1_024 },
};

const START: ExportPlace = { label: EXPORTED_LABELS[0] ?? '', principal: '', resource: null };

const placeIn = (cursor: string, secret: string): E.Either<Failure, ExportPlace> => {
  if (cursor === '') return E.right(START);
  const opened = open(cursor, secret);
  const place = opened === null ? null : (JSON.parse(opened) as ExportPlace);
  return place !== null && EXPORTED_LABELS.includes(place.label)
    ? E.right(place)
    : E.left(badField('/cursor', 'BAD_PAGE_TOKEN', 'is no cursor of an export'));
};

const placeOf = ({ principal, resource }: ExportedRow): ExportPlace => ({
  label: principal.label,
  principal: principal.id,
  resource: resource.id,
});

/** The place before the first principal of the next label; `null` after the last label. */
const placeAfterLabel = (label: string): ExportPlace | null => {
  const next = EXPORTED_LABELS[EXPORTED_LABELS.indexOf(label) + 1];
  return next === undefined ? null : { label: next, principal: '', resource: null };
};

interface Exporting extends Pick<ExportDependencies, 'accessExport' | 'sizes'> {
  readonly secret: string;
}

type Reading = Promise<E.Either<Failure, Settled<ExportStretch>>>;

async function* rowsAfter(
  { accessExport, sizes, secret }: Exporting,
  begin: ExportPlace,
  only: readonly string[] | null,
  { isExplained, left }: ExportRequest,
): ExportStream {
  const rows = isExplained ? sizes.explainedRows : sizes.rows;
  let principals = sizes.firstPrincipals;
  const reading = (after: ExportPlace): Reading =>
    accessExport.read({ after, only, principals, rows, isExplained, unwanted: left })();
  let next: Reading | null = reading(begin);
  while (next !== null && !left.aborted) {
    const read: Awaited<Reading> = await next;
    if (E.isLeft(read)) {
      yield read;
      return;
    }
    const { answer, asOf }: Settled<ExportStretch> = read.right;
    // Rows that a reading computes beyond its limit are lost. So it looks at as many principals as
    // give about enough rows.
    if (answer.isCut) principals = Math.max(1, Math.floor(principals / 2));
    else if (answer.rows.length < rows / 2)
      principals = Math.min(sizes.mostPrincipals, principals * 2);
    const after: ExportPlace | null =
      answer.isCut || !answer.isLast ? answer.end : placeAfterLabel(answer.end.label);
    // Neo4j finds the next rows while these are sent.
    next = after === null ? null : reading(after);
    for (let at = 0; at < answer.rows.length; at += sizes.cursorEvery) {
      const some = answer.rows.slice(at, at + sizes.cursorEvery);
      const last = some.at(-1);
      if (last === undefined) break;
      yield E.right({ rows: some, cursor: seal(JSON.stringify(placeOf(last)), secret), asOf });
    }
  }
}

const eventOf = ({ cursor, isExplained, format, act, subject }: ExportRequest): EventRecord =>
  exportEvent(
    { at: new Date().toISOString(), ...act },
    {
      what: 'access',
      format,
      inWords: subject === null ? 'All access' : 'The access of one principal or human',
      parameters: { explain: isExplained, resumed: cursor !== '' },
    },
  );

/**
 * Exports the effective access of everybody to everything, or that of a principal or of all nodes of
 * a human, as `/api/v1/access` answers it for each principal (docs/rules.md: Access answers). An event
 * tells who exports, before the first row leaves. The export starts here; its generator ends, or is
 * returned, when the export is over or the client has left.
 */
export const exportAccess =
  (dependencies: ExportDependencies) =>
  (request: ExportRequest): TE.TaskEither<Failure, ExportStream> =>
    pipe(
      TE.tryCatch(() => dependencies.placeSecret(), toFailure),
      // The secret also seals ids of the live stream, which are no cursors.
      TE.map((secret) => `${secret} export`),
      TE.bindTo('secret'),
      TE.bind('begin', ({ secret }) => TE.fromEither(placeIn(request.cursor, secret))),
      TE.bind('only', () =>
        request.subject === null
          ? TE.right(null)
          : dependencies.accessExport.nodesOf(request.subject),
      ),
      TE.map(({ secret, begin, only }) =>
        rowsAfter({ ...dependencies, secret }, begin, only, request),
      ),
      TE.tap(() => dependencies.writeEvent(eventOf(request))),
    );
