import { randomUUID } from 'node:crypto';

import * as TE from 'fp-ts/TaskEither';

import type { DataSource } from '../contract/answers/registry';
import type { Provider } from '../contract/records/provider';
import type { Registry } from '../graph/records/registry';
import type { Failure } from '../problem';
import { dataSourceEvent } from '../graph/records/event';
import type { KeyAct } from '../graph/records/event-record';
import { events } from './events';

/** A request to create a data source (docs/rules.md: Requests). */
export interface CreateDataSource extends KeyAct {
  readonly provider: Provider;
  readonly name: string;
  /** The id of the new data source; unset: the service chooses one. */
  readonly id?: string;
}

/**
 * Creates a data source under a provider. It is `PENDING` until its first push (docs/rules.md:
 * Requests).
 */
export const createDataSource =
  ({ registry }: { readonly registry: Registry }) =>
  ({
    provider,
    name,
    id = randomUUID(),
    requestId,
    by,
  }: CreateDataSource): TE.TaskEither<Failure, DataSource> => {
    if (provider.state === 'DELETING') {
      return TE.left({ _tag: 'Conflict', message: 'The provider is being deleted.' });
    }
    const dataSource: DataSource = {
      id,
      name,
      status: 'PENDING',
      provider_id: provider.id,
      last_push: null,
      last_push_at: null,
      rows: 0,
      digest: null,
      pending: null,
    };
    const occasion = { at: new Date().toISOString(), requestId, by };
    const event = dataSourceEvent({ provider, dataSource }, occasion, {
      severity: 'INFO',
      name: 'Data source created',
      message: `Data source ${JSON.stringify(name)} is created under provider ${JSON.stringify(provider.name)}.`,
      event_type: events.DATASOURCE_CREATED,
    });
    return registry.addDataSource({ provider, dataSource }, event);
  };
