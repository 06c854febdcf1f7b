import { randomUUID } from 'node:crypto';

import type { TaskEither } from 'fp-ts/TaskEither';

import type { Provider } from '../../contract/answers/registry';
import { NO_SCHEMA_DEFINITION } from '../../graph/records/provider-record';
import type { Registry } from './registry-records';
import type { Template } from '../../templates/templates';
import type { Failure } from '../../problem';
import { providerEvent } from '../../graph/records/event';
import type { KeyAct } from '../../graph/records/event-record';

/** A request to register a provider (docs/rules.md: Requests). */
export interface RegisterProvider extends KeyAct {
  readonly name: string;
  readonly template: Template;
  readonly lifecycleManagementType: string | null;
  readonly isProvisioning: boolean;
  readonly schemaDefinition: string | null;
}

/**
 * Registers a provider. It is `ENABLED`, and its lists of types are empty until the first push
 * (docs/rules.md: Requests).
 */
export const registerProvider =
  ({ registry }: { readonly registry: Registry }) =>
  ({
    name,
    template,
    lifecycleManagementType,
    isProvisioning,
    schemaDefinition,
    requestId,
    by,
  }: RegisterProvider): TaskEither<Failure, Provider> => {
    const provider: Provider = {
      id: randomUUID(),
      name,
      custom_template: template,
      state: 'ENABLED',
      application_types: [],
      resource_types: [],
      idp_types: [],
      external_lifecycle_management_type: lifecycleManagementType,
      provisioning: isProvisioning,
      schema_definition_json: schemaDefinition ?? NO_SCHEMA_DEFINITION,
    };
    const occasion = { at: new Date().toISOString(), requestId, by };
    const event = providerEvent(provider, occasion, {
      severity: 'INFO',
      name: 'Provider registered',
      message: `Provider "${name}" is registered with the template ${template}.`,
      event_type: 'PROVIDER_REGISTERED',
    });
    return registry.addProvider(provider, event);
  };
