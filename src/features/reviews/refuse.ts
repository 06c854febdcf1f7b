import { FailedStep } from '../../neo4j/failure';
import { badField, type ProblemCode } from '../../problem';
import type { Refusal } from './rules/decide';

/** Refuses a step that the state of the review does not allow. */
export const conflict = (message: string): FailedStep =>
  new FailedStep({ _tag: 'Conflict', message });

/** Refuses what somebody may not do. */
export const forbidden = (message: string): FailedStep =>
  new FailedStep({ _tag: 'PermissionDenied', message });

/** Refuses a field of a request. */
export const badRequestField = (pointer: string, code: ProblemCode, message: string): FailedStep =>
  new FailedStep(badField(pointer, code, message));

/** There is no such review, item or person. */
export const notFound = (what: string): FailedStep =>
  new FailedStep({ _tag: 'NotFound', message: `There is no such ${what}.` });

/** Throws what the rules of decisions refuse. */
export const throwRefusal = ({ kind, message }: Refusal): never => {
  if (kind === 'forbidden') throw forbidden(message);
  if (kind === 'conflict') throw conflict(message);
  throw badRequestField('/reason', 'UNKNOWN_VALUE', message);
};
