import type { FindingKind, Remedy } from '../../contract/answers/verification';
import type { Value } from '../../rows/row/row';

/** A relationship, by the keys of its ends. */
export interface FoundEnds {
  readonly type: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** Something that was changed by hand. */
export interface Finding {
  readonly what: FindingKind;
  /** The key of the node that it is about. */
  readonly node?: string | null;
  readonly relationship?: FoundEnds;
  readonly property?: string;
  /** What was found. */
  readonly found?: Value | null;
  /** What should be, where that is known. */
  readonly expected?: Value | null;
  readonly remedy: Remedy;
}

/** Takes what is found, as it is found. */
export type Find = (finding: Finding) => void;
