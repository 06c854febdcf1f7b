import {
  ITEM_STATES,
  type ItemState,
  type Mark,
  type RemediationState,
  type ReviewState,
} from './words';

/** How many holders of one entitlement somebody may keep at once. */
export const MOST_KEPT_AT_ONCE = 20;
/** How many items one request decides about at most. */
export const MOST_AT_ONCE = 100;

/** What the rules of decisions know of an item. */
export interface DecidedItem {
  readonly number: number;
  readonly state: ItemState;
  readonly reviewer: string;
  readonly entitlement: string;
  readonly digest: string;
  readonly marks: readonly Mark[];
  readonly remediation: RemediationState | null;
}

/** Why a decision is refused. */
export interface Refusal {
  readonly kind: 'forbidden' | 'conflict' | 'invalid';
  readonly message: string;
}

const refusal = (kind: Refusal['kind'], message: string): Refusal => ({ kind, message });

/** Marks of what nobody may keep without a reason, or together with others. */
const REASONED: readonly Mark[] = ['privileged', 'nobodys', 'new'];

/** Whether a keep of an item has a reason, and is a decision of its own. */
export const needsReason = ({ marks }: Pick<DecidedItem, 'marks'>): boolean =>
  marks.some((mark) => REASONED.includes(mark));

/** The states from which a reviewer may decide, and decide again. */
const DECIDABLE: readonly ItemState[] = ['pending', 'keep', 'revoke', 'carried'];

/**
 * Decides whether somebody may keep or revoke some items; `null` if they may. `by` are the aliases of
 * the person.
 */
export const refusesDecision = (
  review: ReviewState,
  decision: 'keep' | 'revoke',
  reason: string,
  by: readonly string[],
  items: readonly DecidedItem[],
): Refusal | null => {
  if (review !== 'open') return refusal('conflict', `The review is ${review}.`);
  const others = items.find(({ reviewer }) => !by.includes(reviewer));
  if (others !== undefined) {
    return refusal('forbidden', `Somebody else reviews item ${others.number}.`);
  }
  const fixed = items.find(
    ({ state, remediation }) => !DECIDABLE.includes(state) || remediation === 'confirmed',
  );
  if (fixed !== undefined) {
    const state = fixed.remediation === 'confirmed' ? 'revoked, and gone' : fixed.state;
    return refusal('conflict', `Item ${fixed.number} is ${state} already.`);
  }
  const hasReason = reason.trim() !== '';
  if (decision === 'revoke') {
    return hasReason ? null : refusal('invalid', 'a revoke needs a reason');
  }
  const reasoned = items.find(needsReason);
  if (reasoned !== undefined && items.length > 1) {
    return refusal(
      'invalid',
      `item ${reasoned.number} is privileged, new or nobody's: keep it by itself, with a reason`,
    );
  }
  if (reasoned !== undefined && !hasReason) {
    return refusal(
      'invalid',
      `item ${reasoned.number} is privileged, new or nobody's: a keep needs a reason`,
    );
  }
  if (items.length > MOST_KEPT_AT_ONCE) {
    return refusal('invalid', `at most ${MOST_KEPT_AT_ONCE} items are kept at once`);
  }
  if (new Set(items.map(({ entitlement }) => entitlement)).size > 1) {
    return refusal('invalid', 'items that are kept at once must be of one entitlement');
  }
  return null;
};

/** How many items are in each state. */
export type Numbers = Readonly<Record<ItemState, number>> & { readonly items: number };

/** Whether the numbers of a review tie out. */
export const tiesOut = (numbers: Numbers): boolean =>
  numbers.items ===
  numbers.pending +
    numbers.keep +
    numbers.revoke +
    numbers.gone +
    numbers.carried +
    numbers.excepted;

/** The numbers from counts of states. */
export const numbersOf = (counts: Readonly<Partial<Record<string, number>>>): Numbers => {
  const of = (state: ItemState): number => counts[state] ?? 0;
  const states = {
    pending: of('pending'),
    keep: of('keep'),
    revoke: of('revoke'),
    gone: of('gone'),
    carried: of('carried'),
    excepted: of('excepted'),
  };
  return { ...states, items: Object.values(counts).reduce<number>((a, b) => a + (b ?? 0), 0) };
};

/** The numbers of several reviewers together. */
export const sumOf = (all: readonly Numbers[]): Numbers =>
  numbersOf(
    Object.fromEntries(
      ITEM_STATES.map((state) => [state, all.reduce((sum, each) => sum + each[state], 0)]),
    ),
  );

/** By silence the service revokes at most this share of the items, or this many (docs/rules.md: Access reviews). */
const SILENT_SHARE = 0.2;
const SILENT_NUMBER = 100;

/** Whether so many revokes by silence are too many: then the service makes exceptions instead. */
export const isTooMuchSilence = (silent: number, items: number): boolean =>
  silent > Math.max(SILENT_NUMBER, items * SILENT_SHARE);

/** What an item becomes by an entry of the chain. */
export const stateAfter = (act: string, before: ItemState): ItemState => {
  if (act === 'keep' || act === 'revoke' || act === 'gone') return act;
  if (act === 'came_back' && before === 'gone') return 'pending';
  return act === 'except' && before === 'pending' ? 'excepted' : before;
};
