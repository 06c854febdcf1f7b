import { stepsOf } from '../contract/pointer';
import { type Message, ProblemCollector } from '../contract/problem-collector';
import type { Operation } from '../contract/shared';
import type { ProblemCode } from '../problem';
import type { Remark } from '../rows/context';

/** What an increment is told: why it is refused, and what it is warned about (graph.md 7 and 8). */
export class Remarks {
  readonly problems = new ProblemCollector();
  readonly warnings: Remark[] = [];

  refuse(pointer: string, code: ProblemCode, message: Message): void {
    this.problems.add(stepsOf(pointer), code, message);
  }

  /** An operation that the kind of entry does not have (docs/increments.md 2.2). */
  refuseOperation(pointer: string, what: string, sent: Operation, has: readonly Operation[]): void {
    this.refuse(
      `${pointer}/operation`,
      'OPERATION_NOT_ALLOWED',
      () => `${what} has no operation ${JSON.stringify(sent)}, only ${has.join(', ')}`,
    );
  }

  warn(pointer: string, message: string): void {
    this.warnings.push({ pointer, message });
  }
}
