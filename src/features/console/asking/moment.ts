import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../../context';
import { isInstant, justBefore, parseInstant } from '../../../model/instant';
import { badField, type Failure } from '../../../problem';
import { interfaceOf } from '../../../questions/contract';
import { DAY_MILLISECONDS } from '../overview/days';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const PUSH = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The end of a day in UTC; `null` if the day is not over, so that the page shows what is now. */
const endOfDay = (date: string, field: string): E.Either<Failure, string> => {
  const begin = parseInstant(`${date}T00:00:00Z`);
  if (begin === null) return E.left(badField(`/${field}`, 'BAD_TIME', 'is no date'));
  const next = new Date(Date.parse(begin.utc) + DAY_MILLISECONDS);
  if (next.getTime() > Date.now() && Date.parse(begin.utc) <= Date.now()) return E.right('');
  const after = parseInstant(next.toISOString());
  return E.right(after === null ? '' : justBefore(after).utc);
};

/**
 * The instant that a reader names: an RFC 3339 time, a date (its end in UTC, or now if the day is
 * not over), or the id of a push (its `at`). Resolves with an empty text for now. `field` is the
 * parameter that names it.
 */
export const instantNamed = (
  context: Context,
  written: string | null | undefined,
  field = 'at',
): TE.TaskEither<Failure, string> => {
  const text = (written ?? '').trim();
  if (text === '' || text.toLowerCase() === 'now') return TE.right('');
  if (DATE.test(text)) return TE.fromEither(endOfDay(text, field));
  // A plus sign that an address did not encode arrives as a space.
  const time = text.replace(' ', '+');
  if (isInstant(time)) return TE.right(parseInstant(time)?.utc ?? '');
  if (!PUSH.test(text)) {
    return TE.left(
      badField(`/${field}`, 'BAD_TIME', 'is no date like 2026-03-01, no time and no id of a push'),
    );
  }
  return pipe(
    interfaceOf(context).instantOfPush(text),
    TE.flatMap((at) =>
      at === null
        ? TE.left<Failure, string>({ _tag: 'NotFound', message: 'There is no push with this id.' })
        : TE.right(at),
    ),
  );
};
