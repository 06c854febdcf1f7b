import type { EventRecord } from '../../graph/records/event-record';
import type { SealedConnection } from '../../graph/provisioning/scim-connections';
import { seal, sealedBy, unseal, type VaultKey } from '../../vault';
import { serviceEvent } from '../events/event';
import { boundTo } from './connections';

/**
 * Seals secrets with another key. What has that key already stays, so an interrupted rotation can be
 * repeated. Throws `SealBroken` if the old key does not open one: then nothing is written.
 */
export const resealed =
  (oldKey: VaultKey, newKey: VaultKey) =>
  ({ provider, secrets, ...sent }: SealedConnection): string | null => {
    if (sealedBy(secrets) === newKey.id) return null;
    const owner = boundTo(provider, sent);
    return seal(newKey, owner, unseal(oldKey, owner, secrets));
  };

/** Makes the event of a rotation. */
export const resealEvent = ({ id }: VaultKey, count: number): EventRecord =>
  serviceEvent(
    { at: new Date().toISOString() },
    {
      severity: 'INFO',
      name: 'Secrets sealed anew',
      event_type: 'SECRETS_RESEALED',
      message: `The secrets of ${count} connections are sealed with another key.`,
      metadata: { connections: count, key: id },
    },
  );
