import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../../context';
import type { Role } from '../../../contract/team-key';
import type { Failure } from '../../../problem';
import { interfaceOf } from '../../../questions/contract';
import { savedQuestion } from '../asking/saved';
import {
  address,
  entityAddress,
  PATHS,
  personAddress,
  sourceAddress,
  sourceOfKey,
} from '../frame/address';
import { counted } from '../parts/counted';
import { USUAL_DAYS } from '../sources/age';
import { PROVISIONING } from '../sources/failures';
import { instantDaysAgo } from './days';
import type { Finding } from './finding';
import type { Glance } from './findings';
import { reading } from './overview';
import { ACTIONS_NAMED, FAILED_ACTIONS, STALE_SOURCES } from './statements';

/** The saved query that lists agents and keys whose owner is gone. */
const OWNER_GONE = 'accounts/agents-and-keys-whose-owner-is-gone';
const NAMED = 3;

/** What is found in no single application, by its place among the other findings (`Finding.rank`). */
const RANKS = { ownerGone: 2.5, failedActions: 4.5, staleSources: 6 } as const;

const finding = (
  rank: number,
  count: number,
  words: string,
  names: Finding['names'],
  href: string,
): readonly Finding[] =>
  count === 0
    ? []
    : [{ rank, count, words, names: names.slice(0, NAMED), href, application: null }];

/** The names in the first rows of a saved query, and of which provider each is. */
const namedIn = (
  context: Context,
  {
    columns,
    rows,
  }: { readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] },
): TE.TaskEither<Failure, Finding['names']> => {
  const textOf = (row: readonly unknown[], column: string): string =>
    String(row[columns.indexOf(column)]);
  const first = rows.slice(0, NAMED);
  return pipe(
    interfaceOf(context).sourceNames(first.map((row) => sourceOfKey(textOf(row, 'key')))),
    TE.map((sources) =>
      first.map((row) => {
        const source = sourceOfKey(textOf(row, 'key'));
        const provider = sources.find(({ id }) => id === source)?.provider ?? null;
        const id = textOf(row, 'key');
        const href = entityAddress({ id, label: textOf(row, 'label') });
        return { name: textOf(row, 'name'), provider, href };
      }),
    ),
  );
};

/** Agents and keys with an owner who is gone, as the saved query finds them. */
const ownerGone = (
  context: Context,
  role: Role | null,
): TE.TaskEither<Failure, readonly Finding[]> =>
  pipe(
    savedQuestion(context, { query: OWNER_GONE }, role),
    TE.flatMap(({ query }) => interfaceOf(context).query(query)),
    TE.bindTo('answer'),
    TE.bind('named', ({ answer: { value } }) => namedIn(context, value)),
    TE.map(
      ({
        named,
        answer: {
          value: { rows, truncated },
        },
      }) => {
        const [one, many] = ['agent or key has', 'agents or keys have'];
        const words = `${truncated ? 'or more ' : ''}${rows.length === 1 ? one : many} an owner who is gone`;
        const href = address(PATHS.ask, { query: OWNER_GONE, run: 'true' });
        return finding(RANKS.ownerGone, rows.length, words, named, href);
      },
    ),
  );

/** How many there are, the names of the first, and the data source whose page has them all, if one has. */
interface Counted extends Pick<Finding, 'count' | 'names'> {
  readonly source: string | null;
}

interface CountedRecord extends Omit<Counted, 'count' | 'names'> {
  readonly count: unknown;
  readonly names: readonly {
    readonly id: string;
    readonly name: string;
    readonly provider: string | null;
  }[];
}

/** How many a statement counts, and what it says of them. `addressOf` is the page of a name. */
const countBy = (
  context: Context,
  statement: string,
  parameters: Readonly<Record<string, unknown>>,
  addressOf: (id: string) => string,
): TE.TaskEither<Failure, Counted> =>
  reading(context, async (tx) => {
    const { records } = await tx.run<{ [F in keyof CountedRecord]: CountedRecord[F] }>(
      statement,
      parameters,
    );
    const [found] = records;
    const names = found?.get('names') ?? [];
    return {
      count: Number(found?.get('count') ?? 0),
      names: names.map(({ id, ...named }) => ({ ...named, href: addressOf(id) })),
      source: found?.has('source') === true ? found.get('source') : null,
    };
  });

/** Actions of policies that failed; only administrators may know of these. */
const failedActions = (
  context: Context,
  administers: boolean,
): TE.TaskEither<Failure, readonly Finding[]> =>
  administers
    ? pipe(
        countBy(context, FAILED_ACTIONS, {}, personAddress),
        TE.map(({ count, names, source }) =>
          finding(
            RANKS.failedActions,
            count,
            count === 1 ? 'action of a policy was refused' : 'actions of policies were refused',
            names,
            source === null
              ? address(PATHS.sources, { troubled: 'true' })
              : `${sourceAddress(source)}#${PROVISIONING}`,
            // Several actions may be about one person.
          ).map((each) => ({ ...each, more: Math.max(0, count - ACTIONS_NAMED) })),
        ),
      )
    : TE.right([]);

const staleSources = (context: Context): TE.TaskEither<Failure, readonly Finding[]> =>
  pipe(
    countBy(context, STALE_SOURCES, { before: instantDaysAgo(USUAL_DAYS) }, sourceAddress),
    TE.map(({ count, names }) =>
      finding(
        RANKS.staleSources,
        count,
        `data ${count === 1 ? 'source' : 'sources'} had no push for ${counted(USUAL_DAYS, 'day')}`,
        names,
        PATHS.sources,
      ),
    ),
  );

/** What was found in no single application, and what nobody could look at. */
export interface GraphFindings {
  readonly findings: readonly Finding[];
  readonly unanswered: Glance['unanswered'];
}

/** What somebody should look at that is in no single application, as the interface counts it. */
export const graphFindings = (
  context: Context,
  { role, administers }: { readonly role: Role | null; readonly administers: boolean },
): TE.TaskEither<Failure, GraphFindings> =>
  pipe(
    TE.Do,
    TE.bind('failed', () => failedActions(context, administers)),
    TE.bind('stale', () => staleSources(context)),
    // A question in Cypher may need too long, which must not hide the rest of the page.
    TE.bind('gone', () =>
      pipe(
        ownerGone(context, role),
        TE.orElseW((): TE.TaskEither<Failure, null> => TE.right(null)),
      ),
    ),
    TE.map(({ failed, stale, gone }) => ({
      findings: [...failed, ...stale, ...(gone ?? [])],
      unanswered:
        gone === null
          ? [{ id: OWNER_GONE, name: 'the owners of agents and keys', provider: null }]
          : [],
    })),
  );
