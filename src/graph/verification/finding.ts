import type { Value } from '../../rows/row/row';

/** What was changed by hand in a graph. */
export type FindingKind =
  | 'NODE_ADDED'
  | 'LABELS_CHANGED'
  | 'PROPERTY_ADDED'
  | 'PROPERTY_CHANGED'
  | 'CONTENT_CHANGED'
  | 'RELATIONSHIP_ADDED'
  | 'RELATIONSHIP_UNDATED'
  | 'DERIVED_MISSING'
  | 'DERIVED_SUPERFLUOUS'
  | 'SHARED_ORPHANED';

/** What puts it right: the repair, the next full push, which alone knows what the row should say, or whoever changed it. */
export type Remedy = 'REPAIR' | 'NEXT_FULL_PUSH' | 'NONE';

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
