/** Why Neo4j did not start. After the first two the service tries a container. */
export type StartFailureKind =
  | 'java-missing'
  | 'maven-missing'
  | 'fetch-failed'
  | 'store-line'
  | 'store-locked'
  | 'port-taken'
  | 'wrong-password'
  | 'server-failed'
  | 'container-failed';

/**
 * A failed start of Neo4j that the user can correct. The message says how, and is everything that
 * they need.
 */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
  constructor(
    readonly kind: StartFailureKind,
    message: string,
  ) {
    super(message);
  }
}
