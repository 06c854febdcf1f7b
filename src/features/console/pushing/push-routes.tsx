import type { Request, Response } from 'express';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { struct } from '../../../codec/struct';
import { text } from '../../../codec/text';
import { NoParameters } from '../../../contract/parameters/query-parameters';
import type { Context } from '../../../context';
import { type Failure, invalid } from '../../../problem';
import { notDeleting, plannedMemoryOf } from '../../../push/contract';
import { type FilePush, planFile, pushFile } from '../../../push/routes/contract';
import { actOf } from '../../../web/admission/caller';
import { decodeForm, type FormFile, formFileOf } from '../../../web/bodies/form';
import { addressedDataSource } from '../../../web/exchange/addressed';
import { secondsSinceStart } from '../../../web/exchange/request-id';
import { takesNone } from '../../../web/lists/list-query';
import type { Route } from '../../../web/routing/route';
import type { Web } from '../../../web/routing/web';
import { providersOf } from '../../registry/contract';
import { form } from '../../sign-in/contract';
import { askNewestPush, askSource, paramsOf } from '../asking/source';
import { type FormOutcome, statusOf } from '../forms/page-form';
import { PATHS, sourceAddress } from '../frame/address';
import type { Page } from '../frame/page';
import { ADMINISTRATORS } from '../frame/reader';
import { showing } from '../frame/show-page';
import type { SourceOfProvider } from '../overview/overview';
import { SourceHead } from '../sources/source-head';
import { LISTED, PlanView } from './plan-view';
import { isRefusal, RefusedView } from './refused-view';

/**
 * The fields of the form. Without `planned` the service only plans, so a form that lost its fields
 * writes nothing.
 */
const FIELDS = struct(
  'form with a file',
  {},
  {
    planned: text,
    on: text,
    confirm: text,
  },
  {
    docs: {
      planned:
        '`json:` or `csv:`, and the SHA-256 of the file whose plan was shown; unset: show the plan.',
      on: 'The digest of the data source before the plan; empty: nothing was pushed to it.',
      confirm: 'The digest that confirms a large removal.',
    },
  },
);

const NO_PROBLEMS = { problems: [], total: 0 };
const NO_FILE = invalid('No file was chosen.', NO_PROBLEMS);
const EMPTY_FILE = invalid('The file is empty.', NO_PROBLEMS);
const OTHER_FILE: Failure = {
  _tag: 'Conflict',
  message: 'This is not the file that was planned: its bytes differ, or only one of both is CSV.',
};

const isCsv = ({ name }: FormFile): boolean => name.toLowerCase().endsWith('.csv');

/** Identifies a file whose plan was shown: how the service reads it, and its bytes. */
const plannedAs = (file: FormFile): string => `${isCsv(file) ? 'csv' : 'json'}:${file.sha256}`;

const chosenFile = (res: Response): TE.TaskEither<Failure, FormFile> => {
  const file = formFileOf(res);
  if (file === null) return TE.left(NO_FILE);
  return file.bytes === 0 ? TE.left(EMPTY_FILE) : TE.right(file);
};

const filePush = (
  context: Context,
  of: SourceOfProvider,
  file: FormFile,
  res: Response,
): TE.TaskEither<Failure, FilePush> =>
  pipe(
    addressedDataSource(providersOf(context), { params: paramsOf(of) }),
    TE.tapEither(notDeleting),
    TE.map((source) => ({
      source,
      body: file.body,
      encoding: undefined,
      isCsv: isCsv(file),
      ...actOf(res),
      confirmedRemoval: null,
      seconds: { read: secondsSinceStart(res) },
    })),
  );

/** Plans the file, or pushes the one whose plan was shown. */
const carryOut = (
  context: Context,
  of: SourceOfProvider,
  res: Response,
): TE.TaskEither<Failure, FormOutcome> =>
  pipe(
    TE.Do,
    TE.bind('fields', () => TE.fromEither(decodeForm(FIELDS, res))),
    TE.bind('file', () => chosenFile(res)),
    TE.bind('push', ({ file }) => filePush(context, of, file, res)),
    TE.flatMap(({ fields: { planned, on, confirm }, file, push }) => {
      if (planned == null) {
        // What the plan is made from may be newer than this. The push is refused then.
        const { digest } = push.source.dataSource;
        return pipe(
          planFile(context, push, LISTED),
          TE.bindTo('found'),
          TE.bind('newest', () => askNewestPush(context, of)),
          TE.map(({ found, newest }): FormOutcome => {
            const seen = { planned: plannedAs(file), on: digest ?? '' };
            const body = (
              <>
                <SourceHead of={of} />
                <PlanView {...{ of, file, found, newest }} planned={seen} />
              </>
            );
            return { shown: { title: `Plan of a push to ${of.source.name}`, body } };
          }),
        );
      }
      if (planned !== plannedAs(file)) return TE.left(OTHER_FILE);
      return pipe(
        pushFile(context, { ...push, onDigest: on || null, confirmedRemoval: confirm || null }),
        TE.map((done): FormOutcome => ({
          shown: { leadsTo: sourceAddress(of.source.id, { push: done.push }) },
        })),
      );
    }),
  );

const refused =
  (context: Context, of: SourceOfProvider) =>
  (failure: Failure): TE.TaskEither<Failure, FormOutcome> =>
    isRefusal(failure)
      ? TE.right({
          status: statusOf(failure),
          shown: {
            title: `Nothing was pushed to ${of.source.name}`,
            body: (
              <>
                <SourceHead of={of} />
                <RefusedView {...{ of, failure }} most={context.config.limits.problems} />
              </>
            ),
          },
        })
      : TE.left(failure);

/**
 * What becomes of a file that an administrator sends: its plan, or its push. The push line runs both
 * as it runs those of the interface, and the service stores nothing of the file in between.
 */
export const pushRoutes = (
  pages: readonly Page[],
  { handle }: Pick<Web, 'handle'>,
  context: Context,
): readonly Route[] => {
  const { show } = showing(pages, context);
  return [
    {
      ...form({
        path: `${PATHS.sources}/:id/push`,
        people: ADMINISTRATORS,
        summary: 'Plans the push of a file, or pushes it once its plan was shown.',
        more: 'console#push-a-file',
        query: NoParameters,
        form: FIELDS,
        fileBytes: plannedMemoryOf(context).sizes.bodyBytes,
        handler: handle((req: Request, res: Response) =>
          pipe(
            TE.fromEither(takesNone(req)),
            TE.flatMap(() => askSource(context, String(req.params.id))),
            TE.flatMap((of) => pipe(carryOut(context, of, res), TE.orElse(refused(context, of)))),
            TE.flatMap(({ shown, status = 200 }) => show(res, shown, status)),
          ),
        ),
      }),
      idsMayHoldColons: true,
    },
  ];
};
