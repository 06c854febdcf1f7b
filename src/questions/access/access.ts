import * as TE from 'fp-ts/TaskEither';
import { pipe } from 'fp-ts/function';

import type { HeldPermission, Summary } from '../../contract/answers/questions/access';
import { fold } from '../../model/fold';
import type { Instant } from '../../model/instant';
import type { Failure } from '../../problem';
import { BETWEEN_ENDS, FIND_ENDS, FIND_WHO } from '../statements/access-pages';
import { PERMISSIONS_NAMED } from '../statements/access-statements';
import { WALKS } from '../statements/instant-statements';
import type { Graph } from '../../neo4j/driver';
import type { AnswerLimits, Reach } from '../instant/at-instant';
import {
  type AccessHead,
  accessList,
  type AccessRow,
  type Listed,
  type WantedAccess,
} from './access-lists';
import { notThere } from '../instant/existed';
import { answerOf, orOfNewest, type ReadAnswer } from '../answering/answer-of';
import { type Explanation, explain } from './explanation/explanation';
import { isRefused, mayBeHuman, meantBy, type Subject } from '../humans/subject';
import { ListCache, type Stretch } from '../answering/list-cache';
import type { Settled } from '../answering/settled-answer';
import { findSummary } from '../answering/summary';
import type { Runner } from '../../neo4j/transaction';

/** A page of an access list, and the principal or resource that it is about. */
export interface AccessPage {
  readonly of: Summary;
  readonly total: number;
  /** How many of all rows are people; `null` in a list of entities. */
  readonly people: number | null;
  /** How many of these no employee and no user leads to. */
  readonly withoutUser: number | null;
  /** The other nodes of the human for whom the list answers; `null` if it is for one principal. */
  readonly accounts: readonly Summary[] | null;
  readonly rows: readonly AccessRow[];
  readonly hasMore: boolean;
}

/** An answer about a principal, or about a human. For a human it has the other nodes of theirs. */
export interface ForHuman<A> {
  readonly found: A;
  readonly of: Summary | null;
  readonly accounts: readonly Summary[] | null;
}

/** A question about one principal and one resource. `null` means any permission or type. */
export interface Pair {
  readonly principal: string;
  readonly resource: string;
  readonly permission: string | null;
  readonly permissionType: string | null;
}

/** The same about a principal, or about a human (docs/rules.md: One human). */
export interface PairQuestion extends Omit<Pair, 'principal'> {
  readonly subject: Subject;
}

/** Answers questions about effective access from the graph (docs/rules.md: Effective access). */
export interface AccessQuestions {
  /** Lists what a principal or a human can reach, or who can reach a resource or application. */
  list(
    of: 'principal' | 'resource',
    subject: Subject,
    listed: Listed,
    wanted: WantedAccess,
  ): TE.TaskEither<Failure, Settled<AccessPage>>;
  /** Gives those of the requested permissions that the principal has on the resource. */
  between(pair: PairQuestion): TE.TaskEither<Failure, Settled<ForHuman<readonly HeldPermission[]>>>;
  /** Gives the paths by which the principal has permissions on the resource. */
  explain(pair: PairQuestion): TE.TaskEither<Failure, Settled<ForHuman<Explanation>>>;
}

/** Answers questions about effective access now, and about an instant (docs/rules.md: History). */
export interface AccessGraph extends AccessQuestions {
  at(instant: Instant): AccessQuestions;
}

/**
 * Finds the native names that a requested name means: the name itself if it exists, else all names
 * that equal it when folded (docs/rules.md: Access answers).
 */
export const namesMeant = async (
  tx: Runner,
  { resource, permission }: Pair,
): Promise<readonly string[] | null> => {
  if (permission === null) return null;
  const { records } = await tx.run<{ name: string }>(PERMISSIONS_NAMED, {
    resource,
    fold_name: fold(permission),
  });
  const names = records.map((record) => record.get('name'));
  const exactly = permission.normalize('NFC');
  return names.includes(exactly) ? [exactly] : names;
};

const isMeant = (
  { name, permission_type }: HeldPermission,
  names: readonly string[] | null,
  { permissionType }: Pair,
): boolean =>
  (names === null || names.includes(name)) &&
  (permissionType === null || permission_type.includes(permissionType));

const PLACE = 'resource or application';

/** Whether the principal and the resource exist. */
interface Ends {
  readonly is_principal: boolean;
  readonly is_resource: boolean;
}

interface Between extends Ends {
  readonly permissions: readonly HeldPermission[];
}

/** Runs a statement about a principal and a resource, and gives its one record. */
const oneRow = async <A extends Ends>(
  tx: Runner,
  statement: string,
  { principal, resource }: Pair,
): Promise<A> => {
  const { records } = await tx.run(statement, { principal, resource });
  return records[0]?.toObject() as unknown as A;
};

type Found<A> = (ForHuman<A> & { readonly ends: Ends }) | Failure;

/** Fails with "not found" if the principal or the resource does not exist. */
const whereBothStand = <A>(
  at: Instant | null,
  asked: TE.TaskEither<Failure, Settled<Found<A>>>,
): TE.TaskEither<Failure, Settled<ForHuman<A>>> =>
  pipe(
    asked,
    TE.flatMap(({ answer, ...settled }) => {
      if ('_tag' in answer) return TE.left(answer);
      const { ends, ...found } = answer;
      if (!ends.is_principal) return TE.left(notThere('principal', at));
      return ends.is_resource
        ? TE.right({ answer: found, ...settled })
        : TE.left(notThere(PLACE, at));
    }),
  );

/** How questions are answered: from the graph as it is, or as it was. */
interface Answering {
  /** The instant that questions are about; `null` means now. */
  readonly at: Instant | null;
  readonly settled: <A>(reach: Reach, read: ReadAnswer<A>) => TE.TaskEither<Failure, Settled<A>>;
  readonly page: (
    of: 'principal' | 'resource',
    subject: Subject,
    listed: Listed,
    wanted: WantedAccess,
  ) => TE.TaskEither<Failure, Settled<Stretch<AccessRow, AccessHead | Failure>>>;
}

const questions = ({ at, settled, page }: Answering): AccessQuestions => {
  const aboutPair = <A>(
    { subject, ...asked }: PairQuestion,
    read: (tx: Runner, pair: Pair) => Promise<{ readonly ends: Ends; readonly found: A }>,
  ): TE.TaskEither<Failure, Settled<ForHuman<A>>> => {
    const { resource } = asked;
    const steps = WALKS[mayBeHuman(subject) ? 'pair of human' : 'pair'];
    return whereBothStand(
      at,
      settled<Found<A>>(
        {
          ...{ asked: { principal: subject.ids, resource }, steps },
          looksUpNames: asked.permission !== null,
        },
        async (tx, keyOf) => {
          const meant = await meantBy(tx, subject, keyOf);
          if (isRefused(meant)) return meant;
          const { principal, accounts } = meant;
          const [answer, of] = await Promise.all([
            read(tx, { ...asked, principal, resource: keyOf(resource) }),
            accounts === null ? null : findSummary(tx, FIND_WHO, principal),
          ]);
          return { ...answer, of, accounts };
        },
      ),
    );
  };
  return {
    list: (of, subject, listed, wanted) =>
      pipe(
        page(of, subject, listed, wanted),
        TE.flatMap(({ answer: { head, rows, hasMore }, ...settled }) => {
          if ('_tag' in head) return TE.left(head);
          if (head.of === null) return TE.left(notThere(of === 'principal' ? of : PLACE, at));
          return TE.right({ answer: { ...head, of: head.of, rows, hasMore }, ...settled });
        }),
      ),

    between: (asked) =>
      aboutPair(asked, async (tx, pair) => {
        const [{ permissions, ...ends }, names] = await Promise.all([
          oneRow<Between>(tx, BETWEEN_ENDS, pair),
          namesMeant(tx, pair),
        ]);
        return { ends, found: permissions.filter((each) => isMeant(each, names, pair)) };
      }),

    explain: (asked) =>
      aboutPair(asked, async (tx, pair) => {
        const [ends, names] = await Promise.all([
          oneRow<Ends>(tx, FIND_ENDS, pair),
          namesMeant(tx, pair),
        ]);
        return { ends, found: await explain(tx, pair, names) };
      }),
  };
};

/** Which facts a list of access reads. */
const walkOf = (
  of: 'principal' | 'resource',
  subject: Subject,
  { contents }: Listed,
): keyof typeof WALKS => {
  if (of === 'resource') return contents ? 'resource with contents' : 'resource';
  return mayBeHuman(subject) ? 'human' : 'principal';
};

const reachOf = (of: 'principal' | 'resource', subject: Subject, listed: Listed): Reach => ({
  asked: { [of]: subject.ids },
  steps: WALKS[walkOf(of, subject, listed)],
  looksUpNames: listed.permissions !== null || listed.applications !== null,
});

/** Reads a page of a list of access from the graph of an instant. */
const readPage =
  (
    ...[of, subject, listed, wanted]: Parameters<Answering['page']>
  ): ReadAnswer<Stretch<AccessRow, AccessHead | Failure>> =>
  (tx, keyOf) => {
    const { after, order, size } = wanted;
    const from = after && {
      ...after,
      value: order === 'key' ? keyOf(after.value) : after.value,
      key: keyOf(after.key),
    };
    return accessList(of, subject, listed, { ...wanted, after: from }, keyOf).read(tx, size);
  };

/** The questions about effective access, answered from the graph. */
export const graphAccess = (graph: Graph, limits: AnswerLimits): AccessGraph => {
  const kept = new ListCache();
  const answering =
    (at: Instant | null): Answering['settled'] =>
    (reach, read) =>
      answerOf(graph, limits, at, reach, read);
  return {
    ...questions({
      at: null,
      settled: answering(null),
      page: (...asked) => {
        const [of, subject, listed] = asked;
        const reach = reachOf(of, subject, listed);
        return pipe(
          kept.page(graph, limits.seconds, { ...accessList(...asked), reach }),
          orOfNewest(graph, limits, reach, readPage(...asked)),
        );
      },
    }),
    at: (instant) => {
      const settled = answering(instant);
      return questions({
        at: instant,
        settled,
        page: (...asked) => {
          const [of, subject, listed] = asked;
          return settled(reachOf(of, subject, listed), readPage(...asked));
        },
      });
    },
  };
};
