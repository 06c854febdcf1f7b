import { randomUUID } from 'node:crypto';

import type { Summary } from '../../contract/answers/questions/access';
import type { Instant } from '../../model/instant';
import type { Failure } from '../../problem';
import { JOINING } from '../statements/instant-statements';
import type { Runner } from '../../neo4j/transaction';
import { stage } from '../instant/stage';
import { withoutStagePrefix } from '../instant/without-stage-prefix';
import { walk } from '../instant/walk';
import { withoutAbsent } from '../instant/at-instant';
import { Joins } from '../../access/joins';
import { notOne, readJoins, type Subject, tooManyJoined } from '../humans/subject';
import type { Period } from './affected';

/** A human at both ends of a period (docs/rules.md: One human). */
export interface PeriodHuman {
  /** The node that gains what all theirs gain, at the later instant at which there is one. */
  readonly of: Summary;
  /** The node that gains what all their nodes gain, at each instant; `null` if there is none. */
  readonly ids: { readonly from: string | null; readonly to: string | null };
  /** The keys of all their nodes at each instant. */
  readonly nodes: { readonly from: readonly string[]; readonly to: readonly string[] };
  /** All these nodes but the first. */
  readonly accounts: readonly Summary[];
}

/** Runs work in a transaction that is rolled back. */
type Within = <A>(work: (tx: Runner) => Promise<A>) => Promise<A>;

interface JoinedThen {
  /** Those of the principals that existed then. */
  readonly asked: readonly string[];
  readonly joins: Joins<Summary>;
  readonly isCut: boolean;
}

const joinedAt = (
  run: Within,
  at: Instant,
  ids: readonly string[],
  facts: number,
): Promise<JoinedThen> =>
  run(async (tx) => {
    const prefix = `at ${randomUUID()} `;
    const start = { principal: ids };
    const walked = await walk(tx, at, start, JOINING, facts);
    await stage(tx, at, await withoutAbsent(tx, at, start, walked), prefix);
    const { asked, nodes, joins, isCut } = await readJoins(
      tx,
      ids.map((id) => prefix + id),
    );
    return {
      asked: withoutStagePrefix(asked, prefix) as readonly string[],
      joins: new Joins(
        withoutStagePrefix(nodes, prefix) as readonly Summary[],
        withoutStagePrefix(joins, prefix) as readonly (readonly [string, string])[],
      ),
      isCut,
    };
  });

const nodesOf = ({ joins }: JoinedThen, human: string | null): readonly string[] =>
  human === null ? [] : [human, ...joins.accountsOf(human).map(({ id }) => id)];

/**
 * Whether the human of the earlier instant goes on as the one of the later instant: their node is
 * gone, and the later human was nobody else then. An identity that somebody else has at the later
 * instant says nothing about what its human at the earlier one still has.
 */
const goesOn = (
  earlier: string,
  last: JoinedThen,
  before: JoinedThen,
  later: string | null,
): boolean => {
  if (later === null) return true;
  if (last.asked.includes(earlier)) return false;
  return !before.asked.includes(later) || before.joins.humanOf([later]) === earlier;
};

/**
 * Finds the human whom a question about a period means (docs/rules.md: One human). Something that
 * belonged to somebody else at the earlier instant counts as theirs only from then on. Returns `null`
 * if it is not certain that one principal belongs to a human, and the failure if that is not certain
 * for several.
 */
export const humanOfPeriod = async (
  run: Within,
  { from, to }: Period,
  { ids }: Subject,
  facts: number,
): Promise<PeriodHuman | Failure | null> => {
  const first = await joinedAt(run, from, ids, facts);
  const earlier = first.asked.length === 0 ? null : first.joins.humanOf(first.asked);
  const last = await joinedAt(run, to, [...ids, ...nodesOf(first, earlier)], facts);
  const left = ids.filter((id) => last.asked.includes(id));
  // If the account of a human is gone, the other nodes show who it is.
  const rest = left.length > 0 ? left : last.asked;
  const later = rest.length === 0 ? null : last.joins.humanOf(rest);
  const nodesTo = nodesOf(last, later);
  const before = await joinedAt(run, from, [...ids, ...nodesTo], facts);
  if (first.isCut || last.isCut || before.isCut) return tooManyJoined;
  const isSeveral = ids.length > 1;
  if (rest.length > 0 ? later === null : earlier === null) return isSeveral ? notOne : null;
  const known = new Set(nodesTo);
  if (earlier !== null && goesOn(earlier, last, before, later)) known.add(earlier);
  const nodesFrom = before.joins.ids.filter((id) => {
    const human = before.joins.humanOf([id]);
    return human !== null && known.has(human);
  });
  // If no single node led to all of them at that instant, none of them gains what all of them gain.
  const idFrom = before.joins.humanOf(nodesFrom);
  const about = (id: string | null): Summary | null =>
    id === null ? null : (last.joins.node(id) ?? before.joins.node(id));
  const of = about(later) ?? about(idFrom ?? earlier);
  if (of === null) return isSeveral ? notOne : null;
  const accounts = [...new Set([...nodesTo, ...nodesFrom])].sort();
  return {
    of,
    ids: { from: idFrom, to: later },
    nodes: { from: nodesFrom, to: nodesTo },
    accounts: accounts.flatMap((id) => (id === of.id ? [] : (about(id) ?? []))),
  };
};
