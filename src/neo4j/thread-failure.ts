import type { Failure, StillRunning } from '../problem';

/** What Neo4j still runs, without the promise of its end: no promise can leave a thread. */
const withoutEnd = (failure: Failure): Failure => {
  if (failure._tag !== 'Unavailable' || failure.stillRunning === undefined) return failure;
  const { transaction, isOverdue } = failure.stillRunning;
  return { ...failure, stillRunning: { transaction, isOverdue } as StillRunning };
};

/**
 * A failure as one thread sends it to another. Errors lose their class and fields on the way, so
 * this stores the fields that the log needs.
 */
export const toSerializable = (sent: Failure): Failure => {
  const failure = withoutEnd(sent);
  if (failure._tag !== 'Internal' && failure._tag !== 'Unavailable') return failure;
  const { cause } = failure;
  if (cause === undefined) return failure;
  if (!(cause instanceof Error)) return { ...failure, cause: typeof cause };
  const { name, message, stack } = cause;
  const code = 'code' in cause ? cause.code : undefined;
  return { ...failure, cause: { name, message, stack, code } };
};

/** The failure with its cause as an error again. */
export const fromSerializable = (failure: Failure): Failure => {
  if (failure._tag !== 'Internal' && failure._tag !== 'Unavailable') return failure;
  const { cause } = failure as { cause?: unknown };
  if (typeof cause !== 'object' || cause === null || cause instanceof Error) return failure;
  return { ...failure, cause: Object.assign(new Error(), cause) };
};
