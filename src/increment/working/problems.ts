import { stepsOf } from '../../codec/pointer';
import { type Message, ProblemCollector } from '../../codec/problem-collector';
import type { Operation } from '../../codec/shared';
import type { ProblemCode } from '../../problem';
import { type Subject, titleOf, type WarningCode, type Warning } from '../../warning';

/** The word that warnings use for an entry without an operation, in place of the operation. */
export const CONTEXT = 'context';

/** Collects the problems and warnings of an increment (docs/rules.md: Increments, Warnings). */
export class Remarks {
  readonly problems = new ProblemCollector();
  readonly warnings: Warning[] = [];

  refuse(pointer: string, code: ProblemCode, message: Message): void {
    this.problems.add(stepsOf(pointer), code, message);
  }

  /** Refuses an operation that the kind of entry does not have (docs/increments.md 2.2). */
  refuseOperation(pointer: string, what: string, sent: Operation, has: readonly Operation[]): void {
    this.refuse(
      `${pointer}/operation`,
      'OPERATION_NOT_ALLOWED',
      () => `${what} has no operation ${JSON.stringify(sent)}, only ${has.join(', ')}`,
    );
  }

  warn(pointer: string, code: WarningCode, subject: Subject, message: string): void {
    this.warnings.push({ message, code, pointer, subject });
  }

  /** Warns that what an entry names does not exist. `operation` is what the entry would do. */
  warnOfUnknown(
    pointer: string,
    subject: Subject,
    operation: string,
    title = titleOf(subject),
  ): void {
    const code = operation === CONTEXT ? 'UNKNOWN_CONTEXT' : 'NOTHING_TO_REMOVE';
    this.warn(pointer, code, subject, `Cannot find ${title} (${operation})`);
  }

  /**
   * Warns that an entry has fields but no operation, so that its fields are ignored
   * (docs/increments.md 4).
   */
  warnOfIgnored(
    pointer: string,
    subject: Subject,
    fields: readonly string[],
    title = titleOf(subject),
  ): void {
    if (fields.length === 0) return;
    this.warn(
      pointer,
      'MISSING_OPERATION',
      subject,
      `Ignored fields ${JSON.stringify(fields)} (${title}): an operation is missing; write "operation": "modify" to change them`,
    );
  }
}
