import neo4j, { type Driver } from 'neo4j-driver';
import { setTimeout as delay } from 'node:timers/promises';
import { hasCode } from '../error-code';
import { StartFailure } from './start-failure';

/** The address of a server that is starting, and how to sign in. */
export interface Expected {
  readonly uri: string;
  readonly user: string;
  /** Unset if the server requires no sign-in. */
  readonly password: string | undefined;
}

const FIRST_PASSWORD = 'neo4j';

const NOT_LET_IN = 'Neo.ClientError.Security.Unauthorized';

/**
 * Waits until the server answers `RETURN 1`. At the first start of a store it sets the password.
 */
export const awaitAnswer = async (expected: Expected, signal: AbortSignal): Promise<void> => {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await ask(expected, (driver) => driver.executeQuery('RETURN 1'));
    } catch (error) {
      if (hasCode(error, NOT_LET_IN)) await setPassword(expected);
      else if (!hasCode(error, neo4j.error.SERVICE_UNAVAILABLE, neo4j.error.SESSION_EXPIRED)) {
        // While Neo4j starts, it may answer before its database does.
        if (!isPassing(error)) throw error;
      }
    }
    await delay(200);
  }
};

async function setPassword({ uri, user, password }: Expected): Promise<void> {
  const wrong = new StartFailure(
    'wrong-password',
    `The store's password is another one than NEO4J_PASSWORD or the file neo4j-password in DATA_DIR.`,
  );
  if (password === undefined) throw wrong;
  try {
    await ask({ uri, user, password: FIRST_PASSWORD }, (driver) =>
      driver.executeQuery(
        'ALTER CURRENT USER SET PASSWORD FROM $from TO $to',
        { from: FIRST_PASSWORD, to: password },
        { database: 'system' },
      ),
    );
  } catch (error) {
    throw hasCode(error, NOT_LET_IN) ? wrong : error;
  }
}

async function ask(
  { uri, user, password }: Expected,
  question: (driver: Driver) => Promise<unknown>,
): Promise<void> {
  const auth = password === undefined ? undefined : neo4j.auth.basic(user, password);
  const driver = neo4j.driver(uri, auth, {
    telemetryDisabled: true,
    connectionTimeout: 5000,
    maxTransactionRetryTime: 0,
  });
  try {
    await question(driver);
  } finally {
    await driver.close();
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof Error && 'retriable' in error && error.retriable === true;
}
