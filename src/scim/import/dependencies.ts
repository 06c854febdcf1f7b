import type { TaskEither } from 'fp-ts/TaskEither';

import type { ScimImports } from './import-records';
import type { ImportedAccounts } from '../reading/imported-accounts';
import type { Registry } from '../../graph/records/registry';
import type { Failure } from '../../problem';
import type { ProvisioningDependencies } from '../connections/reaching';
import type { PlanResult } from '../../push/plan/contract';
import type { AcceptedPush } from '../../push/run/contract';
import type { SentPlan, SentPush } from '../../push/receive/contract';
import type { Turns } from '../../web/admission/turns';

/** What imports of applications depend on. */
export interface ImportDependencies {
  readonly provisioning: ProvisioningDependencies;
  readonly imports: ScimImports;
  readonly existing: (dataSource: string, application: string) => ImportedAccounts;
  readonly registry: Registry;
  /** The turns of imports by request. */
  readonly turns: Turns;
  /** The largest payload that a push accepts. */
  readonly payloadBytes: number;
  readonly takePush: (push: SentPush) => TaskEither<Failure, AcceptedPush>;
  readonly takePlan: (push: SentPlan) => TaskEither<Failure, PlanResult>;
}
