import type { NodeKind } from '../../model/table';

/** What follows from a push beside its own rows (docs/rules.md: Shared nodes): shared nodes that come and go, derived relationships drawn and taken back. */
export interface DerivationWitness {
  readonly shared: (change: 'created' | 'removed', kind: NodeKind, key: string) => void;
  /** The ends by their keys; told as often as it is met. */
  readonly derived: (change: 'drawn' | 'undrawn', type: string, from: string, to: string) => void;
}

/** Nobody looks. */
export const NO_WITNESS: DerivationWitness = {
  shared: () => undefined,
  derived: () => undefined,
};
