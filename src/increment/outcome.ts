import type { Definitions } from '../check/definitions';
import type { ProblemList } from '../problem';
import type { Mention } from '../rows/row/context';
import type { SharedNode } from '../rows/row/row';
import type { PayloadTypes } from '../rows/row/payload-types';
import type { TouchedRow } from './working/touched-row';
import type { Warning } from '../warning';

/** What an increment changes, with the problems of each step. */
export interface Outcome {
  readonly problems: readonly ProblemList[];
  readonly rows: readonly TouchedRow[];
  readonly shared: ReadonlyMap<string, SharedNode>;
  readonly mentions: readonly Mention[];
  readonly remarks: readonly Warning[];
  readonly definitions: Definitions;
  readonly types: PayloadTypes;
}
