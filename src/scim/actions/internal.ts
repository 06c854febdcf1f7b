import type { Failure } from '../../problem';

/** The failure of a thrown error that no application caused. */
export const internal = (cause: unknown): Failure => ({
  _tag: 'Internal',
  cause,
  message: 'The service failed while it asked the application.',
});
