import type { Provider } from '../../contract/records/provider';
import type { ScimConnections } from './connection-records';
import type { EventRecord } from '../../graph/records/event-record';
import type { Failure } from '../../problem';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { AllowedAddresses } from '../client/requests/allowed-address';
import type { Clock, ExchangeLimits } from '../client/requests/exchange';
import type { Transport } from '../client/requests/transport';
import type { VaultKey } from '../../secrets/vault';
import type { KeyAct } from '../../graph/records/event-record';

/** What provisioning depends on. */
export interface ProvisioningDependencies {
  readonly connections: ScimConnections;
  /** The key that seals secrets. It is read each time, so a rotation needs no restart. */
  readonly vaultKey: () => Promise<VaultKey>;
  readonly transport: Transport;
  readonly allowed: AllowedAddresses;
  readonly clock: Clock;
  readonly limits: ExchangeLimits;
  readonly writeEvent: (event: EventRecord) => TaskEither<Failure, void>;
}

/** An action of a caller on the application of a provider. */
export interface Acting {
  readonly provider: Provider;
  readonly act: KeyAct;
  /** Ids of the providers to which the caller's key is limited; null: no limit. */
  readonly limitedTo: readonly string[] | null;
  readonly isDryRun: boolean;
}
