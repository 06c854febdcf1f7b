import type { NodeKind } from '../../model/table';

/**
 * Receives what follows from a push in addition to its own rows: created and removed shared nodes,
 * created and removed derived relationships (docs/rules.md: Shared nodes).
 */
export interface DerivationWitness {
  readonly shared: (change: 'created' | 'removed', kind: NodeKind, key: string) => void;
  /** `from` and `to` are keys. A push may report the same relationship several times. */
  readonly derived: (change: 'drawn' | 'undrawn', type: string, from: string, to: string) => void;
}

/** Ignores everything. */
export const NO_WITNESS: DerivationWitness = {
  shared: () => undefined,
  derived: () => undefined,
};
