import type { Request, Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Codec } from '../../codec/codec';
import { type Failure, invalid } from '../../problem';
import { decodeJson } from './decode-body';
import { readText } from './body';
import type { SentBody } from './sent-body';

/** Enough for a form that somebody fills in. */
const FORM_BYTES = 64 * 1024;
const FORM_FIELDS = 500;

/** The fields of a form. A field that the form repeats is a list. */
export type FormFields = Readonly<Record<string, string | readonly string[]>>;

const FORM_TYPE = /^application\/x-www-form-urlencoded *(;|$)/i;

/** The refusal of a body that is not the form that it should be. */
export const refusedForm = (message: string): Failure =>
  invalid(message, { problems: [], total: 0 });

/** The fields of a form from their names and values. */
export const fieldsOf = (
  entries: readonly (readonly [name: string, value: string])[],
): E.Either<Failure, FormFields> => {
  if (entries.length > FORM_FIELDS) {
    return E.left(refusedForm(`The form has more than ${FORM_FIELDS} fields.`));
  }
  const values = new Map<string, readonly string[]>();
  for (const [name, value] of entries) values.set(name, [...(values.get(name) ?? []), value]);
  return E.right(
    Object.fromEntries(
      [...values].map(([name, all]) => [name, all.length === 1 ? (all[0] as string) : all]),
    ),
  );
};

/** Reads the form that a browser sends. Pages of other sites can send other types than this one. */
export const readForm = (req: Request, res: Response): TE.TaskEither<Failure, FormFields> =>
  FORM_TYPE.test(req.headers['content-type'] ?? '')
    ? pipe(
        readText(req, res, FORM_BYTES),
        TE.flatMapEither((text) => fieldsOf([...new URLSearchParams(text)])),
      )
    : TE.left(refusedForm('The body must be a form: application/x-www-form-urlencoded.'));

/** A form as the service received it. */
export interface ReceivedForm {
  readonly fields: FormFields;
  /** The file that the browser sent with it; `null`: none. */
  readonly file: FormFile | null;
}

/** A file that somebody chose in a form. */
export interface FormFile extends Pick<SentBody, 'body'> {
  /** Its name without a path; the sender chose it. */
  readonly name: string;
  readonly bytes: number;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
}

interface Locals {
  form?: ReceivedForm;
}

/** Notes the form of a request, which the service reads before the handler runs. */
export const setForm = (res: Response, form: ReceivedForm): void => {
  (res.locals as Locals).form = form;
};

/** The file of a form; `null`: nobody chose one. */
export const formFileOf = (res: Response): FormFile | null =>
  (res.locals as Locals).form?.file ?? null;

/** The form of a request, checked by the codec that its route declares. */
export const decodeForm = <A>(codec: Codec<A>, res: Response): E.Either<Failure, A> =>
  decodeJson(codec, (res.locals as Locals).form?.fields ?? {});
