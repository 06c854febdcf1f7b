import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type {
  AccessChangeList,
  ChangedRow,
} from '../../../contract/answers/questions/access-changes';
import type { Context } from '../../../context';
import { grouped } from '../../../model/grouped';
import { parseInstant } from '../../../model/instant';
import { badField, type Failure } from '../../../problem';
import { interfaceOf } from '../../../questions/contract';
import { endpoints as questions } from '../../../questions/endpoints';
import { nameOfPermission } from '../changes/change-lines';
import type { Parameters } from '../frame/address';
import type { Instants } from '../frame/page';
import { type Way, waysOf } from '../map/ways';
import { ask } from './ask';
import { askHumans, type Humans } from './changes';
import { type Between, timeBetween } from './moment';
import { orTooLarge } from './too-large';
import { type AskedPair, askWhyOfOne } from './why';

/*
 * How a page about an instant differs from now, or from a second instant (docs/console.md: Then and
 * now).
 */

/** How many changes between two instants are compared with a list. */
const MOST = 1_000;

type Held = ChangedRow['gained'];

/** How a row of a page differs from the other instant. */
export interface RowDiffers {
  /** What it has on the page, and not at the other instant. */
  readonly here: Held;
  /** What it has at the other instant only. */
  readonly there: Held;
  /** On how many resources each is; `null`: the page is about one resource or one principal. */
  readonly on: Readonly<Record<'here' | 'there', number>> | null;
}

/** How the rows of a page about an instant differ from the other instant. */
export interface Differences {
  readonly between: Between;
  /** The instant with which the page compares; empty: now. */
  readonly against: string;
  /** By the ids of rows. `null`: too much changed. */
  readonly rows: ReadonlyMap<string, RowDiffers> | null;
  /** Whose the rows are, if they are principals. */
  readonly humans: Humans;
}

/** Lists whose rows can be compared. */
export interface Compared {
  /** What the interface is asked for. */
  readonly asked: Parameters;
  readonly rowsAre: 'principal' | 'resource';
  /** Whether a row counts what is in the application of the page. */
  readonly isOfContents: boolean;
}

/** A question about the other instant: what is wrong with its time is wrong in `against`. */
const ofAgainst = <A>(asked: TE.TaskEither<Failure, A>): TE.TaskEither<Failure, A> =>
  pipe(
    asked,
    TE.mapLeft((failure) =>
      failure._tag !== 'Invalid'
        ? failure
        : {
            ...failure,
            problems: failure.problems.map((each) => ({ ...each, pointer: '/against' })),
          },
    ),
  );

/** How many permissions of all rows together are compared. A role may give thousands on each row. */
const MOST_PERMISSIONS = 100_000;

const permissionsIn = (values: readonly ChangedRow[]): number =>
  values.reduce((sum, { gained, lost }) => sum + gained.length + lost.length, 0);

const permissionsOnce = (held: Held): Held => [
  ...new Map(held.map((each) => [nameOfPermission(each), each])).values(),
];

const rowsOf = (
  values: readonly ChangedRow[],
  { rowsAre, isOfContents }: Compared,
  { isOfEnd }: Between,
): ReadonlyMap<string, RowDiffers> => {
  const [here, there] = isOfEnd ? (['gained', 'lost'] as const) : (['lost', 'gained'] as const);
  const some = grouped(values, (row) => row[rowsAre].id);
  return new Map(
    [...some].map(([id, changed]) => [
      id,
      {
        here: permissionsOnce(changed.flatMap((row) => row[here])),
        there: permissionsOnce(changed.flatMap((row) => row[there])),
        on: isOfContents
          ? {
              here: changed.filter((row) => row[here].length > 0).length,
              there: changed.filter((row) => row[there].length > 0).length,
            }
          : null,
      },
    ]),
  );
};

/** The history begins after the other instant: the interface compares its beginning, which nobody asked for. */
const refusedBeginning = ({ from }: AccessChangeList): Failure =>
  badField('/against', 'OUT_OF_RANGE', `lies before the history, which begins at ${from}`);

/**
 * How a list about an instant differs from now, or from a second instant. `null`: both are the same
 * instant.
 */
export const askDifferences = (
  context: Context,
  instants: Instants,
  compared: Compared,
): TE.TaskEither<Failure, Differences | null> => {
  const between = timeBetween(instants);
  if (between === null) return TE.right(null);
  const { since, until } = between;
  const { against } = instants;
  const nothing: Differences = { between, against, rows: null, humans: new Map() };
  return pipe(
    orTooLarge(
      ofAgainst(
        ask(
          interfaceOf(context).changes,
          { endpoint: questions.changes },
          { ...compared.asked, since, until, page_size: MOST },
        ),
      ),
      true,
    ),
    TE.flatMap((found): TE.TaskEither<Failure, Differences> => {
      if (typeof found === 'string') return TE.right(nothing);
      const { answer } = found;
      if (answer.from_beginning === true) return TE.left(refusedBeginning(answer));
      if (answer.has_more || permissionsIn(answer.values) > MOST_PERMISSIONS) {
        return TE.right(nothing);
      }
      const isOfWho = compared.rowsAre === 'principal';
      return pipe(
        askHumans(context, isOfWho ? answer.values : [], parseInstant(since)),
        TE.map((humans) => ({
          ...nothing,
          humans,
          rows: rowsOf(answer.values, compared, between),
        })),
      );
    }),
  );
};

/** How the ways of a page about an instant differ from those of the other instant. */
export interface WaysDiffer {
  readonly between: Between;
  readonly against: string;
  /** The numbers of the ways that are on the page only. `null`: there are too many ways to compare. */
  readonly here: ReadonlySet<number> | null;
  /** How many ways there are at the other instant only. */
  readonly there: number;
  /** For whom a page asks for the ways of the other instant; `null`: who or what did not exist then. */
  readonly asked: Readonly<{ principal: readonly string[]; person: string }> | null;
  /** Whether there are ways at the other instant. */
  readonly hasWays: boolean;
}

/** A text that is equal for ways that lead through the same nodes to the same permission. */
const nameOf = ({ permission, start, steps }: Way): string =>
  JSON.stringify([permission.name, start.id, ...steps.map(({ to }) => to.id)]);

/** Ways between two, and whether there are more. */
interface FoundWays {
  readonly ways: readonly Way[];
  readonly isTruncated: boolean;
}

/** How the ways of a page differ from those of now, or of a second instant. */
export const askWaysDiffer = (
  context: Context,
  instants: Instants,
  pair: Omit<AskedPair, 'at'>,
  { ways, isTruncated }: FoundWays,
  /** The human whom the page is about, if it is about one. */
  human: string | undefined,
): TE.TaskEither<Failure, WaysDiffer | null> => {
  const between = timeBetween(instants);
  if (between === null) return TE.right(null);
  const { against } = instants;
  // The human may not have existed at the other instant, and nodes of theirs may have.
  const principal = human === undefined ? pair.principal : [...new Set([human, ...pair.principal])];
  const person = human === undefined ? pair.person : 'true';
  return pipe(
    ofAgainst(askWhyOfOne(context, { ...pair, principal, person, at: against })),
    TE.map(({ answer: { value } }): FoundWays & { readonly isThere: boolean } => ({
      ways: waysOf(value),
      isTruncated: value.truncated,
      isThere: true,
    })),
    // Who or what did not exist then had no way.
    TE.orElse((failure) =>
      failure._tag === 'NotFound'
        ? TE.right({ ways: [], isTruncated: false, isThere: false })
        : TE.left(failure),
    ),
    TE.map((other): WaysDiffer => {
      const place = {
        between,
        against,
        hasWays: other.ways.length > 0,
        asked: other.isThere ? { principal, person } : null,
      };
      if (isTruncated || other.isTruncated) return { ...place, here: null, there: 0 };
      const [ofPage, ofOther] = [ways, other.ways].map((each) => new Set(each.map(nameOf)));
      return {
        ...place,
        here: new Set(ways.flatMap((way) => (ofOther?.has(nameOf(way)) ? [] : [way.number]))),
        there: [...(ofOther ?? [])].filter((name) => ofPage?.has(name) !== true).length,
      };
    }),
  );
};
