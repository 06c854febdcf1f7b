import type { DecodedPush } from '../../contract/decode';
import { FailedStep, toFailure } from '../../neo4j/failure';
import { DataSourceGone } from '../graph/data-source-state';
import {
  DataSourceBusy,
  DataSourceDeleting,
  HalfWritten,
  ChunkedPushTaken,
  PushUnfinished,
} from '../graph/store';
import type { PayloadPush } from '../receive/push-intent';
import type { Template } from '../../templates/templates';
import { PayloadLost } from '../graph/chunked-pushes';
import { type Failure, invalid, oneProblem, type ProblemList } from '../../problem';

/** The service refused the payload. The transaction leaves nothing behind. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly problems: ProblemList,
  ) {
    super(message);
  }
}

/** The push is too much work for this thread. The service gives it to another thread. */
export const tooMuchHere = (): FailedStep =>
  new FailedStep({
    _tag: 'TooLarge',
    message: 'The push comes to more than is done here at once.',
  });

/** The push would remove more than it may without a confirmation (docs/rules.md: Removal guard). */
export class TooMuchRemoved extends Error {}

/** The data source is no longer as it was when the push was made. */
export class Overtaken extends Error {}

/** The dry run is too large for its one transaction. */
export class TooLargeToPlan extends Error {}

/** The refusal of a payload with the wrong shape. */
export const unshaped = (problems: ProblemList): Refused =>
  new Refused(
    problems.problems[0]?.code === 'NOT_JSON'
      ? 'The payload is not JSON; nothing was written.'
      : 'The payload is not shaped right; names and references are checked once it is. Nothing was written.',
    problems,
  );

/** The refusal of a CSV file from which no payload can be made. */
export const unreadCsv = (faults: ProblemList): Refused =>
  new Refused('The CSV file cannot be read as a payload. Nothing was written.', faults);

/** Adds the row and column to a refusal, if the payload was made from a CSV file. */
export const placedRefusal = (error: unknown, places: PayloadPush['places']): unknown =>
  error instanceof Refused && places !== undefined
    ? new Refused(error.message, {
        problems: places.placed(error.problems.problems),
        total: error.problems.total,
      })
    : error;

/** The refusal of a payload that breaks rules. Its pointers are those of the payload as sent. */
export const ruleBroken = (
  { pointerAsSent }: Pick<DecodedPush<Template>, 'pointerAsSent'>,
  { problems, total }: ProblemList,
): Refused =>
  new Refused('The payload breaks the rules below; nothing was written.', {
    problems: problems.map((problem) => ({
      ...problem,
      pointer: pointerAsSent(problem.pointer),
    })),
    total,
  });

/** Turns an error of work under the lock of a data source into a failure. */
export const heldFailure = (error: unknown): Failure => {
  if (error instanceof Refused) return invalid(error.message, error.problems);
  if (error instanceof TooMuchRemoved) return { _tag: 'Conflict', message: error.message };
  if (error instanceof Overtaken) {
    return {
      _tag: 'Conflict',
      message: 'Another push has changed the data source in the meantime.',
    };
  }
  if (error instanceof DataSourceBusy) {
    return {
      _tag: 'Conflict',
      message: 'Another push to this data source is running; try again later.',
    };
  }
  if (error instanceof TooLargeToPlan) {
    return {
      _tag: 'TooLarge',
      message:
        'The push needs several transactions; a plan must fit into one. Plan less at once, or give the embedded Neo4j a larger heap (NEO4J_HEAP).',
    };
  }
  if (error instanceof PushUnfinished) {
    return {
      _tag: 'Conflict',
      message:
        'A chunked push to this data source is not finished. The service resumes it, and a full push replaces it. Try again later.',
    };
  }
  if (error instanceof HalfWritten) {
    return {
      _tag: 'Conflict',
      message:
        'The last chunked push to this data source failed, and the graph holds only some of it. Push everything once without incremental_change.',
    };
  }
  if (error instanceof PayloadLost) {
    const message = 'The service can no longer read the stored payload of the push.';
    return invalid(message, oneProblem('', 'NOT_FINISHED', message));
  }
  if (error instanceof ChunkedPushTaken) {
    return {
      _tag: 'Conflict',
      message:
        'Another push has replaced this one, or another process resumes it. Its record shows how it ends.',
    };
  }
  if (error instanceof DataSourceDeleting) {
    return { _tag: 'Conflict', message: 'The data source is being deleted.' };
  }
  if (error instanceof DataSourceGone) {
    return {
      _tag: 'NotFound',
      message: 'There is no data source with this id below this provider.',
    };
  }
  return toFailure(error);
};
