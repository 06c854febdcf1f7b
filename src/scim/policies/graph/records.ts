import type { ACTION_KINDS, ACTION_STATUSES, RUN_OUTCOMES } from '../endpoints';

/** What an action changes. */
export type ActionKind = (typeof ACTION_KINDS)[number];

/** The state of an account that a policy made. */
export type AccountState = 'ACTIVE' | 'LEAVING' | 'DISABLED' | 'DELETED' | 'RELEASED';

/** An account that a policy made or adopted, as it is recorded. */
export interface ManagedAccount {
  /** The key of the person's node. */
  readonly person: string;
  readonly policy: string;
  /** Null if none exists. */
  readonly account: string | null;
  /** Ids that the application gave the person's account before, the newest first. */
  readonly former: readonly string[];
  /** Whether it may have been created, and nobody has seen it yet. */
  readonly isCreating: boolean;
  readonly userName: string | null;
  readonly externalId: string | null;
  /** Of its attributes as last written; null while a change has begun and not ended. */
  readonly digest: string | null;
  readonly ignored: readonly string[];
  /** Digests of the ignored attributes with their values. */
  readonly ignoredValues: readonly string[];
  readonly groups: readonly string[];
  /** Groups that a change has begun for and not ended: it may be in them or not. */
  readonly unsureGroups: readonly string[];
  readonly isAdopted: boolean;
  readonly state: AccountState;
  /** RFC 3339; empty before it is written. */
  readonly since: string;
  readonly leftAt: string | null;
  readonly deleteAt: string | null;
}

/** The status of an action. */
export type ActionStatus = (typeof ACTION_STATUSES)[number];

/** An action, as it is recorded. Times are in RFC 3339. */
export interface StoredAction {
  readonly id: string;
  readonly kind: ActionKind;
  /** Empty if a review ordered it. */
  readonly policy: string;
  readonly people: readonly string[];
  readonly account: string | null;
  readonly group: string | null;
  readonly wanted: string;
  readonly why: string;
  readonly status: ActionStatus;
  readonly attempts: number;
  readonly outcome: string | null;
  readonly problem: { readonly code: string; readonly message: string } | null;
  readonly plannedAt: string;
  readonly nextTry: string | null;
  readonly finishedAt: string | null;
}

/** What the graph holds of the reconciliation of a provider. */
export interface ReconcilerState {
  readonly isHeld: boolean;
  readonly turn: number;
  /** How often somebody requested a run, and how many of these requests a run has answered. */
  readonly asked: number;
  readonly answered: number;
  readonly runAt: string | null;
  readonly fullRunAt: string | null;
  readonly outcome: RunOutcome | null;
  readonly problem: string | null;
  readonly failures: number;
  readonly retryAt: string | null;
  /** What the guard waits for: leavers and joiners that somebody must confirm. */
  readonly waiting: {
    readonly token: string;
    readonly people: number;
    readonly joiners: number;
  } | null;
  /** When the run began whose plan the guard last let pass. */
  readonly passedAt: string | null;
  readonly confirmedToken: string | null;
  readonly reportDigest: string | null;
  readonly driftDigest: string | null;
  readonly driftCount: number;
  /** Whether the application has ever shown a member of a group. */
  readonly showsMembers: boolean;
}

/** The result of a run. */
export type RunOutcome = (typeof RUN_OUTCOMES)[number];
