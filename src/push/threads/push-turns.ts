import type { TaskEither } from 'fp-ts/TaskEither';

import type { Actor } from '../../graph/records/event-record';
import type { DataSourceOfProvider } from '../../graph/records/provider-record';
import { DataSourceBusy } from '../graph/store';
import { heldFailure } from '../change/push-refusal';
import type { Failure } from '../../problem';
import { keyOf, keyShare, Turns } from '../../web/admission/turns';

/**
 * The turns of pushes. Pushes to one data source run one after the other: a second one would hold a
 * connection while it waits for the lock of the data source. At most `atOnce` pushes to different
 * data sources run at once, and half of them may be of one key.
 */
export const pushTurns = (atOnce: number, waitSeconds: number): Turns =>
  new Turns({
    atOnce,
    ofKey: keyShare(atOnce),
    patience: {
      seconds: waitSeconds,
      dataSourceBusy: heldFailure(new DataSourceBusy()),
      keyBusy: `The key has ${keyShare(atOnce)} pushes running; try again when one is done.`,
      allBusy: 'Too many pushes are running; try again later.',
    },
  });

/**
 * The turns of dry runs: plans and verifications. Each holds locks that pushes of all others need, and
 * costs its sender nothing, so one key has one of them at a time.
 */
export const dryRunTurns = (atOnce: number, waitSeconds: number): Turns =>
  new Turns({
    atOnce: keyShare(atOnce),
    ofKey: 1,
    patience: {
      seconds: waitSeconds,
      keyBusy: 'The key has a plan or a verification running; try again when it is done.',
      allBusy: 'Too many plans and verifications are running; try again later.',
    },
  });

/**
 * The key that wants work that waits for turns, and the data source that the work locks, if it
 * locks one.
 */
export interface ActInTurn {
  /** Unset: the service itself. */
  readonly by?: Actor | undefined;
  readonly source?: DataSourceOfProvider;
}

/**
 * Lets work wait for its turn: work that waits for locks of data sources, such as a deletion, uses
 * the turns of pushes. It holds a connection while it waits, so one key has few of them at once.
 */
export const takingTurns =
  (turns: Turns) =>
  <A>({ by, source }: ActInTurn, work: TaskEither<Failure, A>): TaskEither<Failure, A> =>
    turns.run(
      { key: keyOf(by), ...(source !== undefined && { dataSource: source.dataSource.id }) },
      work,
    );
