import type { Definitions } from '../check/definitions';
import { mergeProblems } from '../codec/payload-order';
import { type IncrementOf, type Template, templates } from '../templates/templates';
import type { ProblemList } from '../problem';
import { applicationIncrement } from './application';
import { flatIncrement } from './flat';
import type { Outcome } from './outcome';
import { type KnownRows, type Need, CurrentRows } from './working/current-rows';

/**
 * What an increment changes, or its problems (docs/rules.md: Increments). This is provisional until
 * everything that it needs of the current rows is known.
 */
export interface Increment extends Omit<Outcome, 'problems'> {
  /**
   * What the service must read before the result is final. Until this is empty, the rest is
   * provisional.
   */
  readonly needs: readonly Need[];
  /** What the service may read to add guesses to problems. Nothing else depends on it. */
  readonly hintNeeds: readonly Need[];
  /** In payload order. */
  readonly problems: ProblemList;
}

const needsOf = ({ needs, hintNeeds }: CurrentRows): Pick<Increment, 'needs' | 'hintNeeds'> => ({
  needs,
  hintNeeds,
});

/**
 * Computes what an increment changes from the current rows that are known. Resources may nest to
 * `levels`. Throws `ExpandsTooFar` if rows would state too many relationships to nodes of typed
 * permissions.
 */
export const incrementOf = <T extends Template>(
  template: T,
  payload: IncrementOf[T],
  remembered: Definitions,
  known: KnownRows,
  levels: number,
  mostMultiplied?: number,
): Increment => {
  const { flat } = templates[template];
  const current = new CurrentRows(known);
  const { problems, ...increment } =
    flat === null
      ? applicationIncrement(payload, remembered, current, levels, mostMultiplied)
      : flatIncrement(flat, payload, remembered, current);
  return { ...increment, ...needsOf(current), problems: mergeProblems(payload, problems) };
};
