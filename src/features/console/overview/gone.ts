import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import neo4j from 'neo4j-driver';

import { Hints } from '../../../codec/hints/hints';
import type { Context } from '../../../context';
import { fold } from '../../../model/fold';
import { Instant, justBefore } from '../../../model/instant';
import type { Failure } from '../../../problem';
import { reading } from './overview';
import { ENDED_BEFORE, ENDED_NAMED, ENDED_NODE, NAMES_BEGINNING } from './statements';

/** Somebody or something that is gone, or that had another name. */
export interface Gone {
  readonly id: string;
  readonly label: string;
  readonly name: string;
  readonly provider: string | null;
  /** When it ended, or when it got another name. */
  readonly until: string;
  /** The last instant at which it was so. */
  readonly lastAt: string;
  /** The push that ended it; `null`: a deletion, or a push whose record is gone. */
  readonly push: string | null;
  /** What it is called now; `null`: it is gone. */
  readonly nameNow: string | null;
}

interface GoneRecord extends Omit<Gone, 'lastAt' | 'nameNow'> {
  readonly name_now: string;
  readonly exists_now: boolean;
}

const MOST_GONE = 20;
/** How many versions that ended are looked at: no index finds them by name. */
const MOST_LOOKED_AT = 50_000;

const goneBy = (
  context: Context,
  statement: string,
  parameters: Readonly<Record<string, unknown>>,
): TE.TaskEither<Failure, readonly Gone[]> =>
  reading(context, async (tx) => {
    const { records } = await tx.run<{ [F in keyof GoneRecord]: GoneRecord[F] }>(
      statement,
      parameters,
    );
    return records.map((record) => {
      const { name_now, exists_now, ...found } = record.toObject();
      const lastAt = justBefore(new Instant(found.until)).utc;
      return { ...found, lastAt, nameNow: exists_now ? name_now : null };
    });
  });

/** What the node with this key was when it ended; nothing if no version of it ended. */
export const readGone = (context: Context, id: string): TE.TaskEither<Failure, readonly Gone[]> =>
  goneBy(context, ENDED_NODE, { id });

/**
 * How somebody may have written a name. Neo4j does not fold texts as the service does, and versions
 * that ended have no folded names (docs/rules.md: History).
 */
const writings = (text: string): readonly string[] => {
  const lower = text.toLowerCase();
  const capital = lower.replace(/(?<![\p{L}\p{N}])\p{L}/gu, (letter) => letter.toUpperCase());
  return [...new Set([text, lower, capital, text.toUpperCase()])];
};

/** What is gone, or had another name. */
export interface GoneList {
  readonly values: readonly Gone[];
  readonly hasMore: boolean;
  /** The newest instant at which ended what nobody looked at; `null`: somebody looked at all. */
  readonly lookedSince: string | null;
}

export const NOTHING_GONE: GoneList = { values: [], hasMore: false, lookedSince: null };

const readEndedBefore = (context: Context): TE.TaskEither<Failure, string | null> =>
  reading(context, async (tx) => {
    const { records } = await tx.run<{ until: string }>(ENDED_BEFORE, {
      looked: neo4j.int(MOST_LOOKED_AT),
    });
    return records[0]?.get('until') ?? null;
  });

/**
 * What had a text in its name or path and has it no more, among the nodes and versions of nodes that
 * ended last. It leaves out what was found already.
 */
export const readGoneNamed = (
  context: Context,
  text: string,
  { label = '', found = [] }: { readonly label?: string; readonly found?: readonly string[] } = {},
): TE.TaskEither<Failure, GoneList> =>
  pipe(
    TE.Do,
    TE.apS(
      'all',
      goneBy(context, ENDED_NAMED, {
        texts: [writings(text)],
        found: [found],
        label,
        looked: neo4j.int(MOST_LOOKED_AT),
        most: neo4j.int(MOST_GONE + 1),
      }),
    ),
    TE.apS('lookedSince', readEndedBefore(context)),
    TE.map(({ all, lookedSince }) => ({
      values: all.slice(0, MOST_GONE),
      hasMore: all.length > MOST_GONE,
      lookedSince,
    })),
  );

/** How many names of a kind are compared for one beginning. */
const MOST_COMPARED = 200;
const FEWEST_LETTERS = 2;

/** The beginnings of a text by which a similar name is found: one of its later letters is wrong. */
const beginnings = (folded: string): readonly string[] => {
  const letters = [...folded];
  const lengths = [3 / 4, 1 / 2, 1 / 4].map((part) => Math.floor(letters.length * part));
  return [...new Set(lengths)]
    .filter((length) => length >= FEWEST_LETTERS)
    .map((length) => letters.slice(0, length).join(''));
};

/** Names that exist and differ little from a text, if they begin alike; the nearest first. */
export const readNamesLike = (
  context: Context,
  text: string,
): TE.TaskEither<Failure, readonly string[]> =>
  reading(context, async (tx) => {
    const { records } = await tx.run<{ name: string | null }>(NAMES_BEGINNING, {
      beginnings: [beginnings(fold(text))],
      most: neo4j.int(MOST_COMPARED),
    });
    const names = records.flatMap((record) => record.get('name') ?? []);
    return new Hints().nearest(text, names);
  });
