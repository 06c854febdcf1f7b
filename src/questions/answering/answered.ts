import type { AsOf } from '../../contract/answers/page';

/** An answer, and the newest push that it reflects. */
export interface Answered<A> {
  readonly answer: A;
  readonly asOf: AsOf | null;
}
