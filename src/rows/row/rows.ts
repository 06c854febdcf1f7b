import type { ProblemList } from '../../problem';
import type { Mention, Remark } from './context';
import type { PayloadTypes } from './payload-types';
import type { Row, SharedNode } from './row';

/** What is to be said about a good payload, once it is known what others bring. */
export interface Words {
  readonly mentions: readonly Mention[];
  readonly remarks: readonly Remark[];
}

/** A payload as the graph should hold it: rows, the shared nodes that they mention, and what is to be said about them. */
export interface Rows extends Words {
  readonly rows: readonly Row[];
  readonly shared: ReadonlyMap<string, SharedNode>;
  readonly problems: ProblemList;
  readonly types: PayloadTypes;
}
