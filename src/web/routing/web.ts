import type { TaskEither } from 'fp-ts/TaskEither';

import type { Log } from '../../log';
import type { Failure } from '../../problem';
import type { Handle } from '../exchange/handle';
import type { Respond } from '../exchange/respond';
import type { RunningWork } from '../exchange/running-work';
import type { Route } from './route';

/** Checks whether the service can write to the graph now. Returns the store version. */
export type CheckReady = () => TaskEither<Failure, number>;

/** What features need to make their routes. */
export interface Web {
  readonly log: Log;
  readonly handle: Handle;
  /** Handles questions to the graph; a key may run a limited number of them at once. */
  readonly question: Handle;
  readonly respond: Respond;
  readonly running: RunningWork;
  /** Whether the graph answers now. */
  readonly checkReady: CheckReady;
  /** All routes of the service. */
  readonly routes: () => readonly Route[];
}
