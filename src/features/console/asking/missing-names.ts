import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../../context';
import type { SavedQuery } from '../../../kit/saved-query';
import { typeOf } from '../../../kit/values';
import type { Failure } from '../../../problem';
import { PLACES } from '../frame/kinds';
import { trimmed } from '../frame/trimmed';
import { readNamesLike } from '../overview/gone';
import type { AskedSaved } from './saved';
import { findNamed } from './search';

/** What a parameter names. */
interface Sought {
  readonly labels: readonly string[];
  /** The same in a sentence. */
  readonly kind: string;
}

const APPLICATION: Sought = { labels: ['Application'], kind: 'application' };

/** What the texts of saved queries name, by the names of their parameters. */
const NAMED: ReadonlyMap<string, Sought> = new Map<string, Sought>([
  ['group', { labels: ['IdpGroup', 'LocalGroup'], kind: 'group' }],
  ['person', { labels: ['IdpUser'], kind: 'user of a directory' }],
  ['resource', { labels: PLACES, kind: 'resource or application' }],
  ['application', APPLICATION],
  ['one', APPLICATION],
  ['other', APPLICATION],
]);

/** A value of a saved query that is the name of nothing. */
export interface MissingName {
  readonly parameter: string;
  readonly name: string;
  readonly kind: string;
  /** Names of that kind that differ little from it. */
  readonly alike: readonly string[];
}

/** Whether something of some kinds is called so. If a search cannot say that, it may be. */
const isKnown = (
  context: Context,
  name: string,
  labels: readonly string[],
): TE.TaskEither<Failure, boolean> =>
  pipe(
    findNamed(context, name, 'exactly'),
    TE.map(
      ({ answer }) => answer.has_more || answer.values.some(({ label }) => labels.includes(label)),
    ),
    TE.orElse((failure) => (failure._tag === 'Invalid' ? TE.right(true) : TE.left(failure))),
  );

const missingName = (
  context: Context,
  parameter: string,
  name: string,
  { labels, kind }: Sought,
): TE.TaskEither<Failure, readonly MissingName[]> =>
  pipe(
    isKnown(context, name, labels),
    TE.flatMap((known) =>
      known
        ? TE.right([])
        : pipe(
            readNamesLike(context, name),
            TE.flatMap(
              TE.traverseSeqArray((like: string) =>
                pipe(
                  isKnown(context, like, labels),
                  TE.map((isOne) => (isOne ? [like] : [])),
                ),
              ),
            ),
            TE.map((alike) => [{ parameter, name, kind, alike: alike.flat() }]),
          ),
    ),
  );

/**
 * Finds which values of a saved query without rows are names of nothing, so that a mistyped name does
 * not read as nobody's access. A key is no name: what has it may be gone.
 */
export const missingNames = (
  context: Context,
  { parameters }: SavedQuery,
  asked: AskedSaved,
): TE.TaskEither<Failure, readonly MissingName[]> =>
  pipe(
    parameters.flatMap((parameter) => {
      const sought = typeOf(parameter) === 'text' ? NAMED.get(parameter.name) : undefined;
      const name = trimmed(asked[parameter.name]);
      return sought === undefined || name === '' || name.includes('|')
        ? []
        : [missingName(context, parameter.name, name, sought)];
    }),
    TE.sequenceSeqArray,
    TE.map((found) => found.flat()),
  );
