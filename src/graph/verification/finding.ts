import type { Value } from '../../rows/row/row';

/** What somebody changed in the graph by hand. */
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

/**
 * Who repairs a finding: the verification, the next full push (only the payload knows what the row
 * should say), or the person who made the change.
 */
export type Remedy = 'REPAIR' | 'NEXT_FULL_PUSH' | 'NONE';

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
