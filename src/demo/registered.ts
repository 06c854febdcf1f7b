import type { Client } from '../client/client';
import { endpoints as registry } from '../registry/endpoints';

/** Registers a provider whose application the service may change, unless it exists, and returns its id. */
export const registered = async (client: Client, called: string): Promise<string> => {
  for await (const { id, name } of client.entries(registry.list, {})) {
    if (name === called) return id;
  }
  const body = {
    name: called,
    custom_template: 'application',
    external_lifecycle_management_type: 'SCIM',
    provisioning: true,
  } as const;
  return (await client.call(registry.register, {}, { body })).value.id;
};
