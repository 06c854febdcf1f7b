import { setTimeout as sleep } from 'node:timers/promises';

import { oncePerContext } from '../../context';
import { eventWriterOf } from '../../graph/records/event-record';
import { graphScimConnections } from './connection-records';
import { plannedMemoryOf } from '../../memory/memory-at-hand';
import { sealingKeyOf } from '../../secrets/vault-key';
import { addMembers, deprovision, provision, removeMembers, update } from '../actions/act';
import { findConnection, removeConnection, setConnection } from './set-connection';
import type { ProvisioningDependencies } from './reaching';
import { testConnection } from './test-connection';
import { LIMITS } from '../client/requests/exchange';
import { httpTransport } from '../client/requests/transport';
import { keyShare, Turns } from '../../web/admission/turns';

/** How many readings of applications by request run at once. */
const AT_ONCE = 4;
const WAIT_SECONDS = 60;

/**
 * The turns of requests that read a complete application: imports, and plans of policies. Each
 * holds memory for a while (docs/security.md: One caller does not starve the others).
 */
const readingTurns = (): Turns =>
  new Turns({
    atOnce: AT_ONCE,
    ofKey: keyShare(AT_ONCE),
    patience: {
      seconds: WAIT_SECONDS,
      keyBusy: `The key has ${keyShare(AT_ONCE)} applications being read; try again when one is done.`,
      allBusy: 'Too many applications are being read; try again later.',
    },
  });

/** The most bytes that the service reads of an answer: a group of 100,000 members has 10 MB. */
const MOST_BYTES = 16 * 1024 ** 2;

/** An action may hold one part in so many of the memory with what it reads of an application. */
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
