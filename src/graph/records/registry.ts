import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { DataSource } from '../../contract/answers/registry';
import { type Provider, providerRecord } from '../../contract/records/provider';
import { fold } from '../../model/fold';
import { keyOf } from '../../model/key';
import { badField, type Failure } from '../../problem';
import { STAYING_PROVIDER } from '../statements/provider-lock';
import type { Graph } from '../../neo4j/driver';
import { FailedStep } from '../../neo4j/failure';
import {
  type DataSourceOfProvider,
  type ProviderChanges,
  type Stored,
  toDataSource,
} from './provider-record';
import { ALLOW_REMOVAL } from '../statements/data-source-statements';
import { writeEvent, type EventRecord } from './event-record';
import { addUnlessTaken, inTransaction, LATEST, type Runner } from '../../neo4j/transaction';
import { NO_PROVIDER } from './of-provider';
import { oncePerContext } from '../../context';

// Names are unique. The node has its plain name at first, so somebody who adds a name that differs only by
// blanks waits until this one is committed, and then finds it.
const ADD_PROVIDER = `CREATE (provider:Provider {key: $id, name: $plain, since: datetime($at)})
SET provider += $properties`;

const OTHER_PROVIDERS = `MATCH (provider:Provider)
WHERE provider.key <> $id
RETURN collect(provider.name) AS names`;

const OTHER_DATA_SOURCES = `MATCH (source:DataSource)-[:FROM]->(:Provider {key: $provider})
WHERE source.key <> $id
RETURN collect(source.name) AS names`;

const COUNT_DATA_SOURCES = `${STAYING_PROVIDER}
RETURN COUNT { (provider)<-[:FROM]-(:DataSource) } AS count`;

const ADD_DATA_SOURCE = `${STAYING_PROVIDER}
CREATE (source:DataSource {key: $id, since: datetime($at)})-[:FROM {since: datetime($at)}]->(provider)
SET source += $properties
RETURN source.id AS id`;

const FIND_PROVIDER = `MATCH (provider:Provider {key: $provider})
RETURN properties(provider) AS provider`;

const LIST_PROVIDERS = `MATCH (provider:Provider)
RETURN properties(provider) AS provider`;

const LIST_NAMED_PROVIDERS = `UNWIND $names AS name
MATCH (provider:Provider {fold_name: name})
RETURN properties(provider) AS provider`;

const LIST_DATA_SOURCES = `MATCH (source:DataSource)-[:FROM]->(provider:Provider {key: $provider})
RETURN properties(source) AS source`;

const CHANGE_PROVIDER = `MATCH (provider:Provider {key: $provider})
SET provider += $changes
RETURN properties(provider) AS provider`;

const FIND_DATA_SOURCE = `MATCH (source:DataSource {key: $source})-[:FROM]->(provider:Provider {key: $provider})
OPTIONAL MATCH (payload:KnownPayload {key: $source})
RETURN properties(provider) AS provider, properties(source) AS source, payload.sha256 AS sha256`;

type ProviderRecord = { readonly provider: Stored };
type SourceRecord = { readonly source: Stored };
type PayloadRecord = { readonly sha256: string | null };

/** A name as a page shows it: without blanks at its ends, and with one blank where there are several. */
const plainName = (name: string): string => name.trim().replace(/ +/g, ' ');

const AT_ENDS =
  'has blanks at its ends, which pages do not show: send the name without them, or choose another one';

const ALIKE =
  'differs only by blanks from a name that exists, and pages show the two alike: send that name, or choose another one';

/**
 * Why a new name could be taken for another one, since pages do not show all blanks; `null` if it could
 * not. Names that exist stay (docs/rules.md: Requests).
 */
const blanksRefusal = (name: string, others: readonly string[]): Failure | null => {
  if (name !== name.trim()) return badField('/name', 'BAD_NAME', AT_ENDS);
  const plain = plainName(name);
  return others.some((other) => plainName(other) === plain)
    ? badField('/name', 'BAD_NAME', ALIKE)
    : null;
};

const notFound = (message: string): Failure => ({ _tag: 'NotFound', message });

const noDataSource = notFound('There is no data source with this id below this provider.');

const found = <A>(provider: A | null): TE.TaskEither<Failure, A> =>
  provider === null ? TE.left(NO_PROVIDER) : TE.right(provider);

const fullOf = (most: number): Failure => ({
  _tag: 'Conflict',
  message: `The provider has ${most} data sources, as many as one may have. Delete those that nothing pushes to.`,
});

const taken = (message: string): Failure => ({ _tag: 'AlreadyExists', message, field: 'name' });

const TAKEN = 'Another provider has this name.';
const TAKEN_PLAIN =
  'Another provider has this name, or one that differs only by blanks: send that name, or choose another one.';

/** Fails if a name that was just added could be taken for another one. */
const refuseBlanks = async (
  tx: Runner,
  name: string,
  others: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const { records } = await tx.run<{ names: readonly string[] }>(others, parameters);
  const refusal = blanksRefusal(name, records[0]?.get('names') ?? []);
  if (refusal !== null) throw new FailedStep(refusal);
};

const oneProvider = (
  graph: Graph,
  statement: string,
  parameters: Readonly<Record<string, unknown>>,
  tell?: (provider: Provider) => EventRecord,
): TE.TaskEither<Failure, Provider | null> =>
  inTransaction(graph, LATEST, async (tx) => {
    const [record] = (await tx.run<ProviderRecord>(statement, parameters)).records;
    if (record === undefined) return null;
    const provider = providerRecord.read(record.get('provider'));
    if (tell !== undefined) await writeEvent(tx, tell(provider));
    return provider;
  });

/**
 * The registry in the graph. Constraints keep names unique, so two processes cannot add one name. A
 * provider has at most `mostDataSources`.
 */
export const graphRegistry = (graph: Graph, mostDataSources = Infinity) => ({
  /** Adds a provider. Fails if another provider has its name. */
  addProvider: (provider: Provider, event: EventRecord): TE.TaskEither<Failure, Provider> => {
    const plain = plainName(provider.name);
    return addUnlessTaken(
      graph,
      taken(plain === provider.name ? TAKEN : TAKEN_PLAIN),
      async (tx) => {
        await tx.run(ADD_PROVIDER, {
          id: provider.id,
          at: event.timestamp,
          plain,
          properties: { ...providerRecord.stored(provider), fold_name: fold(provider.name) },
        });
        await refuseBlanks(tx, provider.name, OTHER_PROVIDERS, { id: provider.id });
        await writeEvent(tx, event);
        return provider;
      },
    );
  },

  /** Adds a data source. Fails if its provider is gone or has a data source of that name. */
  addDataSource: (
    { provider, dataSource }: DataSourceOfProvider,
    event: EventRecord,
  ): TE.TaskEither<Failure, DataSource> =>
    pipe(
      addUnlessTaken(
        graph,
        taken('Another data source of this provider has this name.'),
        async (tx): Promise<DataSource | 'full' | null> => {
          // Acquires the lock of the provider, so that nobody else adds one at the same time.
          const { records } = await tx.run(COUNT_DATA_SOURCES, { provider: provider.id });
          if (Number(records[0]?.get('count') ?? 0) >= mostDataSources) return 'full';
          const added = await tx.run(ADD_DATA_SOURCE, {
            id: dataSource.id,
            provider: provider.id,
            at: event.timestamp,
            properties: {
              id: dataSource.id,
              name: dataSource.name,
              status: dataSource.status,
              provider: provider.name,
              fold_name_in_provider: keyOf(provider.id, dataSource.name),
            },
          });
          if (added.records.length === 0) return null;
          // Connectors call a data source like its provider, whose name may be older than this rule.
          if (dataSource.name !== provider.name) {
            await refuseBlanks(tx, dataSource.name, OTHER_DATA_SOURCES, {
              id: dataSource.id,
              provider: provider.id,
            });
          }
          await writeEvent(tx, event);
          return dataSource;
        },
      ),
      TE.flatMap((added) =>
        added === 'full' ? TE.left(fullOf(mostDataSources)) : TE.right(added),
      ),
      TE.flatMap(found),
    ),

  /** Lists all providers, or those that have one of the names, compared without case. */
  listProviders: (names: readonly string[] | null): TE.TaskEither<Failure, readonly Provider[]> =>
    inTransaction(graph, LATEST, async (tx) => {
      const { records } =
        names === null
          ? await tx.run<ProviderRecord>(LIST_PROVIDERS)
          : await tx.run<ProviderRecord>(LIST_NAMED_PROVIDERS, {
              names: [...new Set(names.map(fold))],
            });
      return records.map((record) => providerRecord.read(record.get('provider')));
    }),

  /** Lists the data sources of a provider. */
  listDataSources: (providerId: string): TE.TaskEither<Failure, readonly DataSource[]> =>
    inTransaction(graph, LATEST, async (tx) => {
      const { records } = await tx.run<SourceRecord>(LIST_DATA_SOURCES, { provider: providerId });
      return records.map((record) => toDataSource(record.get('source'), providerId));
    }),

  /** Changes a provider, and resolves with its new state. */
  changeProvider: (
    id: string,
    changes: ProviderChanges,
    tell: (provider: Provider) => EventRecord,
  ): TE.TaskEither<Failure, Provider> =>
    pipe(oneProvider(graph, CHANGE_PROVIDER, { provider: id, changes }, tell), TE.flatMap(found)),

  /**
   * Lets the next push of a data source pass the removal guard. Resolves with the time at which
   * this permission ends (docs/rules.md: Removal guard).
   */
  allowRemoval: (
    dataSourceId: string,
    tell: (until: string) => EventRecord,
  ): TE.TaskEither<Failure, string> =>
    pipe(
      inTransaction(graph, { mode: 'write' }, async (tx) => {
        const { records } = await tx.run<{ until: string }>(ALLOW_REMOVAL, {
          data_source: dataSourceId,
        });
        const until = records[0]?.get('until') ?? null;
        if (until !== null) await writeEvent(tx, tell(until));
        return until;
      }),
      TE.flatMap((until) => (until === null ? TE.left(noDataSource) : TE.right(until))),
    ),
  /** Finds a provider by its id. */
  findProvider: (id: string): TE.TaskEither<Failure, Provider> =>
    pipe(oneProvider(graph, FIND_PROVIDER, { provider: id }), TE.flatMap(found)),

  /** Finds a data source of this provider by its id. */
  findDataSource: (
    providerId: string,
    dataSourceId: string,
  ): TE.TaskEither<Failure, DataSourceOfProvider> =>
    pipe(
      inTransaction(
        graph,
        LATEST,
        async (tx): Promise<DataSourceOfProvider | null | 'provider'> => {
          const { records } = await tx.run<ProviderRecord & SourceRecord & PayloadRecord>(
            FIND_DATA_SOURCE,
            {
              provider: providerId,
              source: dataSourceId,
            },
          );
          const [record] = records;
          if (record !== undefined) {
            const sha256 = record.get('sha256');
            return {
              provider: providerRecord.read(record.get('provider')),
              dataSource: toDataSource(record.get('source'), providerId),
              ...(sha256 === null ? {} : { payloadSha256: sha256 }),
            };
          }
          const provider = await tx.run(FIND_PROVIDER, { provider: providerId });
          return provider.records.length === 0 ? null : 'provider';
        },
      ),
      TE.flatMap((outcome) =>
        outcome === null
          ? TE.left(NO_PROVIDER)
          : outcome === 'provider'
            ? TE.left(noDataSource)
            : TE.right(outcome),
      ),
    ),
});

/** The providers and data sources. They are in the graph; the process itself stores none. */
export type Registry = ReturnType<typeof graphRegistry>;

/** The records of providers and data sources. */
export const providersOf = oncePerContext(({ graph, config }) =>
  graphRegistry(graph, config.limits.dataSources),
);
