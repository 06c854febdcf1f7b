import type { LifecycleRecords } from './graph/lifecycle-records';
import type { People } from './graph/people';
import type { Policies } from './graph/policies';
import type { Registry } from '../../graph/records/registry';
import type { ProvisioningDependencies } from '../connections/reaching';
import type { Retries } from '../../background';

/** What becomes of actions, for the metrics. */
export type CountAction = (kind: string, outcome: 'done' | 'failed' | 'dead') => void;

/** What policies depend on. */
export interface LifecycleDependencies {
  readonly provisioning: ProvisioningDependencies;
  readonly registry: Pick<Registry, 'findProvider'>;
  readonly policies: Policies;
  readonly people: People;
  readonly records: LifecycleRecords;
  /** When a failed action is tried again, and when it is given up. */
  readonly retries: Retries;
  /** After how many hours the application is read completely again; 0: never. */
  readonly fullHours: number;
  /** How many actions run at once. */
  readonly atOnce: number;
  /** How long a request waits for the end of a run. */
  readonly waitSeconds: number;
  readonly count: CountAction;
}
