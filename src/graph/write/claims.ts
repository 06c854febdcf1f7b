import type { Derivation } from '../../model/table';
import type { Bindable, Trusts } from '../../templates/graph/trusts';

/** The providers that may and that may not be at the other end of a relationship. */
type Judged = readonly [allowed: readonly string[] | null, denied: readonly string[]];

/** To what trusts let one derivation bind the rows of a provider (docs/rules.md: Trusts). */
export interface Claims {
  /**
   * Whether the derivation depends on trusts. If not, all values bind and the other fields are
   * empty.
   */
  readonly isTrusting: boolean;
  /** Those of these values that rows of the provider may be known by. */
  claimed(values: readonly string[]): readonly string[];
  /** Which providers may ask by each of these values. */
  askersOf(values: readonly string[]): Readonly<Record<string, unknown>>;
  /** Who may answer to a value that a row of the provider asks by. */
  answerersOf(value: string): Readonly<Record<string, unknown>>;
  /** The providers that may ask by a value, as `askersOf` gives them; empty if trusts do not matter. */
  whoMayAsk(value: string): Judged | readonly [];
  /** Who may answer to a value that a row of the provider, or a shared node, asks by. */
  whoMayAnswer(value: string): Judged | readonly [];
}

const NO_CLAIMS: Claims = {
  isTrusting: false,
  claimed: (values) => values,
  askersOf: () => ({}),
  answerersOf: () => ({}),
  whoMayAsk: () => [],
  whoMayAnswer: () => [],
};

const listed = ({ allowed, denied }: Bindable): Judged => [allowed, denied];

/** What trusts let rows of a provider bind in a derivation. */
export const claimsOf = (
  { isClaim, asker }: Derivation,
  trusts: Trusts,
  provider: string,
): Claims => {
  if (isClaim !== true || trusts.areNone) return NO_CLAIMS;
  // No one provider asks through a shared node.
  const answerersOf = (value: string): Bindable =>
    asker.keeper === 'row' ? trusts.answerersOf(provider, value) : trusts.claimantsOf(value);
  return {
    isTrusting: true,
    claimed: (values) => values.filter((value) => trusts.mayClaim(provider, value)),
    askersOf: (values) => {
      const asking = values.map((value) => [value, trusts.askersOf(provider, value)] as const);
      return {
        allowed: Object.fromEntries(asking.map(([value, { allowed }]) => [value, allowed])),
        denied: Object.fromEntries(asking.map(([value, { denied }]) => [value, denied])),
      };
    },
    answerersOf: (value) => ({ ...answerersOf(value) }),
    whoMayAsk: (value) => listed(trusts.askersOf(provider, value)),
    whoMayAnswer: (value) => listed(answerersOf(value)),
  };
};
