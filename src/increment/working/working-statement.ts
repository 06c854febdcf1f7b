import { Identity } from '../../model/shared-nodes';
import type { NodeKind } from '../../model/table';
import { Draft } from '../../rows/row/draft';
import type { Stated } from '../../rows/row/row';
import type { CurrentRow } from './current-rows';

/** A grant or role assignment while an increment changes it. */
export class WorkingStatement {
  draft: Draft | null;
  /** The pointers of the entries and elements that deleted it. */
  readonly wentAt: string[] = [];
  /** Whether a federated identity held it when it was deleted. */
  wasFederated = false;

  constructor(
    readonly kind: NodeKind,
    readonly key: string,
    readonly before: CurrentRow | null,
  ) {
    this.draft = before === null ? null : Draft.of(before.row);
  }

  /** Deletes the statement. The pointers lead to the entries that do so. */
  end(...pointers: readonly string[]): void {
    if (this.draft === null) return;
    this.wentAt.push(...pointers);
    this.wasFederated ||= this.draft.stated.some(isFederatedHold);
    this.draft = null;
  }
}

const isFederatedHold = ({ kind }: Stated): boolean =>
  kind.type === 'HOLDS' && kind.from === Identity;
