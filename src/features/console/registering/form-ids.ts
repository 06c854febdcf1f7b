import * as E from 'fp-ts/Either';
import { v7 as timeOrderedUuid, validate, version } from 'uuid';

import { badField, type Failure } from '../../../problem';

/** A form may be sent for so long after its page was made. */
const HOUR = 3_600_000;

/**
 * An id for what a form makes. The page has it, so a form that is sent twice makes one thing: the
 * second time its id exists.
 */
export const newFormId = (): string => timeOrderedUuid();

const madeAt = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

/**
 * The id that a form names. An old one is refused: what it made may be forgotten by now, and the form
 * must not make it a second time.
 */
export const formIdOf = (
  id: string | null | undefined,
  field: string,
  now: number = Date.now(),
): E.Either<Failure, string> => {
  if (id == null || !validate(id) || version(id) !== 7) {
    return E.left(badField(`/${field}`, 'UNKNOWN_VALUE', 'is not from a page of this service'));
  }
  return Math.abs(now - madeAt(id)) > HOUR
    ? E.left(
        badField(`/${field}`, 'PAST_TIME', 'is older than an hour: send the form of this page'),
      )
    : E.right(id);
};
