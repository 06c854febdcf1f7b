import { Identity } from '../../model/shared-nodes';
import type { NodeKind } from '../../model/table';
import { Draft } from '../../rows/row/draft';
import { lookupsOf } from '../../rows/row/lookups';
import type { Stated } from '../../rows/row/row';
import { UNKNOWN_HASH } from '../../rows/row/row-hash';
import { longKindsOwnedBy } from '../../templates/graph/relationships';
import type { CurrentRow, CurrentRows } from './current-rows';
import type { TouchedRow } from './touched-row';

/**
 * A grant or role assignment while an increment changes it. Of its resources it holds only those
 * that the increment names, unless something needs the complete scope (docs/increments.md: What an
 * increment reads).
 */
export class WorkingStatement {
  draft: Draft | null;
  /** The pointers of the entries and elements that deleted it. */
  readonly wentAt: string[] = [];
  /** Whether a federated identity held it when it was deleted. */
  wasFederated = false;
  readonly before: CurrentRow | null;
  /** The current relationships of its long lists that are known, by identity. */
  private readonly known = new Map<string, Stated>();
  private readonly asked = new Set<string>();
  private isWhole = false;
  /**
   * Whether the increment has stated it again. Then the draft has nothing of the current statement.
   */
  private isRenewed = false;

  constructor(
    private readonly current: CurrentRows,
    readonly kind: NodeKind,
    readonly key: string,
  ) {
    this.before = current.row(key);
    this.draft = this.before === null ? null : Draft.of(this.before.row);
    // Such a hash cannot be updated, so the complete row must be hashed.
    if (this.before?.hash === UNKNOWN_HASH) this.readLongLists();
  }

  /** Whether it exists, or nobody has read yet whether it does. */
  get mayExist(): boolean {
    return this.before !== null || !this.current.isKnown(this.key);
  }

  /** Looks up which of these relationships of long lists it states. */
  look(relationships: readonly Stated[]): void {
    if (!this.mayExist || this.isWhole || this.isRenewed) return;
    for (const one of relationships) {
      if (this.asked.has(one.identity)) continue;
      this.asked.add(one.identity);
      // Before the row itself is known, this notes the need, so that both are read together.
      if (this.current.states(this.key, one)) this.know(one);
    }
  }

  /** Notes that it states this relationship of a long list. */
  know(relationship: Stated): void {
    const { kind, other, identity } = relationship;
    if (this.before === null || this.known.has(identity)) return;
    this.asked.add(identity);
    this.known.set(identity, relationship);
    if (!this.isRenewed) this.draft?.relate(kind, other);
  }

  /** Reads its long lists completely, for a caller that replaces or removes them. */
  readLongLists(): void {
    if (this.isWhole || this.before === null) return;
    this.isWhole = true;
    for (const kind of longKindsOwnedBy(this.kind)) {
      for (const one of this.current.list(this.key, kind)) this.know(one);
    }
  }

  /** Starts the statement again, with an empty scope. */
  begin(): Draft {
    this.isRenewed = true;
    return (this.draft = new Draft(this.kind, this.key));
  }

  /** Deletes the statement. The pointers lead to the entries that do so. */
  end(...pointers: readonly string[]): void {
    if (this.draft === null) return;
    this.wentAt.push(...pointers);
    this.wasFederated ||= this.draft.stated.some(isFederatedHold);
    this.draft = null;
  }

  /** The statement before and after; `null` if it exists neither before nor after. */
  touched(): TouchedRow | null {
    const { draft, before: read } = this;
    if (draft === null || this.isRenewed) this.readLongLists();
    const before = read === null ? null : { ...read, row: this.withKnown(read) };
    if (draft === null) return before === null ? null : { before, after: null };
    const after = draft.row(lookupsOf(draft.kind, draft.properties));
    return { before, after, isPart: before !== null && !this.isWhole };
  }

  private withKnown({ row }: CurrentRow): CurrentRow['row'] {
    if (this.known.size === 0) return row;
    return { ...row, relationships: [...row.relationships, ...this.known.values()] };
  }
}

const isFederatedHold = ({ kind }: Stated): boolean =>
  kind.type === 'HOLDS' && kind.from === Identity;
