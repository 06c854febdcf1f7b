import type { Record as GraphRecord } from 'neo4j-driver';
import * as TE from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';
import type { Graph } from '../../neo4j/driver';
import { inTransaction, LATEST } from '../../neo4j/transaction';
import { type EventRecord, writeEvent } from './event-record';

/** There is no such provider. */
export const NO_PROVIDER: Failure = {
  _tag: 'NotFound',
  message: 'There is no provider with this id.',
};

/** What a statement about a provider gave; fails if it found no provider. */
export const orNoProvider = <A>(found: A | null): TE.TaskEither<Failure, A> =>
  found === null ? TE.left(NO_PROVIDER) : TE.right(found);

/** Runs a statement that changes something, and writes the event of it; null if it found nothing. */
export const changeWithEvent = (
  graph: Graph,
  statement: string,
  parameters: Readonly<Record<string, unknown>>,
  event: EventRecord,
): TE.TaskEither<Failure, GraphRecord | null> =>
  inTransaction(graph, LATEST, async (tx) => {
    const [record] = (await tx.run(statement, parameters)).records;
    if (record === undefined) return null;
    await writeEvent(tx, event);
    return record;
  });
