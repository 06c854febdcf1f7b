import { randomUUID } from 'node:crypto';

import type { TaskEither } from 'fp-ts/TaskEither';

import type { Provider, WantedProvider } from '../contract/records/provider';
import { providerEvent } from '../graph/records/event';
import type { KeyAct } from '../graph/records/event-record';
import type { Failure } from '../problem';
import type { Registry } from '../graph/records/registry';
import { events } from './events';

/** A request to register a provider (docs/rules.md: Requests). */
export interface RegisterProvider extends KeyAct {
  readonly wanted: WantedProvider;
  /** The id of the new provider; unset: the service chooses one. A form that is sent twice has one. */
  readonly id?: string;
}

/**
 * Registers a provider. It is `ENABLED`, and its lists of types are empty until the first push
 * (docs/rules.md: Requests).
 */
export const registerProvider =
  ({ registry }: { readonly registry: Registry }) =>
  ({
    wanted,
    id = randomUUID(),
    requestId,
    by,
  }: RegisterProvider): TaskEither<Failure, Provider> => {
    const { name, custom_template } = wanted;
    const provider: Provider = {
      id,
      state: 'ENABLED',
      application_types: [],
      resource_types: [],
      idp_types: [],
      ...wanted,
    };
    const occasion = { at: new Date().toISOString(), requestId, by };
    const event = providerEvent(provider, occasion, {
      severity: 'INFO',
      name: 'Provider registered',
      message: `Provider ${JSON.stringify(name)} is registered with the template ${custom_template}.`,
      event_type: events.PROVIDER_REGISTERED,
    });
    return registry.addProvider(provider, event);
  };
