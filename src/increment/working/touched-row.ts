import type { Row } from '../../rows/row/row';
import type { CurrentRow } from './current-rows';

/** A row that an increment touches: the current row, and the desired one. */
export interface TouchedRow {
  readonly before: CurrentRow | null;
  readonly after: Row | null;
  /** Whether both leave out the same relationships of long lists. */
  readonly isPart?: boolean;
}
