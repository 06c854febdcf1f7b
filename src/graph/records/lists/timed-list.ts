import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import neo4j from 'neo4j-driver';

import type { Filter } from '../../../contract/filter';
import { LARGEST_PAGE, type Page, type PageRequest, writeToken } from '../../../contract/page';
import { Instant, parseInstant } from '../../../model/instant';
import { badRequest, type Failure, oneProblem, type ProblemList } from '../../../problem';
import type { PropertyValues } from '../../../rows/row/row';
import { somePage, type TimedList } from '../../statements/timed-list-statements';
import type { Graph } from '../../../neo4j/driver';
import { type Meaning, meaningsOf } from './filter-meaning';
import { inTransaction, type Runner } from '../../../neo4j/transaction';
import { fromGraph, toDateTime } from '../../../neo4j/values';
import { readUndeleted } from './undeleted';

/** The page of a list, ordered by time, that a client requests. */
export interface WantedPage {
  readonly filter: Filter;
  readonly page: PageRequest;
}

// These times lie before and after all others. With them one statement reads the first page and all
// later ones.
const ENDS = {
  descending: new Instant('9999-12-31T23:59:59.999999999Z'),
  ascending: new Instant('0000-01-01T00:00:00Z'),
};

/** Where a page begins. */
interface Start {
  readonly time: Instant;
  readonly key: string;
  /** The index of the filter's meaning with which the list began. */
  readonly meaning: number;
}

const startOf = (
  after: PageRequest['after'],
  meanings: number,
): E.Either<ProblemList, Start | null> => {
  if (after === null) return E.right(null);
  const [time = '', key = '', meaning = ''] = after;
  const instant = parseInstant(time);
  const index = /^\d$/.test(meaning) ? Number(meaning) : NaN;
  return instant !== null && index < meanings
    ? E.right({ time: instant, key, meaning: index })
    : E.left(oneProblem('/page_token', 'BAD_PAGE_TOKEN', 'is no token of this list'));
};

type Parameters = Readonly<Record<string, unknown>>;

/** Reads nodes of a list after a given place. */
const readSome = async (
  tx: Runner,
  list: TimedList,
  { isDescending }: PageRequest['order'],
  meaning: Meaning,
  from: Pick<Start, 'time' | 'key'> | null,
  most: number,
  own: Parameters,
): Promise<readonly PropertyValues[]> => {
  const end = isDescending ? ENDS.descending : ENDS.ascending;
  const statement = somePage(
    list,
    isDescending,
    meaning.map(({ text }) => text),
  );
  const parameters = {
    ...own,
    ...Object.fromEntries(meaning.map(({ parameter }) => parameter)),
    time: toDateTime(from?.time ?? end),
    key: from?.key ?? '',
    most: neo4j.int(most),
  };
  return readUndeleted(
    async () => {
      const { records } = await tx.run<{ properties: Parameters }>(statement, parameters);
      return records.map((record) => fromGraph(record.get('properties')));
    },
    ({ key }) => key === undefined,
  );
};

/** Reads a page of a list. `parameters` are those of the list's `match`. */
export const readPage = (
  graph: Graph,
  list: TimedList,
  { filter, page: { size, after, order } }: WantedPage,
  parameters: Parameters = {},
): TE.TaskEither<Failure, Page<PropertyValues>> => {
  const most = size ?? LARGEST_PAGE;
  const tokenOf = (last: PropertyValues, meaning: number): string => {
    const { key, [list.time]: time } = last;
    const place = [time instanceof Instant ? time.utc : '', typeof key === 'string' ? key : ''];
    return writeToken([...place, String(meaning)]);
  };
  const pageOf = (found: readonly PropertyValues[], meaning: number): Page<PropertyValues> => {
    const values = found.slice(0, most);
    const last = values.at(-1);
    const has_more = last !== undefined && found.length > most;
    return { values, has_more, next_page_token: has_more ? tokenOf(last, meaning) : '' };
  };
  return pipe(
    TE.Do,
    TE.bind('meanings', () => TE.fromEither(meaningsOf(filter, list.kind))),
    TE.bind('start', ({ meanings }) => TE.fromEither(startOf(after, meanings.length))),
    TE.mapLeft(badRequest),
    TE.flatMap(({ meanings, start }) =>
      // Write mode makes a cluster read from its leader, so the list holds the newest events.
      inTransaction(graph, { mode: 'write' }, async (tx) => {
        const first = start?.meaning ?? 0;
        const tried = start === null ? meanings : meanings.slice(first, first + 1);
        for (const [index, meaning] of tried.entries()) {
          const found = await readSome(tx, list, order, meaning, start, most + 1, parameters);
          if (found.length > 0) return pageOf(found, first + index);
        }
        return pageOf([], first);
      }),
    ),
  );
};
