import { v7 as timeOrderedUuid } from 'uuid';

import type { Actor, EventRecord } from '../../graph/records/event-record';
import type { DataSourceOfProvider, Provider } from '../../graph/records/provider-record';

/**
 * What every event of a request has: when, and which request. Events of one moment are listed by their ids, which tell their order: first that a
 * push is accepted, then that it has warnings.
 */
export interface Occasion {
  /** RFC 3339, in UTC. */
  readonly at: string;
  readonly requestId: string;
  /** Whose key asked for it; unknown of what an earlier release began. */
  readonly by?: Actor | undefined;
}

/** What the metadata of an event tell of its occasion. */
const occasionFields = ({ requestId, by }: Occasion): EventRecord['metadata'] => ({
  request_id: requestId,
  ...(by === undefined ? {} : { by: { key_id: by.keyId, name: by.name } }),
});

type Told = Pick<EventRecord, 'severity' | 'name' | 'message' | 'event_type'> &
  Partial<Pick<EventRecord, 'metadata' | 'error'>>;

/** An event about a provider (docs/rules.md: Events). */
export const providerEvent = (
  { id, name }: Pick<Provider, 'id' | 'name'>,
  occasion: Occasion,
  told: Told,
): EventRecord => ({
  id: timeOrderedUuid(),
  timestamp: occasion.at,
  category: 'INTEGRATIONS',
  entity: 'PROVIDER',
  entity_id: id,
  entity_name: name,
  provider_id: id,
  ...told,
  metadata: { ...occasionFields(occasion), ...told.metadata },
});

/** An event about a data source (docs/rules.md: Events). */
export const dataSourceEvent = (
  {
    provider,
    dataSource,
  }: {
    provider: Pick<DataSourceOfProvider['provider'], 'id'>;
    dataSource: Pick<DataSourceOfProvider['dataSource'], 'id' | 'name'>;
  },
  occasion: Occasion,
  told: Told,
): EventRecord => ({
  id: timeOrderedUuid(),
  timestamp: occasion.at,
  category: 'INTEGRATIONS',
  entity: 'DATASOURCE',
  entity_id: dataSource.id,
  entity_name: dataSource.name,
  provider_id: provider.id,
  ...told,
  metadata: { ...occasionFields(occasion), ...told.metadata },
});

/** An event about a team key, which no key that is limited to providers sees. */
export const teamKeyEvent = (
  { id, name }: { readonly id: string; readonly name: string },
  occasion: Occasion,
  told: Told,
): EventRecord => ({
  id: timeOrderedUuid(),
  timestamp: occasion.at,
  category: 'SYSTEM',
  entity: 'TEAM_KEY',
  entity_id: id,
  entity_name: name,
  provider_id: '',
  ...told,
  metadata: { ...occasionFields(occasion), ...told.metadata },
});

/** An event about the service itself, which no key that is limited to providers sees. */
export const serviceEvent = (at: string, told: Told): EventRecord => ({
  id: timeOrderedUuid(),
  timestamp: at,
  category: 'SYSTEM',
  entity: 'SERVICE',
  entity_id: '',
  entity_name: '',
  provider_id: '',
  metadata: {},
  ...told,
});
