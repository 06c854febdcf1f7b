import { boundKinds } from '../../templates/graph/derivations';
import type { NodeKind } from '../../model/table';
import {
  NOTE_BINDING_KINDS,
  READ_BINDING_KINDS,
} from '../../translate/records/data-source-statements';
import type { Pipeline } from '../connection/pipeline';

/**
 * Which kinds that derived relationships join have ever stood, as the derivation lock's node tells: where none ever did, a first
 * push need not look for each of its rows. (Counting nodes within a transaction costs time with all that it has written.)
 */
export class DerivationKinds {
  private constructor(
    private readonly before: ReadonlySet<string> | null,
    private readonly added: ReadonlySet<NodeKind>,
  ) {}

  /** As committed pushes left it; under the derivation lock that is final. */
  static async read(pipeline: Pipeline): Promise<DerivationKinds> {
    const [record] = await pipeline.one<{ kinds: readonly string[] | null }>(READ_BINDING_KINDS);
    const kinds = record?.get('kinds') ?? null;
    return new DerivationKinds(kinds === null ? null : new Set(kinds), new Set());
  }

  /** With the kinds of nodes that this push creates, noted for the pushes to come; under the derivation lock only. */
  async with(pipeline: Pipeline, created: Iterable<NodeKind>): Promise<DerivationKinds> {
    const added = new Set([...created].filter((kind) => boundKinds.has(kind) && !this.stood(kind)));
    if (added.size > 0) {
      await pipeline.one(NOTE_BINDING_KINDS, { kinds: [...added].map(({ label }) => label) });
    }
    return new DerivationKinds(this.before, added);
  }

  /** Whether a node of the kind may have stood before this push. */
  stood({ label }: NodeKind): boolean {
    return this.before === null || this.before.has(label);
  }

  /** Whether a node of the kind may stand now. */
  stand(kind: NodeKind): boolean {
    return this.stood(kind) || this.added.has(kind);
  }
}
