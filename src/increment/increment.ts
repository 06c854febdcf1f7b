import type { Definitions } from '../check/definitions';
import type { IncrementOf } from '../contract/decode';
import { mergeProblems } from '../contract/payload-order';
import type { Template } from '../model/nodes';
import type { ProblemList } from '../problem';
import { applicationIncrement } from './application';
import { identityProviderIncrement } from './identity-provider';
import type { Outcome } from './outcome';
import { type Known, type Need, Standing } from './standing';

/** What an increment leads to (graph.md 7), or why it cannot, as far as what stands is known. */
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
 * What an increment of each template leads to, from what is known of what stands; resources may be nested at most so many levels deep.
 * Throws `ExpandsTooFar` once nodes that count as one are related to more often than may be.
 */
export const increments: {
  readonly [T in Template]: (
    payload: IncrementOf[T],
    remembered: Definitions,
    known: Known,
    levels: number,
    mostMultiplied?: number,
  ) => Increment;
} = {
  identity_provider: (payload, remembered, known) => {
    const standing = new Standing(known);
    const { problems, ...increment } = identityProviderIncrement(payload, remembered, standing);
    return { ...increment, ...needsOf(standing), problems: mergeProblems(payload, problems) };
  },
  application: (payload, remembered, known, levels, mostMultiplied) => {
    const standing = new Standing(known);
    const { problems, ...increment } = applicationIncrement(
      payload,
      remembered,
      standing,
      levels,
      mostMultiplied,
    );
    return { ...increment, ...needsOf(standing), problems: mergeProblems(payload, problems) };
  },
};
