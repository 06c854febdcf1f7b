import type { Definitions } from '../check/definitions';
import type { ProblemList } from '../problem';
import type { Mention, Remark } from '../rows/row/context';
import type { Row, SharedNode } from '../rows/row/row';
import type { PayloadTypes } from '../rows/row/payload-types';
import type { StandingRow } from './working/current-rows';

/** A row that an increment touched: as it stood, and as it should stand. */
export interface TouchedRow {
  readonly before: StandingRow | null;
  readonly after: Row | null;
}

/** What an increment leads to, with the problems that each part found. */
export interface Outcome {
  readonly problems: readonly ProblemList[];
  readonly rows: readonly TouchedRow[];
  readonly shared: ReadonlyMap<string, SharedNode>;
  readonly mentions: readonly Mention[];
  readonly remarks: readonly Remark[];
  readonly definitions: Definitions;
  readonly types: PayloadTypes;
}
