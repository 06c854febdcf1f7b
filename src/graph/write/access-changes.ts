import type { Difference, Link } from '../../difference/difference';
import { hasProperties, type NodeKind, type RelationshipKind } from '../../model/table';
import { AccessChangesPacker } from '../records/access-commit';
import { isKindOfAccess, isOfAccess } from '../statements/access-kinds';
import { graphKey } from './current-rows';
import type { DerivationWitness } from './derivation-witness';

/** The keys of the nodes between which a row states a relationship. */
export const endsOf = (
  dataSource: string,
  { owner, from, to }: RelationshipKind,
  row: string,
  other: string,
): readonly [from: string, to: string] => {
  const key = (node: NodeKind, local: string): string => graphKey(dataSource, node, local);
  return owner === 'from' ? [key(from, row), key(to, other)] : [key(from, other), key(to, row)];
};

/**
 * Collects what a diff, and what follows from it, changes in the access graph, for processes that
 * hold that graph in memory (docs/architecture.md: Access in memory).
 */
export class WrittenAccess implements DerivationWitness {
  private readonly packer = new AccessChangesPacker();

  constructor(
    private readonly dataSource: string,
    /** Receives the same. */
    private readonly witness: DerivationWitness,
  ) {}

  /** What was collected, as `AccessCommit` stores it. */
  get packed(): string {
    return this.packer.packed;
  }

  readonly shared: DerivationWitness['shared'] = (change, kind, key) => {
    if (isKindOfAccess(kind)) this.packer.node(change === 'created' ? 'put' : 'removed', key);
    this.witness.shared(change, kind, key);
  };

  readonly derived: DerivationWitness['derived'] = (change, type, from, to) => {
    if (isOfAccess(type)) {
      this.packer.relationship(change === 'drawn' ? 'begun' : 'ended', [type, from, to]);
    }
    this.witness.derived(change, type, from, to);
  };

  /** The rows of a diff, and what they state. */
  difference({ created, changed, removed, linked, relabelled, unlinked }: Difference): void {
    const put = [
      ...created.map(({ row }) => row),
      ...changed.flatMap(({ after, changes }) =>
        Object.keys(changes).length > 0 ? after.row : [],
      ),
    ];
    for (const { kind, key } of put) {
      if (isKindOfAccess(kind)) this.packer.node('put', graphKey(this.dataSource, kind, key));
    }
    for (const { row } of removed) {
      const { kind, key } = row;
      if (isKindOfAccess(kind)) this.packer.node('removed', graphKey(this.dataSource, kind, key));
    }
    this.links('begun', linked);
    this.links('ended', relabelled);
    this.links('ended', unlinked);
  }

  private links(change: 'begun' | 'ended', links: readonly Link[]): void {
    for (const { row, stated } of links) {
      const { kind, other } = stated;
      const { type } = kind;
      if (!isOfAccess(type)) continue;
      // Several relationships of such a type may join two nodes, so readers look at all of them.
      const as = hasProperties(kind) ? 'ended' : change;
      const [from, to] = endsOf(this.dataSource, kind, row, other);
      this.packer.relationship(as, [type, from, to]);
    }
  }
}
