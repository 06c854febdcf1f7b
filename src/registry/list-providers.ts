import type { Wanted, Shown, CountedPage } from '../contract/filter';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { type Filter, filtered } from '../contract/filter';
import { pageOf } from '../contract/page';
import type { DataSource } from '../contract/answers/registry';
import type { Provider } from '../contract/records/provider';
import type { Registry } from '../graph/records/registry';
import type { Failure } from '../problem';

// The names for which a filter looks exactly. Connectors look their provider up by name at each
// run, so the registry finds names through an index.
const namesIn = (filter: Filter): readonly string[] | null => {
  const names = filter.map((reading) =>
    reading.find(({ field, operator }) => field === 'name' && operator === 'eq'),
  );
  return names.length === 0 || names.includes(undefined)
    ? null
    : names.flatMap((name) => (name === undefined ? [] : [name.value]));
};

/** Lists providers (docs/rules.md: Lists). */
export const listProviders =
  ({ registry }: { readonly registry: Pick<Registry, 'listProviders'> }) =>
  ({ filter, page }: Wanted, shown: Shown): TE.TaskEither<Failure, CountedPage<Provider>> =>
    pipe(
      registry.listProviders(namesIn(filter)),
      TE.map((providers) => providers.filter(({ id }) => shown === null || shown.includes(id))),
      TE.map((providers) => pageOf(filtered(providers, filter), page)),
    );

/** Lists the data sources of a provider (docs/rules.md: Lists). */
export const listDataSources =
  ({ registry }: { readonly registry: Pick<Registry, 'listDataSources'> }) =>
  (provider: Pick<Provider, 'id'>, { filter, page }: Wanted) =>
    pipe(
      registry.listDataSources(provider.id),
      TE.map((sources): CountedPage<DataSource> => pageOf(filtered(sources, filter), page)),
    );
