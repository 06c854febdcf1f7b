import type { Request, Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Codec } from '../../codec/codec';
import { type Failure, invalid } from '../../problem';
import { decodeJson } from './decode-body';
import { readText } from './body';

/** Enough for a form that somebody fills in. */
const FORM_BYTES = 64 * 1024;
const FORM_FIELDS = 500;

/** The fields of a form. A field that the form repeats is a list. */
export type FormFields = Readonly<Record<string, string | readonly string[]>>;

const FORM_TYPE = /^application\/x-www-form-urlencoded *(;|$)/i;

const refused = (message: string): Failure => invalid(message, { problems: [], total: 0 });

const fieldsOf = (text: string): E.Either<Failure, FormFields> => {
  const given = new URLSearchParams(text);
  if (given.size > FORM_FIELDS) {
    return E.left(refused(`The form has more than ${FORM_FIELDS} fields.`));
  }
  const names = [...new Set(given.keys())];
  return E.right(
    Object.fromEntries(
      names.map((name) => {
        const all = given.getAll(name);
        return [name, all.length === 1 ? (all[0] as string) : all];
      }),
    ),
  );
};

/** Reads the form that a browser sends. Pages of other sites can send other types than this one. */
export const readForm = (req: Request, res: Response): TE.TaskEither<Failure, FormFields> =>
  FORM_TYPE.test(req.headers['content-type'] ?? '')
    ? pipe(readText(req, res, FORM_BYTES), TE.flatMapEither(fieldsOf))
    : TE.left(refused('The body must be a form: application/x-www-form-urlencoded.'));

interface Locals {
  form?: FormFields;
}

/** Notes the form of a request, which the service reads before the handler runs. */
export const setForm = (res: Response, form: FormFields): void => {
  (res.locals as Locals).form = form;
};

/** The form of a request, checked by the codec that its route declares. */
export const decodeForm = <A>(codec: Codec<A>, res: Response): E.Either<Failure, A> =>
  decodeJson(codec, (res.locals as Locals).form ?? {});
