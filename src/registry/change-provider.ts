import type { TaskEither } from 'fp-ts/TaskEither';

import type { Provider } from '../contract/records/provider';
import type { DataSourceOfProvider, ProviderChanges } from '../graph/records/provider-record';
import type { Registry } from '../graph/records/registry';
import type { Failure } from '../problem';
import { dataSourceEvent, providerEvent } from '../graph/records/event';
import type { KeyAct } from '../graph/records/event-record';
import { events } from './events';

/** What these use cases depend on. */
export interface SettingsDependencies {
  readonly registry: Pick<Registry, 'changeProvider' | 'allowRemoval'>;
}

const now = (): string => new Date().toISOString();

/** Changes a provider and writes an event. */
export const changeProvider =
  ({ registry }: SettingsDependencies) =>
  (id: string, changes: ProviderChanges, act: KeyAct): TaskEither<Failure, Provider> =>
    registry.changeProvider(id, changes, (provider) =>
      providerEvent(
        provider,
        { at: now(), ...act },
        {
          severity: 'INFO',
          name: 'Provider changed',
          message: `Provider ${JSON.stringify(provider.name)} was changed.`,
          event_type: events.PROVIDER_CHANGED,
          metadata: { changes },
        },
      ),
    );

/**
 * Lets the next push to a data source pass the removal guard, and writes an event. Resolves with
 * the time at which this permission ends.
 */
export const allowRemoval =
  ({ registry }: SettingsDependencies) =>
  (source: DataSourceOfProvider, act: KeyAct): TaskEither<Failure, string> =>
    registry.allowRemoval(source.dataSource.id, (until) =>
      dataSourceEvent(
        source,
        { at: now(), ...act },
        {
          severity: 'WARNING',
          name: 'Removal allowed',
          message: `The next push to data source ${JSON.stringify(source.dataSource.name)} may remove as much as it wants, until ${until}.`,
          event_type: events.REMOVAL_ALLOWED,
          metadata: { until },
        },
      ),
    );
