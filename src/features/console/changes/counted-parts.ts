import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { AccessChangeList } from '../../../contract/answers/questions/access-changes';
import type { Context } from '../../../context';
import { Instant, justBefore, nanosOf } from '../../../model/instant';
import type { Failure } from '../../../problem';
import {
  countedAccess,
  type DayOfChanges,
  type PushOfSource,
  readChangesIn,
  readLargestPushes,
  type TimeOfPushes,
} from '../overview/overview';
import type { PartOfTime } from '../words/days';
import { askEverybodysChanges, type Filtered, orBeforeHistory } from '../asking/changes';
import type { Answered } from '../asking/ask';
import { orTooLarge } from '../asking/too-large';

/*
 * If the pushes of a time changed too much to be counted in people unasked, the largest of them are
 * left out, and the times between them are counted. So a push of one key does not hide what others
 * changed.
 */

/** At most so many pushes are left out. */
const MOST_LEFT_OUT = 12;

/** A part of a time in which no push is left out, and its counts. */
export interface CountedPart extends PartOfTime {
  readonly found: Answered<AccessChangeList>;
  /** The push that ends the part, and is left out; `null`: the part ends with the time. */
  readonly push: PushOfSource | null;
}

/** The parts of a time that are counted, the newest first. */
export interface CountedParts {
  readonly parts: readonly CountedPart[];
  /** The newest part that is not counted; nothing before it is. `null`: all are counted. */
  readonly cutOff: Part | null;
}

/** A part of a time between pushes, with how much the pushes in it changed; without end if nobody knows. */
interface Part extends PartOfTime {
  readonly changed: number;
  readonly push: PushOfSource | null;
}

/** How many permissions a push changed; without end if nobody has counted them. */
const sizeOf = ({ push }: PushOfSource): number => {
  const counts = countedAccess(push);
  return counts === null ? Infinity : counts.gained + counts.lost;
};

/** The spans before, at and after some pushes, the oldest first. */
const spansBetween = (
  { from, to }: TimeOfPushes,
  pushes: readonly PushOfSource[],
): readonly (PartOfTime & { readonly push: PushOfSource | null })[] => {
  const ends = pushes.flatMap((push) => {
    const { at } = push.push;
    return [
      { until: justBefore(new Instant(at)).utc, push: null },
      { until: at, push },
    ];
  });
  let since = from;
  return [...ends, { until: to, push: null }].map((end) => {
    const span = { ...end, since };
    since = end.until;
    return span;
  });
};

/**
 * The parts of a time between the pushes that are left out, the newest first. Of the `large` pushes, the
 * smallest are not left out as long as all that is counted fits the room.
 */
const partsOf = (
  time: TimeOfPushes,
  large: readonly PushOfSource[],
  changes: readonly DayOfChanges[],
  room: number,
): readonly Part[] => {
  const spans = spansBetween(time, large).map((span, at) => {
    const { gained = 0, lost = 0, uncounted = 0 } = changes[at] ?? {};
    const isKnown = span.push !== null || uncounted === 0;
    return { ...span, changed: isKnown ? gained + lost : Infinity };
  });
  let rest = spans.reduce((sum, { push, changed }) => sum + (push === null ? changed : 0), 0);
  const together = new Set<PushOfSource>();
  for (const push of large.toSorted((a, b) => sizeOf(a) - sizeOf(b))) {
    rest += sizeOf(push);
    if (rest > room) break;
    together.add(push);
  }
  const parts: Part[] = [];
  let part = { since: time.from, changed: 0 };
  for (const { since, until, push, changed } of spans) {
    if (push !== null && !together.has(push)) {
      parts.push({ ...part, until: since, push });
      part = { since: until, changed: 0 };
    } else part.changed += changed;
  }
  parts.push({ ...part, until: time.to, push: null });
  return parts.toReversed();
};

const isEmpty = ({ since, until }: PartOfTime): boolean =>
  nanosOf(new Instant(since)) >= nanosOf(new Instant(until));

/** The counts of a part; `null`: it changed too much, or lies before the history. */
const counted = (
  context: Context,
  filtered: Filtered,
  { since, until, push }: Part,
): TE.TaskEither<Failure, Answered<AccessChangeList> | null> => {
  const time = { from: since, to: until };
  const asked = { ...filtered, since, until: push === null ? filtered.until : until };
  return pipe(
    orBeforeHistory(
      context,
      time,
      orTooLarge(askEverybodysChanges(context, asked, time, '', '1'), true),
    ),
    TE.map((found) => (typeof found === 'string' || 'begins' in found ? null : found)),
  );
};

/** The first parts that together changed at most `room` permissions. */
const fitting = (parts: readonly Part[], room: number): readonly Part[] => {
  let sum = 0;
  const end = parts.findIndex(({ changed }) => {
    sum += changed;
    return sum > room;
  });
  return end < 0 ? parts : parts.slice(0, end);
};

/** Counts parts one after the other, up to the first that cannot be counted. */
const countedUpTo = (
  context: Context,
  filtered: Filtered,
  [first, ...others]: readonly Part[],
): TE.TaskEither<Failure, readonly CountedPart[]> =>
  first === undefined
    ? TE.right([])
    : pipe(
        counted(context, filtered, first),
        TE.flatMap((found) =>
          found === null
            ? TE.right([])
            : pipe(
                countedUpTo(context, filtered, others),
                TE.map((rest) => [{ ...first, found }, ...rest]),
              ),
        ),
      );

/**
 * Counts the parts of a time between the pushes that changed most, as far back as all that is counted
 * changed at most `room` permissions. `null`: no part is counted.
 */
export const askCountedParts = (
  context: Context,
  filtered: Filtered,
  time: TimeOfPushes,
  room: number,
): TE.TaskEither<Failure, CountedParts | null> =>
  pipe(
    TE.Do,
    TE.bind('found', () => readLargestPushes(context, time, MOST_LEFT_OUT)),
    TE.let('large', ({ found }) => found.toReversed()),
    TE.bind('changes', ({ large }) => readChangesIn(context, spansBetween(time, large))),
    TE.let('all', ({ large, changes }) =>
      partsOf(time, large, changes, room).filter((part) => !isEmpty(part)),
    ),
    TE.bind('parts', ({ all }) => countedUpTo(context, filtered, fitting(all, room))),
    TE.map(({ all, parts }) =>
      parts.length === 0 ? null : { parts, cutOff: all[parts.length] ?? null },
    ),
  );
