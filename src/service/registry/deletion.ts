import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Deleted, Deleting, Deletions } from '../../graph/push/deletion';
import type { EventRecord } from '../../graph/records/event-record';
import { toFailure } from '../../graph/connection/failure';
import type { DataSourceOfProvider, Provider } from '../../graph/records/provider-record';
import { DataSourceGone } from '../../graph/push/data-source-state';
import { DataSourceBusy } from '../../graph/push/store';
import type { Failure } from '../../problem';
import { dataSourceEvent, providerEvent } from '../events/event';

/** What deleting needs. */
export interface DeletionDependencies {
  readonly deletions: Deletions;
  /** What holds more is deleted in the background. */
  readonly atOnce: number;
  /** Has the background begin at once. */
  readonly wake: () => void;
}

const occasionOf = ({ requestId }: Deleted): { at: string; requestId: string } => ({
  at: new Date().toISOString(),
  requestId,
});

const dataSourceDeleted = (deleted: Deleted): EventRecord =>
  dataSourceEvent(
    { provider: { id: deleted.providerId }, dataSource: deleted },
    occasionOf(deleted),
    {
      severity: 'INFO',
      name: 'Data source deleted',
      message: `Data source "${deleted.name}" is deleted with its graph and history.`,
      event_type: 'DATASOURCE_DELETED',
    },
  );

const providerDeleted = (deleted: Deleted): EventRecord =>
  providerEvent(deleted, occasionOf(deleted), {
    severity: 'INFO',
    name: 'Provider deleted',
    message: `Provider "${deleted.name}" is deleted with its data sources.`,
    event_type: 'PROVIDER_DELETED',
  });

const finishDataSource = async (deletions: Deletions, deleting: Deleting): Promise<void> => {
  while (await deletions.removeSome(deleting, dataSourceDeleted));
};

/** Finishes every deletion that was begun, whoever began it (api.md 1: `DELETING`). */
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

const deletionFailure = (error: unknown): Failure =>
  error instanceof DataSourceBusy
    ? {
        _tag: 'Conflict',
        message: 'A push to this data source is running; try again later.',
      }
    : toFailure(error);

// Once it is marked the deletion will come to its end: what goes wrong on the way is the background's.
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

/** Deletes a data source with its rows, all that is derived from them, its pushes and their history (api.md 1). */
export const deleteDataSource =
  (dependencies: DeletionDependencies) =>
  ({ dataSource: { id } }: DataSourceOfProvider, requestId: string): TE.TaskEither<Failure, void> =>
    pipe(
      TE.tryCatch(
        () => dependencies.deletions.markDataSource(id, requestId),
        (error) => error,
      ),
      TE.matchE(
        (error) =>
          TE.fromEither(
            // Somebody else has just deleted it: that is what was asked for.
            error instanceof DataSourceGone ? E.right(undefined) : E.left(deletionFailure(error)),
          ),
        (size) =>
          finishedOrLeft(size, dependencies, () =>
            finishDataSource(dependencies.deletions, { id, requestId }),
          ),
      ),
    );

/** Deletes a provider with all its data sources (api.md 1). */
export const deleteProvider =
  (dependencies: DeletionDependencies) =>
  ({ id }: Pick<Provider, 'id'>, requestId: string): TE.TaskEither<Failure, void> => {
    const { deletions } = dependencies;
    const finish = async (): Promise<void> => {
      for (const source of await deletions.dataSourcesOf(id)) {
        await finishDataSource(deletions, { id: source, requestId });
      }
      await deletions.removeProvider(id, providerDeleted);
    };
    return pipe(
      deletions.markProvider(id, requestId),
      TE.flatMap((size) => finishedOrLeft(size, dependencies, finish)),
    );
  };
