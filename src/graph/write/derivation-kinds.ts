import { boundKinds } from '../../templates/graph/derivations';
import type { NodeKind } from '../../model/table';
import {
  NOTE_BINDING_KINDS,
  READ_BINDING_KINDS,
} from '../../translate/records/data-source-statements';
import type { Pipeline } from '../connection/pipeline';

/**
 * The kinds of nodes with derived relationships that the graph has ever held. The node of the
 * derivation lock keeps them. If the graph never held a kind, a first push need not search for the
 * partners of each row. (Counting nodes in a transaction takes longer the more the transaction has
 * written.)
 */
export class DerivationKinds {
  private constructor(
    private readonly before: ReadonlySet<string> | null,
    private readonly added: ReadonlySet<NodeKind>,
  ) {}

  /**
   * Reads the kinds that committed pushes have recorded. The list cannot change while the caller
   * holds the derivation lock.
   */
  static async read(pipeline: Pipeline): Promise<DerivationKinds> {
    const [record] = await pipeline.one<{ kinds: readonly string[] | null }>(READ_BINDING_KINDS);
    const kinds = record?.get('kinds') ?? null;
    return new DerivationKinds(kinds === null ? null : new Set(kinds), new Set());
  }

  /**
   * Adds the kinds that this push creates and records them for later pushes. The caller holds the
   * derivation lock.
   */
  async with(pipeline: Pipeline, created: Iterable<NodeKind>): Promise<DerivationKinds> {
    const added = new Set([...created].filter((kind) => boundKinds.has(kind) && !this.stood(kind)));
    if (added.size > 0) {
      await pipeline.one(NOTE_BINDING_KINDS, { kinds: [...added].map(({ label }) => label) });
    }
    return new DerivationKinds(this.before, added);
  }

  /** Whether the graph may have held a node of the kind before this push. */
  stood({ label }: NodeKind): boolean {
    return this.before === null || this.before.has(label);
  }

  /** Whether the graph may hold a node of the kind now. */
  stand(kind: NodeKind): boolean {
    return this.stood(kind) || this.added.has(kind);
  }
}
