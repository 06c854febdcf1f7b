import { quote } from '../codec/quote';
import { pointerOf, type Step } from '../codec/pointer';
import type { ProblemCollector } from '../codec/problem-collector';

/** Entities of one kind as they are met: a second one of an id is a problem, never a silent merge (docs/rules.md: Keys). */
export class Distinct {
  private readonly met = new Map<string, readonly Step[]>();

  constructor(
    /** The kind in words. */
    private readonly kind: string,
    private readonly problems: ProblemCollector,
  ) {}

  /** `id` tells entities apart; `title` is how a message names it. */
  add(id: string, steps: readonly Step[], title = id): void {
    const first = this.met.get(id);
    if (first === undefined) {
      this.met.set(id, steps);
      return;
    }
    this.problems.add(
      steps,
      'DUPLICATE_ID',
      () => `${this.kind} ${quote(title)} is already at ${pointerOf(...first)}`,
    );
  }
}

/** An operation in a full push: what was meant as a deletion must not become an addition (docs/rules.md: Full pushes). */
export const checkOperation = (
  { operation }: { readonly operation?: string | null },
  steps: readonly Step[],
  problems: ProblemCollector,
): void => {
  if (operation === null || operation === undefined) return;
  problems.add(
    [...steps, 'operation'],
    'OPERATION_IN_FULL_PUSH',
    () => `${quote(operation)} has no meaning without incremental_change: true`,
  );
};
