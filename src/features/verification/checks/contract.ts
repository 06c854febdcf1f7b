/* The checks of rows and derived relationships, for features whose settings change them. */

export { DerivationVerifier } from './derivation-verifier';
export type { FoundNode } from './row-check';
export { rowPages } from './row-verifier';
