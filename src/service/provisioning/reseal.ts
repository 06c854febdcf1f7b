import type { EventRecord } from '../../graph/records/event-record';
import { seal, sealedBy, unseal, type VaultKey } from '../../vault';
import { serviceEvent } from '../events/event';

/**
 * Seals secrets with another key. What has that key already stays, so an interrupted rotation can be
 * repeated. Throws `SealBroken` if the old key does not open one: then nothing is written.
 */
export const resealed =
  (oldKey: VaultKey, newKey: VaultKey) =>
  (provider: string, secrets: string): string | null =>
    sealedBy(secrets) === newKey.id
      ? null
      : seal(newKey, provider, unseal(oldKey, provider, secrets));

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
