import { NONE } from '../../access/access-graph';
import type { Moments } from '../../access/comparison/comparison';
import type { Moment } from '../../access/instants';
import type { Failure } from '../../problem';
import { notOne } from '../humans/subject';
import type { AccessThen } from '../memory/access-memory';

/** A human at both ends of a period (docs/rules.md: One human). */
export interface NodesOfHuman {
  /** The node that gains what all theirs gain, at the later instant at which there is one. */
  readonly of: number;
  /** The node that gains what all their nodes gain, at each instant; `NONE` if there is none. */
  readonly firsts: readonly [from: number, to: number];
  /** All their nodes at each instant. */
  readonly nodes: readonly [from: readonly number[], to: readonly number[]];
}

/** Whether a node existed at an instant, also a shared one. */
export type Existed = (node: number, side: 0 | 1) => boolean;

/** Whose nodes are whose at a moment. */
class JoinsThen {
  constructor(
    private readonly access: AccessThen,
    private readonly moment: Moment,
    private readonly existed: (node: number) => boolean = () => true,
  ) {}

  /** The one human to whom all these nodes belong; `NONE` if they are nobody's, or not one's. */
  humanOf(nodes: readonly number[]): number {
    return this.access.humans.humanOfAll(nodes, this.moment);
  }

  /** All nodes of a human; none of nobody. */
  nodesOf(human: number): readonly number[] {
    if (human === NONE || !this.existed(human) || this.humanOf([human]) !== human) return [];
    return [human, ...this.access.humans.accountsOf(human, this.moment)];
  }
}

/**
 * The nodes whose existence decides whom a question about a period means, besides the principals:
 * those of the humans whose they are.
 */
export const nodesThatDecide = (
  access: AccessThen,
  moments: Moments,
  ids: readonly number[],
): readonly number[] => {
  const [before, after] = [new JoinsThen(access, moments[0]), new JoinsThen(access, moments[1])];
  const earlier = [...new Set(ids.map((node) => before.humanOf([node])))];
  const nodes = [...ids, ...earlier.flatMap((human) => before.nodesOf(human))];
  const later = [...new Set(nodes.map((node) => after.humanOf([node])))];
  return [...new Set([...nodes, ...later.flatMap((human) => after.nodesOf(human))])];
};

/**
 * Whether the human of the earlier instant goes on as the one of the later instant: their node is
 * gone, and the later human was nobody else then. An identity that somebody else has at the later
 * instant says nothing about what its human at the earlier one still has.
 */
const goesOn = (earlier: number, later: number, before: JoinsThen, existed: Existed): boolean => {
  if (later === NONE) return true;
  if (existed(earlier, 1)) return false;
  return !existed(later, 0) || before.humanOf([later]) === earlier;
};

/**
 * Finds the human whom a question about a period means (docs/rules.md: One human). Something that
 * belonged to somebody else at the earlier instant counts as theirs only from then on. Returns `null`
 * if it is not certain that one principal belongs to a human, and the failure if that is not certain
 * for several.
 */
export const humanOfPeriod = (
  access: AccessThen,
  moments: Moments,
  ids: readonly number[],
  existed: Existed,
): NodesOfHuman | Failure | null => {
  const before = new JoinsThen(access, moments[0], (node) => existed(node, 0));
  const after = new JoinsThen(access, moments[1], (node) => existed(node, 1));
  const earlier = before.humanOf(ids.filter((node) => existed(node, 0)));
  const left = [...new Set([...ids, ...before.nodesOf(earlier)])].filter((node) =>
    existed(node, 1),
  );
  const those = ids.filter((node) => existed(node, 1));
  // If the account of a human is gone, the other nodes show who it is.
  const rest = those.length > 0 ? those : left;
  const later = after.humanOf(rest);
  const isSeveral = ids.length > 1;
  if ((rest.length > 0 ? later : earlier) === NONE) return isSeveral ? notOne : null;
  const nodesTo = after.nodesOf(later);
  const known = new Set(nodesTo);
  if (earlier !== NONE && goesOn(earlier, later, before, existed)) known.add(earlier);
  const nodesFrom = [...known].flatMap((human) => before.nodesOf(human));
  // If no single node led to all of them at that instant, none of them gains what all of them gain.
  const idFrom = before.humanOf(nodesFrom);
  const [of] = [later, idFrom, earlier].filter((node) => node !== NONE);
  if (of === undefined) return isSeveral ? notOne : null;
  return { of, firsts: [idFrom, later], nodes: [nodesFrom, nodesTo] };
};
