import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { PlanAnswer } from '../../contract/answers/plan';
import type { Context } from '../../context';
import type { Failure } from '../../problem';
import type { SentFile } from '../receive/sent-push';
import type { AcceptedPush } from '../run/accepted-push';
import { planSent, runSent } from './run-sent';

/** A file that somebody sends with a browser: JSON or CSV, as it is. */
export type FilePush = Omit<SentFile, 'holds'>;

/** What a push of a file would answer and change, in the words of the interface. */
export interface PlannedFile {
  /** Each list has at most so many entries as were asked for. */
  readonly plan: PlanAnswer;
  /** How many warnings there are in all. */
  readonly warnings: number;
}

/** Plans a push of a file, as the interface plans a push; each list has at most `listed` entries. */
export const planFile = (
  context: Context,
  push: FilePush,
  listed: number,
): TE.TaskEither<Failure, PlannedFile> =>
  pipe(
    planSent(context, push, TE.right({ ...push, holds: 'file', seesOthers: true, listed })),
    TE.map(({ json, warnings }) => ({
      plan: JSON.parse(Buffer.from(json).toString()) as PlanAnswer,
      warnings,
    })),
  );

/** Pushes a file, as the interface pushes a payload. */
export const pushFile = (context: Context, push: FilePush): TE.TaskEither<Failure, AcceptedPush> =>
  runSent(context, push, TE.right({ ...push, holds: 'file' }));
