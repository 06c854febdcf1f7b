import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { PrincipalsWithAccess } from '../../../contract/answers/questions/access';
import { type Context, oncePerContext } from '../../../context';
import { textsOf } from '../../../contract/parameters/query-parameters';
import { PRIVILEGED } from '../../../model/access-narrowing';
import { type Instant, parseInstant } from '../../../model/instant';
import type { Failure } from '../../../problem';
import { accessMemoryOf, interfaceOf } from '../../../questions/contract';
import { endpoints as questions } from '../../../questions/endpoints';
import { entityAddress, resourceAddress } from '../frame/address';
import { ask } from '../asking/ask';
import { askWho } from '../asking/resource';
import { orTooLarge } from '../asking/too-large';
import { instantDaysAgo } from './days';
import type { ApplicationOf, Finding } from './finding';

/** Findings, what weighs most first. */
export const byWeight = (findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted((a, b) => a.rank - b.rank || b.count - a.count);

/** How many entities of some kinds there are. */
export type Counts = Readonly<Record<'users' | 'accounts' | 'applications' | 'groups', number>>;

/** Who is privileged on something in an application, as its list has them. */
export interface PrivilegedIn {
  readonly people: number;
  /** Accounts, identities and others that belong to no human. */
  readonly others: number;
  readonly application: ApplicationOf;
  readonly href: string;
}

/** What the applications of the graph show at a glance. */
export interface Glance {
  readonly counts: Counts;
  /** How many there were seven days ago; `null`: the history does not reach so far, or nothing was there. */
  readonly before: Counts | null;
  /** How many people are privileged on something in the applications that were looked at. */
  readonly privileged: number;
  /**
   * The applications in which people are privileged on something, those with the most such people
   * first.
   */
  readonly privilegedIn: readonly PrivilegedIn[];
  /** How many of them became so on something within seven days. */
  readonly newlyPrivileged: number;
  /** Whether there may be more of them, since not all could be read. */
  readonly isAtLeast: boolean;
  readonly findings: readonly Finding[];
  /** The applications of which a list is too large, or takes too long. */
  readonly unanswered: readonly ApplicationOf[];
  /** How many applications were looked at; fewer than there are if there are many. */
  readonly looked: number;
  /** When it was taken, if something was committed since; `null`: it has everything. */
  readonly takenAt: string | null;
}

/** In so many applications findings are looked for, since a page should not take long. */
const MOST_APPLICATIONS = 12;
const NAMED = 3;
/** The week whose changes the numbers show. */
const DAYS_OF_CHANGE = 7;
/** How many privileged people are read of each application. */
const MOST_PRIVILEGED = 1000;

/** What is looked for in each application, in order of weight. */
const SOUGHT = [
  {
    words: [
      'account or identity that nobody is behind is privileged',
      'accounts or identities that nobody is behind are privileged',
    ],
    narrowed: { mark: 'without_user', permission_type: PRIVILEGED },
  },
  {
    words: [
      'inactive person or account is privileged',
      'inactive people or accounts are privileged',
    ],
    narrowed: { mark: 'inactive', permission_type: PRIVILEGED },
  },
  {
    words: [
      'inactive person or account still has access',
      'inactive people or accounts still have access',
    ],
    narrowed: { mark: 'inactive', permission_type: '' },
  },
  {
    words: ['guest is privileged', 'guests are privileged'],
    narrowed: { mark: 'guest', permission_type: PRIVILEGED },
  },
  {
    words: [
      'person or account became privileged this week',
      'people or accounts became privileged this week',
    ],
    narrowed: { mark: 'new', permission_type: PRIVILEGED },
  },
  {
    words: ['name in it is known to no directory', 'names in it are known to no directory'],
    narrowed: { mark: 'without_user', permission_type: '' },
  },
] as const;

const LABELS = {
  users: 'IdpUser',
  accounts: 'LocalUser',
  groups: 'IdpGroup',
  applications: 'Application',
} as const;

const countsAt = (context: Context, at: Instant | null): TE.TaskEither<Failure, Counts> =>
  pipe(
    interfaceOf(context).kindCounts(Object.values(LABELS), at),
    TE.map((counts) => ({
      users: counts[LABELS.users] ?? 0,
      accounts: counts[LABELS.accounts] ?? 0,
      groups: counts[LABELS.groups] ?? 0,
      applications: counts[LABELS.applications] ?? 0,
    })),
  );

/** How many there were a week ago; `null` if nobody knows, or nothing was there. */
const countsBefore = (context: Context): TE.TaskEither<Failure, Counts | null> => {
  const week = parseInstant(instantDaysAgo(DAYS_OF_CHANGE));
  return pipe(
    countsAt(context, week),
    TE.map((counts): Counts | null =>
      Object.values(counts).every((count) => count === 0) ? null : counts,
    ),
    TE.orElse((failure) => (failure._tag === 'Invalid' ? TE.right(null) : TE.left(failure))),
  );
};

const applicationsOf = (
  context: Context,
): TE.TaskEither<Failure, { readonly first: readonly ApplicationOf[] }> =>
  pipe(
    ask(
      interfaceOf(context).entities.search,
      { endpoint: questions.search },
      { label: 'Application', order_by: 'name', page_size: MOST_APPLICATIONS },
    ),
    TE.map(({ answer }) => ({ first: answer.values })),
  );

/** Those whom a list of the people of an application leaves; `null` if the list is too large. */
const whoIn = (
  context: Context,
  { id }: ApplicationOf,
  narrowed: { readonly mark: string; readonly permission_type: string },
  pageSize: string,
): TE.TaskEither<Failure, PrincipalsWithAccess | null> =>
  pipe(
    orTooLarge(
      askWho(
        context,
        { id, at: '', contents: true },
        {
          types: textsOf(narrowed.permission_type),
          marks: textsOf(narrowed.mark),
          permission: '',
          sort: 'name',
          page: '',
        },
        { pageSize, hasCounts: pageSize === '1' },
      ),
      true,
    ),
    TE.map((found) => (typeof found === 'string' ? null : found.answer)),
  );

/** What is found in one application, and who is privileged there. */
interface Found {
  readonly findings: readonly Finding[];
  readonly privileged: readonly string[];
  readonly privilegedIn: readonly PrivilegedIn[];
  readonly newlyPrivileged: readonly string[];
  /** Whether `privileged` has everybody. */
  readonly isComplete: boolean;
  /** Whether all of its lists were answered. */
  readonly isAnswered: boolean;
}

const UNANSWERED: Found = {
  findings: [],
  privileged: [],
  privilegedIn: [],
  newlyPrivileged: [],
  isComplete: false,
  isAnswered: false,
};

/** Some rows of a list, and how many of all are people. */
type Rows = Pick<PrincipalsWithAccess, 'values' | 'people' | 'total'>;

/** The people among the rows of a list. */
const peopleIn = (found: Rows): readonly string[] =>
  found.values.flatMap(({ id, person }) => (person === true ? [id] : []));

const privilegedOf = (application: ApplicationOf, rows: Rows | null): readonly PrivilegedIn[] => {
  const { people = 0, total = people } = rows ?? {};
  const href = resourceAddress(application.id, { permission_type: PRIVILEGED });
  return people === 0 ? [] : [{ application, people, others: total - people, href }];
};

/** Looks at those lists of an application that have rows. */
const lookedIn = (
  context: Context,
  application: ApplicationOf,
  counts: Readonly<Record<string, number>>,
): TE.TaskEither<Failure, Found> =>
  pipe(
    TE.Do,
    TE.bind('lists', () =>
      pipe(
        SOUGHT.map((sought, rank) => ({ ...sought, rank })).filter(
          ({ narrowed: { mark, permission_type } }) =>
            counts[mark] !== 0 &&
            (permission_type === '' || counts.privileged !== 0) &&
            // Of a new graph everybody is new.
            (mark !== 'new' || counts.new !== counts.all),
        ),
        TE.traverseSeqArray((sought) =>
          pipe(
            whoIn(
              context,
              application,
              sought.narrowed,
              String(sought.narrowed.mark === 'new' ? MOST_PRIVILEGED : NAMED),
            ),
            TE.map((found) => ({ ...sought, found })),
          ),
        ),
      ),
    ),
    TE.bind('privileged', (): TE.TaskEither<Failure, Rows | null> =>
      counts.privileged === 0
        ? TE.right({ values: [], people: 0, total: 0 })
        : whoIn(
            context,
            application,
            { mark: '', permission_type: PRIVILEGED },
            String(MOST_PRIVILEGED),
          ),
    ),
    TE.map(({ lists, privileged }): Found => {
      const people = privileged === null ? [] : peopleIn(privileged);
      return {
        findings: lists.flatMap(({ words: [one, many], narrowed, rank, found }) => {
          const count = found?.total ?? 0;
          return found === null || count === 0
            ? []
            : [
                {
                  rank,
                  count,
                  application,
                  words: count === 1 ? one : many,
                  names: found.values.slice(0, NAMED).map(({ id, label, name, provider }) => ({
                    name,
                    provider: provider === application.provider ? null : provider,
                    href: entityAddress({ id, label }),
                  })),
                  href: resourceAddress(application.id, narrowed),
                },
              ];
        }),
        privileged: people,
        privilegedIn: privilegedOf(application, privileged),
        newlyPrivileged: lists.flatMap(({ narrowed: { mark }, found }) =>
          mark === 'new' && found !== null ? peopleIn(found) : [],
        ),
        isComplete: privileged !== null && (privileged.people ?? 0) <= people.length,
        isAnswered: privileged !== null && lists.every(({ found }) => found !== null),
      };
    }),
  );

const foundIn = (context: Context, application: ApplicationOf): TE.TaskEither<Failure, Found> =>
  pipe(
    whoIn(context, application, { mark: '', permission_type: '' }, '1'),
    TE.flatMap((everybody) =>
      everybody === null
        ? TE.right(UNANSWERED)
        : lookedIn(context, application, everybody.counts ?? {}),
    ),
  );

/** Looks through the applications for what somebody should look at, as the interface counts it. */
const lookThrough = (context: Context): TE.TaskEither<Failure, Glance> =>
  pipe(
    TE.Do,
    TE.bind('counts', () => countsAt(context, null)),
    TE.bind('before', () => countsBefore(context)),
    TE.bind('applications', () => applicationsOf(context)),
    TE.bind('found', ({ applications }) =>
      pipe(
        applications.first,
        TE.traverseSeqArray((application) => foundIn(context, application)),
      ),
    ),
    TE.map(({ counts, before, applications, found }) => ({
      counts,
      before,
      looked: applications.first.length,
      privileged: new Set(found.flatMap(({ privileged }) => privileged)).size,
      privilegedIn: found
        .flatMap(({ privilegedIn }) => privilegedIn)
        .toSorted((one, other) => other.people - one.people),
      newlyPrivileged: new Set(found.flatMap(({ newlyPrivileged }) => newlyPrivileged)).size,
      isAtLeast: found.some(({ isComplete }) => !isComplete),
      unanswered: applications.first.filter((_, at) => found[at]?.isAnswered !== true),
      findings: byWeight(found.flatMap(({ findings }) => findings)),
      takenAt: null,
    })),
  );

/** A glance at applications that took long, when it began, and for how long. */
interface Taken {
  readonly glance: Glance;
  readonly time: string;
  readonly beganMs: number;
  readonly tookMs: number;
  /** The number of the newest commit that it certainly has. */
  readonly turns: number;
}

/**
 * The newest glance that took long, by the signal that ends the graph of access in memory. So it goes with
 * that graph, which the process drops when somebody is erased.
 */
const takenOf = oncePerContext(() => new WeakMap<AbortSignal, Taken>());

/** A glance at a graph of more relationships is shown again if it takes long. Smaller ones only wait for others' work. */
const MANY_RELATIONSHIPS = 50_000;
/** It took long if it needed more. */
const LONG_MS = 1_000;
/** It is shown again for so many times as long as it took, so glances need a tenth of a processor. */
const TIMES_SHOWN = 10;
const MOST_AGE_MS = 60_000;

const isShownAgain = ({ beganMs, tookMs }: Taken): boolean =>
  performance.now() - beganMs < Math.min(MOST_AGE_MS, tookMs * TIMES_SHOWN);

/**
 * What the applications show at a glance; everybody who may open the overview sees the same. One at a large
 * graph that takes long is shown again for at most a minute, with the time when it was taken. Otherwise
 * everybody who opens the overview while pushes go on waits for a new one.
 */
export const glanceAt = (context: Context): TE.TaskEither<Failure, Glance> =>
  pipe(
    // Only this look at the commits tells the process whom others have erased.
    TE.fromTask(pipe(accessMemoryOf(context).then(null, '/at'), TE.toUnion)),
    TE.flatMap((then) => {
      // The questions of the glance say why nothing answers.
      if ('_tag' in then) return lookThrough(context);
      const { graph, turns, dropped } = then;
      const known = takenOf(context);
      const taken = known.get(dropped);
      if (taken !== undefined && isShownAgain(taken)) {
        return TE.right({ ...taken.glance, takenAt: taken.turns === turns ? null : taken.time });
      }
      const [time, beganMs] = [new Date().toISOString(), performance.now()];
      return pipe(
        lookThrough(context),
        TE.map((glance) => {
          const tookMs = performance.now() - beganMs;
          if (tookMs > LONG_MS && graph.relationshipCount > MANY_RELATIONSHIPS) {
            known.set(dropped, { glance, time, beganMs, tookMs, turns });
          }
          return glance;
        }),
      );
    }),
  );
