import { setTimeout as sleep } from 'node:timers/promises';

import { oncePerContext } from '../../context';
import { eventWriterOf } from '../../features/events/contract';
import { graphScimConnections } from './connection-records';
import { plannedMemoryOf } from '../../push/contract';
import { sealingKeyOf } from '../../secrets/vault-key';
import { addMembers, deprovision, provision, removeMembers, update } from '../actions/act';
import { findConnection, removeConnection, setConnection } from './set-connection';
import type { ProvisioningDependencies } from './reaching';
import { testConnection } from './test-connection';
import { readingTurns } from './reading-turns';
import { LIMITS } from '../client/requests/exchange';
import { httpTransport } from '../client/requests/transport';

/** The most bytes that the service reads of an answer: a group of 100,000 members has 10 MB. */
const MOST_BYTES = 16 * 1024 ** 2;

/** The share of the memory that an action may hold of an application, which is not the service's own. */
const HELD_SHARE = 16;

/** How the service reaches the applications of providers. */
export const reachingOf = oncePerContext((context): ProvisioningDependencies => {
  const { scim } = context.config;
  const allowed = { hosts: scim.hosts ?? [], networks: scim.networks ?? [] };
  return {
    connections: graphScimConnections(context.graph),
    vaultKey: sealingKeyOf(context),
    transport: httpTransport(allowed, { mostBytes: MOST_BYTES }),
    allowed,
    clock: {
      now: () => Date.now(),
      sleep: async (milliseconds) => void (await sleep(milliseconds, undefined, { ref: false })),
      random: () => Math.random(),
    },
    limits: { ...LIMITS, heldBytes: Math.floor(plannedMemoryOf(context).memory / HELD_SHARE) },
    writeEvent: eventWriterOf(context),
  };
});

/** Connections to the applications of providers, and what callers do there by hand. */
export const connectionsOf = oncePerContext((context) => {
  const reaching = reachingOf(context);
  return {
    set: setConnection(reaching),
    find: findConnection(reaching),
    remove: removeConnection(reaching),
    test: testConnection(reaching),
    provision: provision(reaching),
    update: update(reaching),
    deprovision: deprovision(reaching),
    addMembers: addMembers(reaching),
    removeMembers: removeMembers(reaching),
  };
});

/** The turns of requests that make the service read an application. */
export const readingTurnsOf = oncePerContext(() => readingTurns());
