import type { EventRecord } from '../../graph/records/event-record';
import type { Resealed, Rotation, SealedConnection } from './connection-records';
import { seal, SealBroken, sealedBy, unseal, type VaultKey } from '../../secrets/vault';
import { serviceEvent } from '../../graph/records/event';
import { boundTo } from './set-connection';
import { events } from './events';

/**
 * Seals secrets with another key. It does not change secrets that have that key already, so an
 * interrupted rotation can be repeated. Returns the fault of a secret that the old key does not
 * open.
 */
export const resealed =
  (oldKey: VaultKey, newKey: VaultKey) =>
  ({ provider, secrets, ...sent }: SealedConnection): Resealed => {
    if (sealedBy(secrets) === newKey.id) return null;
    const owner = boundTo(provider, sent);
    try {
      return seal(newKey, owner, unseal(oldKey, owner, secrets));
    } catch (error) {
      if (error instanceof SealBroken) return error;
      throw error;
    }
  };

/** Makes the event of a rotation. */
export const resealEvent = (
  { id }: VaultKey,
  { count, damaged }: Pick<Rotation, 'count' | 'damaged'>,
): EventRecord =>
  serviceEvent(
    { at: new Date().toISOString() },
    {
      severity: damaged.length === 0 ? 'INFO' : 'WARNING',
      name: 'Secrets sealed again',
      event_type: events.SECRETS_RESEALED,
      message:
        `The secrets of ${count} connections are sealed with another key.` +
        (damaged.length === 0 ? '' : ` Those of ${damaged.length} do not open: set them again.`),
      metadata: {
        connections: count,
        key: id,
        ...(damaged.length === 0 ? {} : { damaged: damaged.map(({ provider }) => provider) }),
      },
    },
  );
