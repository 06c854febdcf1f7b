import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { struct } from '../../../codec/struct';
import { askSource } from '../asking/source';
import { PATHS } from '../frame/address';
import { page, type Shown } from '../frame/page';
import { PlanForm } from '../pushing/file-forms';
import { SourceHead } from '../sources/source-head';

/** Where an administrator chooses a file to push. Its form leads to `pushing/push-forms.tsx`. */
export const push = page({
  path: `${PATHS.sources}/:id/push`,
  summary: 'The form with which an administrator pushes a file to a data source.',
  readers: 'administrators',
  query: struct('the query of a push', {}, {}),
  show: ({ context, id }) =>
    pipe(
      askSource(context, id),
      TE.map((of): Shown => ({
        title: `Push to ${of.source.name}`,
        body: (
          <>
            <SourceHead of={of} />
            <h2>Push a file</h2>
            <PlanForm of={of} />
          </>
        ),
      })),
    ),
});
