import { boundKinds } from '../../templates/graph/derivations';
import type { NodeKind } from '../../model/table';
import { NO_TRUSTS, Trusts } from '../../templates/graph/trusts';
import { NOTE_BINDING_KINDS, READ_BINDING_KINDS } from '../statements/data-source-statements';
import type { Pipeline } from '../../neo4j/pipeline';
import { type StoredTrust, trustOf } from './stored-trust';

/**
 * The kinds of nodes with derived relationships that the graph has ever held. The node of the
 * derivation lock stores them. If the graph never held a kind, a first push need not search for the
 * partners of each row. (To count nodes in a transaction costs more the more the transaction has
 * written.)
 */
export class DerivationKinds {
  private constructor(
    private readonly before: ReadonlySet<string>,
    private readonly added: ReadonlySet<NodeKind>,
    /** What an administrator says about claims of providers. */
    readonly trusts: Trusts,
  ) {}

  /**
   * Reads the kinds that committed pushes have recorded, and all trusts. Neither can change while
   * the caller holds the derivation lock.
   */
  static async read(pipeline: Pipeline): Promise<DerivationKinds> {
    const [record] = await pipeline.one<{
      kinds: readonly string[];
      trusts: readonly StoredTrust[];
    }>(READ_BINDING_KINDS);
    const stored = record?.get('trusts') ?? [];
    const trusts = stored.length === 0 ? NO_TRUSTS : new Trusts(stored.map(trustOf));
    return new DerivationKinds(new Set(record?.get('kinds')), new Set(), trusts);
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
    return new DerivationKinds(this.before, added, this.trusts);
  }

  /** Whether the graph may have held a node of the kind before this push. */
  stood({ label }: NodeKind): boolean {
    return this.before.has(label);
  }

  /** Whether the graph may hold a node of the kind now. */
  stand(kind: NodeKind): boolean {
    return this.stood(kind) || this.added.has(kind);
  }
}
