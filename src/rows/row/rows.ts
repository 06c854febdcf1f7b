import type { ProblemList } from '../../problem';
import type { Mention } from './context';
import type { PayloadTypes } from './payload-types';
import type { Row, SharedNode } from './row';
import type { Warning } from '../../warning';

/**
 * What a push may have to warn about. The service must query the graph about `mentions`; `remarks`
 * follow from the payload alone.
 */
export interface WarningSources {
  readonly mentions: readonly Mention[];
  readonly remarks: readonly Warning[];
}

/**
 * What the graph should hold after a push: the rows, the shared nodes that they mention, and what
 * to warn about.
 */
export interface Rows extends WarningSources {
  readonly rows: readonly Row[];
  readonly shared: ReadonlyMap<string, SharedNode>;
  readonly problems: ProblemList;
  readonly types: PayloadTypes;
}
