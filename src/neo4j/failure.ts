import { Neo4jError } from 'neo4j-driver';

import type { Failure } from '../problem';
import { Unwanted } from './unwanted';

const CONNECTIVITY = new Set(['ServiceUnavailable', 'SessionExpired', 'ProtocolError']);

// The driver gives these errors no code.
const NO_CONNECTION = /acquisition timed out|pool is closed/i;

// The message of the driver, without a code, for each statement after one that failed.
const AFTER_FAILURE = /because it has been rolled back either because of an error/;

const LOST_TO_ANOTHER = new Set([
  'Neo.TransientError.Transaction.DeadlockDetected',
  'Neo.TransientError.Transaction.LockAcquisitionTimeout',
  'Neo.ClientError.Transaction.LockClientStopped',
]);

const OUT_OF_TIME = new Set([
  'Neo.ClientError.Transaction.TransactionTimedOut',
  'Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration',
]);

// A repeat would fail in the same way, or has waited long enough already.
const HOPELESS = new Set([
  'Neo.TransientError.General.OutOfMemoryError',
  'Neo.TransientError.General.StackOverFlowError',
  'Neo.TransientError.General.MemoryPoolOutOfMemoryError',
  'Neo.TransientError.General.TransactionOutOfMemoryError',
  'Neo.TransientError.Transaction.LockAcquisitionTimeout',
]);

/** Whether Neo4j ended the transaction because it lasted too long or used too much memory. */
export const isTooMuch = (error: unknown): boolean =>
  error instanceof Neo4jError && (OUT_OF_TIME.has(error.code) || HOPELESS.has(error.code));

// The server itself is broken. With a full disk, for example, Neo4j refuses changes, or stops the
// database until it is started again.
const ILL = /^Neo\.DatabaseError\.(Transaction|General|Database)\./;
const TAKES_NO_CHANGES = 'Neo.ClientError.General.WriteOnReadOnlyAccessDatabase';

/** Neo4j does not answer any more. Nobody knows whether it ran the last statement. */
export class NoAnswer extends Error {
  constructor() {
    super('Neo4j does not answer.');
  }
}

/**
 * Whether the service could not reach Neo4j. Nobody knows then whether Neo4j ran the transaction.
 */
export const isConnectivity = (error: unknown): boolean =>
  error instanceof Neo4jError &&
  (CONNECTIVITY.has(error.code) || NO_CONNECTION.test(error.message));

/** Whether the statement did not run since another statement of its transaction had failed. */
export const isAfterFailure = (error: unknown): boolean =>
  error instanceof Neo4jError && AFTER_FAILURE.test(error.message);

/**
 * Whether Neo4j rolled the transaction back for a passing reason, such as a deadlock. Then the same
 * transaction may succeed when it runs again.
 */
export const isTransient = (error: unknown): boolean =>
  error instanceof Neo4jError &&
  !HOPELESS.has(error.code) &&
  (error.code.startsWith('Neo.TransientError.') ||
    error.code === 'Neo.ClientError.Security.AuthorizationExpired' ||
    // A concurrent transaction removed a node or relationship that this one had just found.
    error.code === 'Neo.ClientError.Statement.EntityNotFound');

/** Whether Neo4j lets the service in, but refuses its user or password, or what that user may do. */
export const isSignInRefused = (error: unknown): boolean =>
  error instanceof Neo4jError && error.code.startsWith('Neo.ClientError.Security.');

/** What Neo4j says in an error of its own, with its code; `null` for another error. */
export const wordsOfNeo4j = (error: unknown): string | null =>
  error instanceof Neo4jError ? `${error.message} (${error.code})` : null;

/** Whether a uniqueness constraint refused the transaction. */
export const isTaken = (error: unknown): boolean =>
  error instanceof Neo4jError && error.code === 'Neo.ClientError.Schema.ConstraintValidationFailed';

// Neo4j already accepts connections while its database starts, and still accepts them while it
// stops.
const NO_DATABASE = 'Neo.TransientError.General.DatabaseUnavailable';

/** Whether the error means that Neo4j does not answer. */
export const isOutage = (error: unknown): boolean =>
  error instanceof NoAnswer ||
  isConnectivity(error) ||
  (error instanceof Neo4jError && error.code === NO_DATABASE) ||
  (error instanceof FailedStep && isOutageFailure(error.failure));

/** Whether the failure means that Neo4j does not answer. */
export const isOutageFailure = (failure: Failure): boolean =>
  failure._tag === 'Unavailable' && failure.isOutage === true;

const OUTAGE: Failure = {
  _tag: 'Unavailable',
  message: 'The graph database does not answer.',
  isOutage: true,
};

/** Nobody reads this: the client has left. */
const UNWANTED: Failure = {
  _tag: 'Unavailable',
  message: 'The client left before its answer was ready.',
};

/** A step failed, and its failure is already known. */
export class FailedStep extends Error {
  constructor(readonly failure: Failure) {
    super(failure._tag);
  }
}

const unavailable = (message: string, cause: unknown): Failure => ({
  _tag: 'Unavailable',
  message,
  cause,
});

/**
 * Turns an error of the driver into a failure. The caller sees the failure only; the error goes to
 * the log. Of work that only reads it does not say that nothing was written.
 */
export const toFailure = (error: unknown, onlyReads = false): Failure => {
  const end = onlyReads ? '.' : '; nothing was written.';
  if (error instanceof FailedStep) return error.failure;
  if (error instanceof Unwanted) return UNWANTED;
  // `onOutage` of the graph logs the cause once, so the failure does not carry it.
  if (isOutage(error)) return OUTAGE;
  if (!(error instanceof Neo4jError)) {
    return { _tag: 'Internal', message: 'The service failed.', cause: error };
  }
  const { code } = error;
  if (LOST_TO_ANOTHER.has(code)) {
    return {
      _tag: 'Conflict',
      message: 'Another push holds what this one needs; try again later.',
    };
  }
  if (OUT_OF_TIME.has(code)) {
    return unavailable(`The graph database needed longer than the limit${end}`, error);
  }
  if (HOPELESS.has(code)) {
    return unavailable(
      `The graph database has too little memory for this (NEO4J_HEAP)${end}`,
      error,
    );
  }
  if (code === TAKES_NO_CHANGES) {
    return unavailable(
      'The graph database accepts no changes (is its disk full?); nothing was written.',
      error,
    );
  }
  if (ILL.test(code)) {
    return unavailable(
      'The graph database failed (is its disk full?): its own log says why. Send this again when the database runs: the answer shows whether it was written.',
      error,
    );
  }
  if (isSignInRefused(error)) {
    return unavailable('The graph database refuses the sign-in of the service.', error);
  }
  if (
    code.startsWith('Neo.TransientError.') ||
    code === 'Neo.ClientError.Database.DatabaseNotFound'
  ) {
    return unavailable('The graph database is busy or not ready; nothing was written.', error);
  }
  return { _tag: 'Internal', message: 'The service failed.', cause: error };
};
