import { quote } from '../codec/quote';
import { pointerOf, type Step } from '../codec/pointer';
import type { ProblemCollector } from '../codec/problem-collector';

/**
 * Checks that the ids of one kind are distinct. A second entity with the same id is a problem; the
 * service never merges the two (docs/rules.md: Keys).
 */
export class Distinct {
  private readonly met = new Map<string, readonly Step[]>();

  constructor(
    /** The kind in words. */
    private readonly kind: string,
    private readonly problems: ProblemCollector,
  ) {}

  /** Adds an entity. `id` identifies it, and messages call it `title`. */
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

/**
 * Reports an operation in a full push. Otherwise an entity that its sender wants to delete would be
 * added (docs/rules.md: Full pushes).
 */
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
