import { v7 as timeOrderedUuid } from 'uuid';

import type { EventRecord } from '../../graph/records/event-record';
import type { DataSourceOfProvider, Provider } from '../../graph/records/provider-record';

/**
 * What every event of a request has: when, and which request. Events of one moment are listed by their ids, which tell their order: first that a
 * push is accepted, then that it has warnings.
 */
export interface Occasion {
  /** RFC 3339, in UTC. */
  readonly at: string;
  readonly requestId: string;
}

type Told = Pick<EventRecord, 'severity' | 'name' | 'message' | 'event_type'> &
  Partial<Pick<EventRecord, 'metadata' | 'error'>>;

/** An event about a provider (api.md 6). */
export const providerEvent = (
  { id, name }: Pick<Provider, 'id' | 'name'>,
  { at, requestId }: Occasion,
  told: Told,
): EventRecord => ({
  id: timeOrderedUuid(),
  timestamp: at,
  category: 'INTEGRATIONS',
  entity: 'PROVIDER',
  entity_id: id,
  entity_name: name,
  provider_id: id,
  ...told,
  metadata: { request_id: requestId, ...told.metadata },
});

/** An event about a data source (api.md 6). */
export const dataSourceEvent = (
  {
    provider,
    dataSource,
  }: {
    provider: Pick<DataSourceOfProvider['provider'], 'id'>;
    dataSource: Pick<DataSourceOfProvider['dataSource'], 'id' | 'name'>;
  },
  { at, requestId }: Occasion,
  told: Told,
): EventRecord => ({
  id: timeOrderedUuid(),
  timestamp: at,
  category: 'INTEGRATIONS',
  entity: 'DATASOURCE',
  entity_id: dataSource.id,
  entity_name: dataSource.name,
  provider_id: provider.id,
  ...told,
  metadata: { request_id: requestId, ...told.metadata },
});
