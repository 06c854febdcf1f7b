import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../../context';
import { NoParameters } from '../../../contract/parameters/query-parameters';
import { plannedMemoryOf } from '../../../memory/memory-at-hand';
import { actOf } from '../../../web/admission/caller';
import { decodeForm, formFileOf } from '../../../web/bodies/form';
import { absoluteBase } from '../../../web/exchange/public-address';
import { secondsSinceStart } from '../../../web/exchange/request-id';
import { takesNone } from '../../../web/lists/list-query';
import type { Route } from '../../../web/routing/route';
import type { Web } from '../../../web/routing/web';
import { form } from '../../sign-in/contract';
import type { Page } from '../frame/page';
import { admittedTo, readerOf } from '../frame/reader';
import { showing } from '../frame/show-page';
import { ownHandles } from '../parts/own-handles';
import type { PageForm } from './page-form';

/** The routes of the forms of pages. Before a handler runs, the service has checked the session. */
export const formRoutes = (
  forms: readonly PageForm[],
  pages: readonly Page[],
  { handle }: Pick<Web, 'handle'>,
  context: Context,
): readonly Route[] => {
  const { show } = showing(pages, context);
  return forms.map(({ path, summary, more, readers, takesFile, fields: codec, send }) => ({
    ...form({
      path,
      summary,
      more,
      query: NoParameters,
      form: codec,
      people: admittedTo(readers),
      ...(takesFile ? { fileBytes: plannedMemoryOf(context).sizes.bodyBytes } : {}),
      handler: handle((req, res) =>
        pipe(
          TE.fromEither(takesNone(req)),
          TE.flatMap(() => TE.fromEither(decodeForm(codec, res))),
          TE.bindTo('fields'),
          TE.bind('handles', () => TE.fromTask(() => ownHandles(context, readerOf(res)))),
          TE.flatMap(({ fields, handles }) => {
            const id = String(req.params.id ?? '');
            const reader = { ...readerOf(res), handles };
            return send({
              context,
              id,
              fields,
              file: formFileOf(res),
              readSeconds: secondsSinceStart(res),
              reader,
              act: actOf(res),
              base: absoluteBase(req),
            });
          }),
          TE.flatMap(({ shown, status = 200 }) => show(res, shown, status)),
        ),
      ),
    }),
    idsMayHoldColons: true,
  }));
};
