import type { NodeKind } from '../../model/table';

/**
 * Hears what follows from a push beside its own rows: created and removed shared nodes, drawn and
 * removed derived relationships (docs/rules.md: Shared nodes).
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
