import * as TE from 'fp-ts/TaskEither';
import { pipe } from 'fp-ts/function';

import type { Pieces } from '../../access/pieces';
import type { NativePermission } from '../../access/effective-access';
import { typesIn } from '../../access/lists/lists';
import { Named } from '../../access/lists/named';
import type { Summary } from '../../contract/answers/questions/access';
import { fold } from '../../model/fold';
import type { Instant } from '../../model/instant';
import type { Graph } from '../../neo4j/driver';
import { inTransaction, type Runner } from '../../neo4j/transaction';
import type { Failure } from '../../problem';
import type { Subject } from '../humans/subject';
import type { Answered } from '../answering/answered';
import { type Asked, type AskMemory, hasFailed } from '../memory/asked-in-memory';
import { PERMISSIONS_NAMED } from '../statements/access-statements';
import type { Listed, WantedAccess } from './access-lists';
import type { Explanation } from './explanation/explanation';
import { explained, type FoundPaths, pathsInMemory } from './explanation/paths-in-memory';
import { type ListPage, ListPages } from './list-page';

/** A page of an access list, and the principal or resource that it is about. */
export interface AccessPage extends ListPage {
  readonly of: Summary;
  /** The other nodes of the human for whom the list answers; `null` if it is for one principal. */
  readonly accounts: readonly Summary[] | null;
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

/** A question about a resource, and about a principal or a human (docs/rules.md: One human). */
export interface PairQuestion extends Omit<Pair, 'principal'> {
  readonly subject: Subject;
}

/**
 * Finds the native names that a requested name means, for the query behind an answer: the name
 * itself if it exists, else all names that equal it when folded (docs/rules.md: Access answers).
 */
export const namesMeant = async (
  tx: Runner,
  { resource, permission }: Pick<Pair, 'resource' | 'permission'>,
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

/** A principal, or a human, and a resource. */
interface FoundPair {
  readonly who: number;
  readonly target: number;
  readonly of: Summary | null;
  readonly accounts: readonly Summary[] | null;
  readonly isWanted: (permission: NativePermission) => boolean;
}

/** Finds the principal and the resource of a question. */
const pairOf = (
  asked: Asked,
  { subject, resource, permission, permissionType }: PairQuestion,
): FoundPair | Failure => {
  const meant = asked.meantBy(subject);
  if (hasFailed(meant)) return meant;
  const place = asked.place(resource);
  if (hasFailed(place)) return place;
  const { graph, moment } = asked.then;
  const named = new Named(graph, moment);
  const { principal, accounts } = meant;
  return {
    who: principal.node,
    target: place.node,
    of: accounts === null ? null : principal.about,
    accounts: accounts && accounts.map((node) => asked.summary(node)),
    isWanted: (native) =>
      (permission === null || named.isPermission([permission], native.name, place.node)) &&
      (permissionType === null || typesIn(native).includes(permissionType)),
  };
};

function* checkOf(asked: Asked, pair: PairQuestion): Pieces<ForHuman<boolean> | Failure> {
  const found = pairOf(asked, pair);
  if (hasFailed(found)) return found;
  const { who, target, of, accounts, isWanted } = found;
  const { access, moment } = asked.then;
  const permissions = yield* access.betweenInPieces(who, target, moment);
  return { found: permissions.some(isWanted), of, accounts };
}

function* pathsOf(asked: Asked, pair: PairQuestion): Pieces<ForHuman<FoundPaths> | Failure> {
  const found = pairOf(asked, pair);
  if (hasFailed(found)) return found;
  const { who, target, of, accounts, isWanted } = found;
  const place = { ...asked.then, clock: asked.clock };
  return { found: yield* pathsInMemory(place, who, target, { isWanted }), of, accounts };
}

const keysOf = ({ subject, resource }: PairQuestion): readonly string[] => [
  ...subject.ids,
  resource,
];

/** The questions about effective access, answered from the graph in memory. */
export const accessQuestions = (ask: AskMemory, graph: Graph, timeoutSeconds: number) => {
  const pages = new ListPages();
  function* listOf(
    asked: Asked,
    of: 'principal' | 'resource',
    subject: Subject,
    listed: Listed,
    wanted: WantedAccess,
  ): Pieces<AccessPage | Failure> {
    if (of === 'resource') {
      const place = asked.place(subject.ids[0] ?? '');
      if (hasFailed(place)) return place;
      const page = yield* pages.reaching(asked, place.node, listed, wanted);
      return { ...page, of: place.about, accounts: null };
    }
    const meant = asked.meantBy(subject);
    if (hasFailed(meant)) return meant;
    const { principal, accounts } = meant;
    return {
      ...(yield* pages.reached(asked, principal.node, accounts, listed, wanted)),
      of: principal.about,
      accounts: accounts && accounts.map((node) => asked.summary(node)),
    };
  }
  return {
    /** Lists what a principal or a human can reach, or who can reach a resource or application. */
    list: (
      of: 'principal' | 'resource',
      subject: Subject,
      listed: Listed,
      wanted: WantedAccess,
      at: Instant | null,
    ): TE.TaskEither<Failure, Answered<AccessPage>> =>
      ask(at, subject.ids, (asked) => listOf(asked, of, subject, listed, wanted)),

    /** Whether the principal has one of the requested permissions on the resource. */
    check: (
      pair: PairQuestion,
      at: Instant | null,
    ): TE.TaskEither<Failure, Answered<ForHuman<boolean>>> =>
      ask(at, keysOf(pair), (asked) => checkOf(asked, pair)),

    /** Gives the paths by which the principal has permissions on the resource. */
    explain: (
      pair: PairQuestion,
      at: Instant | null,
    ): TE.TaskEither<Failure, Answered<ForHuman<Explanation>>> =>
      pipe(
        ask(at, keysOf(pair), (asked) => pathsOf(asked, pair)),
        TE.flatMap(({ answer, asOf }) =>
          pipe(
            inTransaction(graph, { mode: 'read', timeoutSeconds }, (tx) =>
              explained(tx, at, answer.found),
            ),
            TE.map((found) => ({ answer: { ...answer, found }, asOf })),
          ),
        ),
      ),
  };
};

/**
 * Answers questions about effective access, now (`at` is `null`) and about an instant (docs/rules.md:
 * Effective access, History).
 */
export type AccessQuestions = ReturnType<typeof accessQuestions>;
