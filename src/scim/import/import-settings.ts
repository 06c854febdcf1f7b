import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { ImportSettingsAnswer, LastImport, SetImportRequest } from '../connections/endpoints';
import type { Provider } from '../../contract/records/provider';
import type { ImportSettings, StoredImport } from './import-records';
import { fold } from '../../model/fold';
import { badField, type Failure } from '../../problem';
import { providerEvent } from '../../graph/records/event';
import { needsScim } from '../connections/set-connection';
import { createDataSource } from '../../registry/contract';
import type { KeyAct } from '../../graph/records/event-record';
import type { ImportDependencies } from './dependencies';
import { isLeftOutBy } from '../reading/leave-out';
import { events } from './events';

const LEAST_SECONDS = 60;
const DAY_SECONDS = 86_400;
const MOST_SECONDS = 31 * DAY_SECONDS;

const DURATION =
  /^P(?=\d|T\d)(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?=\d)(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,7})S)?)?$/i;

/** The seconds of a duration such as `PT1H30M`; null if it is none. */
const secondsIn = (text: string): number | null => {
  const parts = DURATION.exec(text);
  if (parts === null) return null;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  return (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds;
};

const intervalOf = (
  field: string,
  value: number | string | null | undefined,
): E.Either<Failure, number | null> => {
  if (value === null || value === undefined) return E.right(null);
  const seconds = typeof value === 'number' ? value : secondsIn(value);
  if (seconds === null) {
    return E.left(badField(`/${field}`, 'UNKNOWN_VALUE', 'is no duration such as PT1H or P1D'));
  }
  return Number.isInteger(seconds) && seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS
    ? E.right(seconds)
    : E.left(
        badField(
          `/${field}`,
          'OUT_OF_RANGE',
          `must be whole seconds from ${LEAST_SECONDS} to ${MOST_SECONDS}`,
        ),
      );
};

const filterOf = (text: string | null | undefined): E.Either<Failure, string | null> => {
  if (text === null || text === undefined) return E.right(null);
  try {
    isLeftOutBy(text);
    return E.right(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    return E.left(badField('/leave_out', 'BAD_FILTER', `is no filter of SCIM: ${why}`));
  }
};

const isApplication = ({ custom_template }: Provider): E.Either<Failure, void> =>
  custom_template === 'application'
    ? E.right(undefined)
    : E.left({
        _tag: 'Conflict',
        message: `Accounts of applications need a provider of the template application, not ${custom_template}.`,
      });

/** An import as clients see it. */
export const shownImport = (stored: StoredImport): ImportSettingsAnswer => {
  const { data_source, every_seconds, whole_every_seconds, leave_out } = stored;
  const {
    finds_changes,
    misses_changes,
    whole_at,
    next_at,
    failures,
    last,
    is_running,
    since,
    changed,
  } = stored;
  return {
    data_source_id: data_source,
    every: every_seconds,
    whole_every: whole_every_seconds,
    leave_out,
    finds_changes,
    misses_changes,
    whole_at,
    next_at,
    failures,
    is_running,
    last: last === null ? null : (JSON.parse(last) as LastImport),
    since,
    changed,
  };
};

const NO_IMPORT: Failure = {
  _tag: 'NotFound',
  message: 'No import of the application is set: set one with PUT …/scim/import.',
};

/** The import of a provider; fails if none is set. */
export const storedImport = (
  { imports }: Pick<ImportDependencies, 'imports'>,
  { id }: Pick<Provider, 'id'>,
): TE.TaskEither<Failure, StoredImport> =>
  pipe(
    imports.find(id),
    TE.flatMap((found) => (found === null ? TE.left(NO_IMPORT) : TE.right(found))),
  );

/** The data source of that name below the provider; created if there is none. */
const dataSourceOf = (
  { registry }: Pick<ImportDependencies, 'registry'>,
  provider: Provider,
  name: string,
  act: KeyAct,
): TE.TaskEither<Failure, string> =>
  pipe(
    registry.listDataSources(provider.id),
    TE.map((sources) => sources.find((source) => fold(source.name) === fold(name))),
    TE.flatMap((found) =>
      found === undefined
        ? createDataSource({ registry })({ provider, name, ...act })
        : TE.right(found),
    ),
    TE.map(({ id }) => id),
  );

const now = (): string => new Date().toISOString();

/** Sets how the application of a provider is imported, and writes an event. */
export const setImport =
  (dependencies: ImportDependencies) =>
  (
    provider: Provider,
    request: SetImportRequest,
    act: KeyAct,
  ): TE.TaskEither<Failure, ImportSettingsAnswer> =>
    pipe(
      TE.fromEither(needsScim(provider)),
      TE.flatMapEither(isApplication),
      TE.bindTo('checked'),
      TE.bind('every', () => TE.fromEither(intervalOf('every', request.every))),
      TE.bind('whole', () => TE.fromEither(intervalOf('whole_every', request.whole_every))),
      TE.bind('leave_out', () => TE.fromEither(filterOf(request.leave_out))),
      TE.bind('data_source', () =>
        dataSourceOf(dependencies, provider, request.data_source ?? provider.name, act),
      ),
      TE.flatMap(({ every, whole, leave_out, data_source }) => {
        const settings: ImportSettings = {
          data_source,
          every_seconds: every,
          leave_out,
          whole_every_seconds: whole ?? DAY_SECONDS,
        };
        const event = providerEvent(
          provider,
          { at: now(), ...act },
          {
            severity: 'INFO',
            name: 'Import set',
            event_type: events.SCIM_IMPORT_SET,
            message: `The application of provider ${JSON.stringify(provider.name)} is imported ${every === null ? 'by call' : `every ${every} seconds`}.`,
            metadata: { ...settings },
          },
        );
        return dependencies.imports.set(provider.id, settings, event);
      }),
      TE.map(shownImport),
    );

/** Finds the import of a provider. */
export const findImport =
  (dependencies: Pick<ImportDependencies, 'imports'>) =>
  (provider: Provider): TE.TaskEither<Failure, ImportSettingsAnswer> =>
    pipe(storedImport(dependencies, provider), TE.map(shownImport));

/** Removes the import of a provider, and writes an event. What was imported stays. */
export const removeImport =
  ({ imports }: Pick<ImportDependencies, 'imports'>) =>
  (provider: Provider, act: KeyAct): TE.TaskEither<Failure, void> =>
    pipe(
      imports.remove(
        provider.id,
        providerEvent(
          provider,
          { at: now(), ...act },
          {
            severity: 'INFO',
            name: 'Import removed',
            event_type: events.SCIM_IMPORT_REMOVED,
            message: `The application of provider ${JSON.stringify(provider.name)} is imported no more.`,
          },
        ),
      ),
      TE.flatMap((isRemoved) => (isRemoved ? TE.right(undefined) : TE.left(NO_IMPORT))),
    );
