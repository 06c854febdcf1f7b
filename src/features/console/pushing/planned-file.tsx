import type { VNode } from 'preact';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { type Failure, invalid } from '../../../problem';
import { notDeleting } from '../../../push/contract';
import { type FilePush, planFile } from '../../../push/routes/contract';
import type { FormFile } from '../../../web/bodies/form';
import { addressedDataSource } from '../../../web/exchange/addressed';
import { providersOf } from '../../../graph/records/registry';
import { askNewestPush, paramsOf } from '../asking/source';
import { type SentForm, statusOf } from '../forms/page-form';
import type { SourceOfProvider } from '../overview/overview';
import { LISTED, PlanView } from './plan-view';
import { isRefusal, RefusedView } from './refused-view';

/** What plans and pushes need of a form. */
export type SentFile = Omit<SentForm<unknown>, 'fields' | 'id'>;

/** A file, and how the service plans or pushes it. */
interface ReadyFile {
  readonly file: FormFile;
  readonly push: FilePush;
}

/** What a page shows of a file: its plan, or why it was refused. */
export interface ShownFile {
  readonly title: string;
  readonly body: VNode;
  readonly status: number;
}

const NO_PROBLEMS = { problems: [], total: 0 };
const NO_FILE = invalid('No file was chosen.', NO_PROBLEMS);
const EMPTY_FILE = invalid('The file is empty.', NO_PROBLEMS);

const isCsv = ({ name }: FormFile): boolean => name.toLowerCase().endsWith('.csv');

/** Identifies a file whose plan was shown: how the service reads it, and its bytes. */
export const plannedAs = (file: FormFile): string =>
  `${isCsv(file) ? 'csv' : 'json'}:${file.sha256}`;

/** The file of a form, ready for its plan or push. */
export const readyFile = (
  { context, file, readSeconds, act }: SentFile,
  of: SourceOfProvider,
): TE.TaskEither<Failure, ReadyFile> => {
  if (file === null) return TE.left(NO_FILE);
  if (file.bytes === 0) return TE.left(EMPTY_FILE);
  return pipe(
    addressedDataSource(providersOf(context), { params: paramsOf(of) }),
    TE.tapEither(notDeleting),
    TE.map((source) => ({
      file,
      push: {
        source,
        body: file.body,
        encoding: undefined,
        isCsv: isCsv(file),
        ...act,
        confirmedRemoval: null,
        seconds: { read: readSeconds },
      },
    })),
  );
};

/** The plan of a file. The service stores nothing of the file, nor of the plan. */
const shownPlan = (
  { context }: SentFile,
  of: SourceOfProvider,
  { file, push }: ReadyFile,
): TE.TaskEither<Failure, ShownFile> => {
  // What the plan is made from may be newer than this. The push is refused then.
  const { digest } = push.source.dataSource;
  return pipe(
    planFile(context, push, LISTED),
    TE.bindTo('found'),
    TE.bind('newest', () => askNewestPush(context, of)),
    TE.map(({ found, newest }) => ({
      title: `Plan of a push to ${of.source.name}`,
      body: (
        <PlanView
          {...{ of, file, found, newest }}
          planned={{ planned: plannedAs(file), on: digest ?? '' }}
        />
      ),
      status: 200,
    })),
  );
};

/** Shows a refusal about which the sender can do something, and what they can do. */
export const orRefused =
  ({ context }: SentFile, of: SourceOfProvider) =>
  <A,>(work: TE.TaskEither<Failure, A>): TE.TaskEither<Failure, A | ShownFile> =>
    pipe(
      work,
      TE.orElse((failure): TE.TaskEither<Failure, A | ShownFile> =>
        isRefusal(failure)
          ? TE.right({
              title: `Nothing was pushed to ${of.source.name}`,
              body: <RefusedView {...{ of, failure }} most={context.config.limits.problems} />,
              status: statusOf(failure),
            })
          : TE.left(failure),
      ),
    );

/** What a page shows of the file of a form that only plans: the plan, or why there is none. */
export const plannedFile = (
  sent: SentFile,
  of: SourceOfProvider,
): TE.TaskEither<Failure, ShownFile> =>
  pipe(
    readyFile(sent, of),
    TE.flatMap((ready) => shownPlan(sent, of, ready)),
    orRefused(sent, of),
  );
