import { setTimeout as sleep } from 'node:timers/promises';

import type { Config } from '../config';
import type { Graph } from '../graph/connection/driver';
import { graphScimConnections } from '../graph/provisioning/scim-connections';
import { graphEventWriter } from '../graph/records/event-record';
import { LIMITS } from '../scim/requests/exchange';
import { httpTransport } from '../scim/requests/transport';
import type { ProvisioningDependencies } from '../service/provisioning/dependencies';
import { vaultKeySource } from './vault-key';

/** The most bytes that the service reads of an answer: a group of 100,000 members has 10 MB. */
const MOST_BYTES = 16 * 1024 ** 2;

/** The share of the memory that an action may hold of an application, which is not the service's own. */
const HELD_SHARE = 16;

/** Puts together what provisioning needs. */
export const composeProvisioning = (
  config: Config,
  graph: Graph,
  memory: number,
): ProvisioningDependencies => {
  const allowed = { hosts: config.scim.hosts ?? [], networks: config.scim.networks ?? [] };
  return {
    connections: graphScimConnections(graph),
    vaultKey: vaultKeySource(config),
    transport: httpTransport(allowed, { mostBytes: MOST_BYTES }),
    allowed,
    clock: {
      now: () => Date.now(),
      sleep: async (milliseconds) => void (await sleep(milliseconds, undefined, { ref: false })),
      random: () => Math.random(),
    },
    limits: { ...LIMITS, heldBytes: Math.floor(memory / HELD_SHARE) },
    writeEvent: graphEventWriter(graph),
  };
};
