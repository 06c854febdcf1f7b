import type { ProblemList } from '../problem';
import type { Definitions } from './definitions';

/** What the checks of stage 2 find before references are looked up. */
export interface Checked {
  /** In payload order. */
  readonly problems: ProblemList;
  /** The custom properties that the payload itself declares. */
  readonly definitions: Definitions;
}
