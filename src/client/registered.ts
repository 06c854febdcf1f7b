import type { DataSource } from '../contract/answers/registry';
import type { Provider } from '../contract/records/provider';
import { pathOf } from '../contract/parameters/path-of';
import { endpoints } from '../registry/endpoints';
import type { Template } from '../templates/templates';
import type { Client } from './client';

/** No provider or data source has the given name or id. */
export class NotRegistered extends Error {}

/** A data source, and its path in the API. */
export interface Target {
  readonly provider: Provider;
  readonly dataSource: DataSource;
  readonly path: string;
}

/** The names by which a connector says where it pushes. */
export interface TargetNames {
  /** Name or id. */
  readonly provider: string;
  /** Name or id. */
  readonly dataSource: string;
  /** If set, a missing provider or data source is created. A new provider needs the template. */
  readonly create?: { readonly template: Template | undefined } | undefined;
}

/** What names a data source in the path of a request. */
export const idsOf = ({ provider, dataSource }: Pick<Target, 'provider' | 'dataSource'>) => ({
  providerId: provider.id,
  dataSourceId: dataSource.id,
});

const targetOf = (provider: Provider, dataSource: DataSource): Target => ({
  provider,
  dataSource,
  path: pathOf(endpoints.readDataSource, idsOf({ provider, dataSource })),
});

/** Finds an entry of a list by its name or id. */
const named = async <A extends { readonly id: string; readonly name: string }>(
  list: AsyncIterable<A>,
  name: string,
): Promise<A | null> => {
  for await (const one of list) {
    if (one.id === name || one.name === name) return one;
  }
  return null;
};

/** Finds a provider by its name or id. */
export const findProvider = async (client: Client, name: string): Promise<Provider> => {
  const found = await named(client.entries(endpoints.list, {}), name);
  if (found !== null) return found;
  throw new NotRegistered(`There is no provider ${JSON.stringify(name)} that this key may see.`);
};

const dataSourceNamed = (
  client: Client,
  { id }: Provider,
  name: string,
): Promise<DataSource | null> =>
  named(client.entries(endpoints.listDataSources, { providerId: id }), name);

/** Finds a provider and one of its data sources. */
export const findExisting = async (
  client: Client,
  names: Pick<TargetNames, 'provider' | 'dataSource'>,
): Promise<Target> => {
  const provider = await findProvider(client, names.provider);
  const dataSource = await dataSourceNamed(client, provider, names.dataSource);
  if (dataSource === null) {
    throw new NotRegistered(
      `Provider ${JSON.stringify(provider.name)} has no data source ${JSON.stringify(names.dataSource)}.`,
    );
  }
  return targetOf(provider, dataSource);
};

/** Finds the provider and the data source. Creates what is missing if `create` is set. */
export const findTarget = async (
  client: Client,
  { provider: providerName, dataSource: dataSourceName, create }: TargetNames,
): Promise<Target> => {
  let provider: Provider | null = await named(client.entries(endpoints.list, {}), providerName);
  if (provider === null) {
    if (create?.template === undefined) {
      throw new NotRegistered(
        `There is no provider ${JSON.stringify(providerName)}. To create it, use --create with --template.`,
      );
    }
    const body = { name: providerName, custom_template: create.template };
    provider = (await client.call(endpoints.register, {}, { body })).value;
  }
  let dataSource = await dataSourceNamed(client, provider, dataSourceName);
  if (dataSource === null) {
    if (create === undefined) {
      throw new NotRegistered(
        `Provider ${JSON.stringify(provider.name)} has no data source ${JSON.stringify(dataSourceName)}. To create it, use --create.`,
      );
    }
    const body = { id: provider.id, name: dataSourceName };
    const ids = { providerId: provider.id };
    dataSource = (await client.call(endpoints.createDataSource, ids, { body })).value;
  }
  return targetOf(provider, dataSource);
};
