import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { struct } from '../../../codec/struct';
import { requiredText, text } from '../../../codec/text';
import type { Failure } from '../../../problem';
import { pushFile } from '../../../push/routes/contract';
import { askSource } from '../asking/source';
import { type FormOutcome, pageForm, type SentForm } from '../forms/page-form';
import { PATHS, sourceAddress } from '../frame/address';
import type { SourceOfProvider } from '../overview/overview';
import { SourceHead } from '../sources/source-head';
import { orRefused, plannedAs, plannedFile, readyFile, type ShownFile } from './planned-file';

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

type Sent = SentForm<Readonly<Partial<Record<'planned' | 'on' | 'confirm', string | null>>>>;

const OTHER_FILE: Failure = {
  _tag: 'Conflict',
  message: 'This is not the file that was planned: its bytes differ, or only one of both is CSV.',
};

/** The page of a data source, with the plan of a file or its refusal. */
const aboutFile = (of: SourceOfProvider, { title, body, status }: ShownFile): FormOutcome => ({
  status,
  shown: {
    title,
    body: (
      <>
        <SourceHead of={of} />
        {body}
      </>
    ),
  },
});

/** Pushes the file whose plan was shown; gives the address of its push, or what the page shows of its refusal. */
const pushed = (sent: Sent, of: SourceOfProvider): TE.TaskEither<Failure, string | ShownFile> => {
  const { context, fields } = sent;
  return pipe(
    readyFile(sent, of),
    TE.filterOrElse(
      ({ file }) => fields.planned === plannedAs(file),
      (): Failure => OTHER_FILE,
    ),
    TE.flatMap(({ push }) =>
      pushFile(context, {
        ...push,
        onDigest: fields.on || null,
        confirmedRemoval: fields.confirm || null,
      }),
    ),
    TE.map((done) => sourceAddress(of.source.id, { push: done.push })),
    orRefused(sent, of),
  );
};

/**
 * What becomes of a file that an administrator sends: its plan, or its push. The push line runs both
 * as it runs those of the interface, and the service stores nothing of the file in between.
 */
export const pushForm = pageForm({
  path: `${PATHS.sources}/:id/push`,
  readers: 'administrators',
  summary: 'Plans the push of a file, or pushes it once its plan was shown.',
  more: 'console#push-a-file',
  fields: FIELDS,
  takesFile: true,
  send: (sent: Sent) =>
    pipe(
      askSource(sent.context, sent.id),
      TE.flatMap((of) =>
        pipe(
          sent.fields.planned == null ? plannedFile(sent, of) : pushed(sent, of),
          TE.map((done): FormOutcome =>
            typeof done === 'string' ? { shown: { leadsTo: done } } : aboutFile(of, done),
          ),
        ),
      ),
    ),
});

const CHOICE = struct(
  'form with a file for a data source',
  { source: requiredText },
  {},
  { docs: { source: 'The id of the data source.' } },
);

/** Plans a file for a data source that the form names. The plan has the form that pushes it. */
export const planForm = pageForm({
  path: PATHS.sources,
  readers: 'administrators',
  summary: 'Plans the push of a file to a data source that the form names.',
  more: 'console#push-a-file',
  fields: CHOICE,
  takesFile: true,
  send: (sent: SentForm<{ readonly source: string }>) =>
    pipe(
      askSource(sent.context, sent.fields.source),
      TE.flatMap((of) =>
        pipe(
          plannedFile(sent, of),
          TE.map((file) => aboutFile(of, file)),
        ),
      ),
    ),
});
