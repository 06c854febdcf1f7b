import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { counted } from '../codec/quote';
import type { Provider } from '../contract/records/provider';
import {
  type Deleted,
  type Deleting,
  type DeletionAct,
  type Deletions,
  ProviderTrusted,
  DataSourceBusy,
  DataSourceGone,
} from '../push/graph/contract';
import type { EventRecord } from '../graph/records/event-record';
import { toFailure } from '../neo4j/failure';
import type { DataSourceOfProvider } from '../graph/records/provider-record';
import type { Failure } from '../problem';
import { confirmationOf, type RemovalGuard } from '../push/change/contract';
import { dataSourceEvent, type Occasion, providerEvent } from '../graph/records/event';
import { DeletionUnconfirmed, judgeDeletion } from './deletion-guard';
import type { KeyAct } from '../graph/records/event-record';
import { events } from './events';

/** What deletions depend on. */
export interface DeletionDependencies {
  readonly deletions: Deletions;
  /** The service deletes a data source with more rows than this in the background. */
  readonly atOnce: number;
  /** The removal guard. */
  readonly removalGuard: RemovalGuard;
  readonly writeEvent: (event: EventRecord) => TE.TaskEither<Failure, void>;
  /** Starts the background work at once. */
  readonly wake: () => void;
}

/** A request to delete something, with the token that confirms a large removal. */
export interface DeletionRequest extends KeyAct {
  /** Whether the history goes too (docs/rules.md: History). */
  readonly erases?: boolean;
  readonly confirmedRemoval: string | null;
}

const occasionOf = ({ requestId, by }: DeletionAct): Occasion => ({
  at: new Date().toISOString(),
  requestId,
  by,
});

/** What a deletion left of the past. */
const historyOf = ({ erases }: Deleted): string =>
  erases === true ? 'Its history is erased.' : 'What it held stays in the history.';

const dataSourceDeleted = (deleted: Deleted): EventRecord =>
  dataSourceEvent(
    { provider: { id: deleted.providerId }, dataSource: deleted },
    occasionOf(deleted),
    {
      severity: 'INFO',
      name: 'Data source deleted',
      message: `Data source ${JSON.stringify(deleted.name)} is deleted with its graph: ${counted(deleted.rows, 'row')}. ${historyOf(deleted)}`,
      event_type: events.DATASOURCE_DELETED,
      metadata: {
        rows: deleted.rows,
        ...confirmationOf(deleted.confirmedRemoval),
        erased_history: deleted.erases === true,
        ...(deleted.endedAt !== undefined && { ended_at: deleted.endedAt.utc }),
      },
    },
  );

const providerDeleted = (deleted: Deleted): EventRecord =>
  providerEvent(deleted, occasionOf(deleted), {
    severity: 'INFO',
    name: 'Provider deleted',
    message: `Provider ${JSON.stringify(deleted.name)} is deleted with its data sources: ${counted(deleted.rows, 'row')}. ${historyOf(deleted)}`,
    event_type: events.PROVIDER_DELETED,
    metadata: {
      rows: deleted.rows,
      ...confirmationOf(deleted.confirmedRemoval),
      erased_history: deleted.erases === true,
    },
  });

/** The event of a deletion that the removal guard stopped. */
const refusedDeletion = (what: string) =>
  ({
    severity: 'WARNING',
    name: 'Deletion refused',
    message: `${what} is not deleted: it holds much, and nobody has confirmed it.`,
    event_type: events.DELETION_REFUSED,
  }) as const;

const finishDataSource = async (deletions: Deletions, deleting: Deleting): Promise<void> => {
  while (await deletions.removeSome(deleting, dataSourceDeleted));
};

/** Finishes all deletions that any process has begun (docs/rules.md: Requests). */
export const finishDeletions = async (
  deletions: Deletions,
  isStopping: () => boolean,
): Promise<void> => {
  for (const deleting of await deletions.dataSources()) {
    while (!isStopping() && (await deletions.removeSome(deleting, dataSourceDeleted)));
  }
  if (isStopping()) return;
  for (const id of await deletions.providers()) await deletions.removeProvider(id, providerDeleted);
};

const deletionFailure = (error: unknown): Failure => {
  if (error instanceof DeletionUnconfirmed) return { _tag: 'Conflict', message: error.message };
  if (error instanceof ProviderTrusted) {
    const others = error.meantBy.map((name) => JSON.stringify(name)).join(', ');
    const message =
      others === ''
        ? 'An administrator says what this provider may claim. The provider can be deleted once they have taken that away.'
        : `The trusts of ${others} name this provider. The provider can be deleted once an administrator has changed them.`;
    return { _tag: 'Conflict', message };
  }
  return error instanceof DataSourceBusy
    ? { _tag: 'Conflict', message: 'A push to this data source is running; try again later.' }
    : toFailure(error);
};

/** Marks something as being deleted. If the removal guard stops that, writes an event. */
const marked = (
  { writeEvent }: DeletionDependencies,
  mark: () => Promise<number>,
  refusal: () => EventRecord,
): TE.TaskEither<unknown, number> =>
  pipe(
    TE.tryCatch(mark, (error) => error),
    TE.orElse((error) =>
      error instanceof DeletionUnconfirmed
        ? pipe(
            writeEvent(refusal()),
            TE.flatMap(() => TE.left<unknown>(error)),
          )
        : TE.left(error),
    ),
  );

// A marked deletion will be finished in any case. If it fails here, the background work finishes
// it.
const finishedOrLeft = (
  size: number,
  { atOnce, wake }: DeletionDependencies,
  finish: () => Promise<void>,
): TE.TaskEither<Failure, void> => {
  if (size > atOnce) return TE.fromIO(wake);
  return pipe(
    TE.tryCatch(finish, toFailure),
    TE.orElse(() => TE.fromIO(wake)),
  );
};

/**
 * Deletes a data source with its rows, the relationships derived from them, its pushes and its
 * events (docs/rules.md: Requests, Removal guard, History).
 */
export const deleteDataSource =
  (dependencies: DeletionDependencies) =>
  (source: DataSourceOfProvider, act: DeletionRequest): TE.TaskEither<Failure, void> => {
    const { deletions, removalGuard } = dependencies;
    const { id, name } = source.dataSource;
    const what = `data source ${JSON.stringify(name)}`;
    return pipe(
      marked(
        dependencies,
        () =>
          deletions.markDataSource(
            id,
            act,
            judgeDeletion(removalGuard, act.confirmedRemoval, what),
          ),
        () =>
          dataSourceEvent(
            source,
            occasionOf(act),
            refusedDeletion(`Data source ${JSON.stringify(name)}`),
          ),
      ),
      TE.matchE(
        (error) =>
          TE.fromEither(
            // Another request has just deleted it. That is what this one wants.
            error instanceof DataSourceGone ? E.right(undefined) : E.left(deletionFailure(error)),
          ),
        (size) =>
          finishedOrLeft(size, dependencies, () => finishDataSource(deletions, { id, ...act })),
      ),
    );
  };

/** Deletes a provider with all its data sources (docs/rules.md: Requests, Removal guard). */
export const deleteProvider =
  (dependencies: DeletionDependencies) =>
  (provider: Pick<Provider, 'id' | 'name'>, act: DeletionRequest): TE.TaskEither<Failure, void> => {
    const { deletions, removalGuard } = dependencies;
    const { id, name } = provider;
    const what = `provider ${JSON.stringify(name)}`;
    const finish = async (): Promise<void> => {
      for (const source of await deletions.dataSourcesOf(id)) {
        await finishDataSource(deletions, { id: source, ...act });
      }
      await deletions.removeProvider(id, providerDeleted);
    };
    return pipe(
      marked(
        dependencies,
        () =>
          deletions.markProvider(id, act, judgeDeletion(removalGuard, act.confirmedRemoval, what)),
        () =>
          providerEvent(
            provider,
            occasionOf(act),
            refusedDeletion(`Provider ${JSON.stringify(name)}`),
          ),
      ),
      TE.mapLeft(deletionFailure),
      TE.flatMap((size) => finishedOrLeft(size, dependencies, finish)),
    );
  };
