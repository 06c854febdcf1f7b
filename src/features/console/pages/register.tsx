import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { struct } from '../../../codec/struct';
import { oneText } from '../../../contract/parameters/query-parameters';
import { PATHS } from '../frame/address';
import { page, type Shown } from '../frame/page';
import { registeredProviders } from '../registering/register-form';
import { NOTHING, RegisterView } from '../registering/register-view';

/** Where an administrator registers a system. Its form leads to `registering/register-form.tsx`. */
export const register = page({
  path: PATHS.register,
  summary: 'The form with which an administrator registers a provider and a data source.',
  readers: 'administrators',
  query: struct('the query of a registration', {}, { provider: oneText }),
  show: ({ context, query }) =>
    pipe(
      registeredProviders(context),
      TE.map((others): Shown => ({
        title: 'Register a system',
        body: (
          <RegisterView
            others={others}
            provider={others.find(({ id }) => id === query.provider) ?? null}
            written={NOTHING}
          />
        ),
      })),
    ),
});
