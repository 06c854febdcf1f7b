import type { ProblemList } from '../problem';
import type { Definitions } from './definitions';

/** What stage 2 finds in a payload before its references are looked up. */
export interface Checked {
  /** In payload order. */
  readonly problems: ProblemList;
  /** What the payload itself declares. */
  readonly definitions: Definitions;
}
