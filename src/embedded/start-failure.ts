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
 * A failed start of Neo4j that the user can mend. The message says how, and is all that they need.
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
