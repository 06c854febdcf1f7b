import { setTimeout as sleep } from 'node:timers/promises';

import type { Client } from '../client/client';
import { endpoints as policies } from '../scim/policies/endpoints';

const PAUSE_MS = 200;

/** Runs the policies of a provider, and waits until they have run, also if the service runs them by itself. */
export const runPolicies = async (client: Client, providerId: string): Promise<void> => {
  for (;;) {
    const { value } = await client.call(policies.run, { providerId });
    if (!value.running) return;
    await sleep(PAUSE_MS);
  }
};
