import { v7 as timeOrderedUuid } from 'uuid';

import type { Provider } from '../../contract/records/provider';
import { type Actor, type EventRecord, actorAnswer } from './event-record';
import type { DataSourceOfProvider } from './provider-record';

/**
 * What all events of a request have in common. Lists order events of one moment by their ids. So
 * the ids must rise in the order in which the service makes the events, such as "accepted" before
 * "has warnings".
 */
export interface Occasion {
  /** RFC 3339, in UTC. */
  readonly at: string;
  readonly requestId: string;
  /** The key that made the request; unset: the service acts by itself. */
  readonly by?: Actor | undefined;
}

/** The request id and the acting key, as metadata of an event. */
const occasionFields = ({ requestId, by }: Occasion): EventRecord['metadata'] => ({
  request_id: requestId,
  ...(by === undefined ? {} : { by: actorAnswer(by) }),
});

type EventText = Pick<EventRecord, 'severity' | 'name' | 'message' | 'event_type'> &
  Partial<Pick<EventRecord, 'metadata' | 'error'>>;

/** What an event is about. */
type About = Pick<EventRecord, 'category' | 'entity' | 'entity_id' | 'entity_name' | 'provider_id'>;

const eventOf = (
  about: About,
  occasion: Occasion | Pick<Occasion, 'at'>,
  text: EventText,
): EventRecord => ({
  id: timeOrderedUuid(),
  timestamp: occasion.at,
  ...about,
  ...text,
  metadata: {
    ...('requestId' in occasion ? occasionFields(occasion) : {}),
    ...text.metadata,
  },
});

/** Makes an event about a provider (docs/rules.md: Events). */
export const providerEvent = (
  { id, name }: Pick<Provider, 'id' | 'name'>,
  occasion: Occasion,
  text: EventText,
): EventRecord =>
  eventOf(
    {
      category: 'INTEGRATIONS',
      entity: 'PROVIDER',
      entity_id: id,
      entity_name: name,
      provider_id: id,
    },
    occasion,
    text,
  );

/** Makes an event about a data source (docs/rules.md: Events). */
export const dataSourceEvent = (
  {
    provider,
    dataSource,
  }: {
    provider: Pick<DataSourceOfProvider['provider'], 'id'>;
    dataSource: Pick<DataSourceOfProvider['dataSource'], 'id' | 'name'>;
  },
  occasion: Occasion,
  text: EventText,
): EventRecord =>
  eventOf(
    {
      category: 'INTEGRATIONS',
      entity: 'DATASOURCE',
      entity_id: dataSource.id,
      entity_name: dataSource.name,
      provider_id: provider.id,
    },
    occasion,
    text,
  );

/** Makes an event about a team key. Keys that are limited to providers do not see it. */
export const teamKeyEvent = (
  { id, name }: { readonly id: string; readonly name: string },
  occasion: Occasion,
  text: EventText,
): EventRecord =>
  eventOf(
    { category: 'SYSTEM', entity: 'TEAM_KEY', entity_id: id, entity_name: name, provider_id: '' },
    occasion,
    text,
  );

/**
 * Makes an event about the service itself: something that a request did, or that the service noticed
 * at some time. Keys that are limited to providers do not see it.
 */
export const serviceEvent = (
  occasion: Occasion | Pick<Occasion, 'at'>,
  text: EventText,
): EventRecord =>
  eventOf(
    { category: 'SYSTEM', entity: 'SERVICE', entity_id: '', entity_name: '', provider_id: '' },
    occasion,
    text,
  );
