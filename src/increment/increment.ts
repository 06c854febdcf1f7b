import type { Definitions } from '../check/definitions';
import { mergeProblems } from '../codec/payload-order';
import { type IncrementOf, type Template, templates } from '../templates/templates';
import type { ProblemList } from '../problem';
import { applicationIncrement } from './application';
import { flatIncrement } from './flat';
import type { Outcome } from './outcome';
import { type Known, type Need, Standing } from './working/current-rows';

/** What an increment leads to (docs/rules.md: Increments), or why it cannot, as far as what stands is known. */
export interface Increment extends Omit<Outcome, 'problems'> {
  /** What has to be known besides; until there is nothing, the rest is a guess. */
  readonly needs: readonly Need[];
  /** What problems would tell better with; nothing else follows from it. */
  readonly hintNeeds: readonly Need[];
  /** In payload order. */
  readonly problems: ProblemList;
}

const needsOf = ({ needs, hintNeeds }: Standing): Pick<Increment, 'needs' | 'hintNeeds'> => ({
  needs,
  hintNeeds,
});

/**
 * What an increment of a template leads to, from what is known of what stands; resources may be nested at most so many levels deep.
 * Throws `ExpandsTooFar` once nodes that count as one are related to more often than may be.
 */
export const incrementOf = <T extends Template>(
  template: T,
  payload: IncrementOf[T],
  remembered: Definitions,
  known: Known,
  levels: number,
  mostMultiplied?: number,
): Increment => {
  const { flat } = templates[template];
  const standing = new Standing(known);
  const { problems, ...increment } =
    flat === null
      ? applicationIncrement(payload, remembered, standing, levels, mostMultiplied)
      : flatIncrement(flat, payload, remembered, standing);
  return { ...increment, ...needsOf(standing), problems: mergeProblems(payload, problems) };
};
