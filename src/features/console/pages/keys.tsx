import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { struct } from '../../../codec/struct';
import { keysOf } from '../../keys/contract';
import { askSource } from '../asking/source';
import { PATHS } from '../frame/address';
import { page, type Shown } from '../frame/page';
import { KeysView } from '../registering/key-views';

/** The keys that push to a data source. Its forms lead to `registering/key-form.tsx`. */
export const keys = page({
  path: `${PATHS.sources}/:id/keys`,
  summary: 'The keys that are limited to the provider of a data source, and forms for them.',
  readers: 'administrators',
  query: struct('the query of keys', {}, {}),
  show: ({ context, id }) =>
    pipe(
      askSource(context, id),
      TE.bindTo('of'),
      TE.bind('keys', ({ of }) => keysOf(context).ofProvider(of.provider.id)),
      TE.map((found): Shown => ({
        title: `Keys of ${found.of.provider.name}`,
        body: <KeysView {...found} />,
      })),
    ),
});
