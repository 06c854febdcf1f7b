import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Pieces } from '../../access/pieces';
import { reasonInWords, reviewersOf } from '../../access/reviewers';
import type { ReviewReason, Summary } from '../../contract/answers/questions/access';
import { type Instant, instantOf } from '../../model/instant';
import type { Graph } from '../../neo4j/driver';
import { Pipeline } from '../../neo4j/pipeline';
import { inTransaction, type Runner } from '../../neo4j/transaction';
import { toDateTime } from '../../neo4j/values';
import type { Failure } from '../../problem';
import type { Subject } from '../humans/subject';
import type { Answered } from '../answering/answered';
import { type Asked, type AskMemory, hasFailed } from '../memory/asked-in-memory';
import { EMAILS } from '../statements/reviewer-statements';

/** A suggested reviewer. */
export interface Reviewer {
  readonly about: Summary;
  readonly email: string | null;
  /** The first reasons, the nearest ones first. */
  readonly reasons: readonly ReviewReason[];
  /** How many reasons there are. */
  readonly reasonsTotal: number;
}

/** The suggested reviewers of a principal's access, or of the access to a resource. */
export interface Reviewers {
  readonly of: Summary;
  /** The other nodes of the human for whom the answer is; `null` if it is for one principal. */
  readonly accounts: readonly Summary[] | null;
  /** The first reviewers, the nearest ones first. */
  readonly reviewers: readonly Reviewer[];
  readonly total: number;
}

/** Suggests reviewers of the access of a principal or a human, or of the access to a resource. */
export type ReviewersQuestion = (
  of: 'principal' | 'resource',
  subject: Subject,
  at: Instant | null,
) => TE.TaskEither<Failure, Answered<Reviewers>>;

/** How many reviewers an answer lists, and how many reasons of each (docs/rules.md: Reviewers). */
const MOST_REVIEWERS = 100;
const MOST_REASONS = 20;

type Meant = Pick<Reviewers, 'of' | 'accounts'> & { readonly nodes: readonly number[] };

/** Whom or what a question about reviewers means. */
const meantIn = (asked: Asked, of: 'principal' | 'resource', subject: Subject): Meant | Failure => {
  if (of === 'resource') {
    const place = asked.place(subject.ids[0] ?? '');
    return hasFailed(place) ? place : { of: place.about, accounts: null, nodes: [place.node] };
  }
  const meant = asked.meantBy(subject);
  if (hasFailed(meant)) return meant;
  const { principal, accounts } = meant;
  return {
    of: principal.about,
    accounts: accounts && accounts.map((one) => asked.summary(one)),
    nodes: [principal.node, ...(accounts ?? [])],
  };
};

function* found(
  asked: Asked,
  kind: 'principal' | 'resource',
  subject: Subject,
): Pieces<Reviewers | Failure> {
  const meant = meantIn(asked, kind, subject);
  if (hasFailed(meant)) return meant;
  const { of, accounts, nodes } = meant;
  const { access, moment } = asked.then;
  const { clock } = asked;
  const all = yield* reviewersOf(access, kind, nodes, moment, clock, MOST_REASONS);
  const reviewers = all
    .slice(0, MOST_REVIEWERS)
    .map(({ about, reasons, reasonsTotal }): Reviewer => ({
      about,
      email: null,
      reasonsTotal,
      reasons: reasons.map(({ type, of: through, since }) => ({
        type,
        text: reasonInWords({ type, of: through }),
        of: through,
        since: since === null ? null : instantOf(since).utc,
      })),
    }));
  return { of, accounts, reviewers, total: all.length };
}

/** The emails of nodes, now or at an instant. */
const emailsOf = async (
  tx: Runner,
  keys: readonly string[],
  at: Instant | null,
): Promise<ReadonlyMap<string, string | null>> => {
  const records = await new Pipeline(tx).ask<{ key: string; email: string | null }>(
    EMAILS,
    'keys',
    [...keys],
    { at: at === null ? null : toDateTime(at) },
  );
  // The statement returns a version that covers the instant after the present node, so it replaces that one.
  return new Map(records.map((record) => [record.get('key'), record.get('email')]));
};

/** Suggests reviewers from memory. Only their emails are read from Neo4j, by key. */
export const reviewerQuestion =
  (ask: AskMemory, graph: Graph, timeoutSeconds: number): ReviewersQuestion =>
  (of, subject, at) =>
    pipe(
      ask(at, subject.ids, (asked) => found(asked, of, subject)),
      TE.flatMap(({ answer, asOf }) => {
        const keys = answer.reviewers.map(({ about }) => about.id);
        if (keys.length === 0) return TE.right({ answer, asOf });
        return pipe(
          inTransaction(graph, { mode: 'read', timeoutSeconds }, (tx) => emailsOf(tx, keys, at)),
          TE.map((emails) => ({
            answer: {
              ...answer,
              reviewers: answer.reviewers.map((one) => ({
                ...one,
                email: emails.get(one.about.id) ?? null,
              })),
            },
            asOf,
          })),
        );
      }),
    );
