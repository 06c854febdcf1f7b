import type { FindingKind, Remedy } from '../endpoints';
import type { Value } from '../../../rows/row/row';

/** A relationship, by the keys of its two nodes. */
export interface FoundEnds {
  readonly type: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** Something that somebody changed by hand. */
export interface Finding {
  readonly what: FindingKind;
  /** The key of the node that was changed. */
  readonly node?: string | null;
  readonly relationship?: FoundEnds;
  readonly property?: string;
  /** The value that the verification found. */
  readonly found?: Value | null;
  /** The right value, if it is known. */
  readonly expected?: Value | null;
  readonly remedy: Remedy;
}

/** Reports a finding. */
export type Find = (finding: Finding) => void;
