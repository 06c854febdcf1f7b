/** What kept Neo4j from starting; the demo turns to a container for the first two. */
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

/** A start of Neo4j that failed for a reason its user can mend; the message says how, and is all that they need to see. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
  constructor(
    readonly kind: StartFailureKind,
    message: string,
  ) {
    super(message);
  }
}
