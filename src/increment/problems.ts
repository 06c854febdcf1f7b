import { stepsOf } from '../contract/pointer';
import { ProblemCollector } from '../contract/problem-collector';
import type { ProblemCode } from '../problem';
import type { Remark } from '../rows/context';

/** What an increment is told: why it is refused, and what it is warned about (graph.md 7 and 8). */
export class Remarks {
  readonly problems = new ProblemCollector();
  readonly warnings: Remark[] = [];

  refuse(pointer: string, code: ProblemCode, message: () => string): void {
    this.problems.add(stepsOf(pointer), code, message);
  }

  warn(pointer: string, message: string): void {
    this.warnings.push({ pointer, message });
  }
}
