import type { DataSource } from '../contract/answers/registry';
import type { Provider } from '../contract/records/provider';
import type { Template } from '../templates/templates';
import type { Client } from './client';

const PROVIDERS = '/api/v1/providers/custom';

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

/** Finds an entry of a list by its name or id. */
const named = async <A extends { readonly id: string; readonly name: string }>(
  client: Client,
  path: string,
  name: string,
): Promise<A | null> => {
  for await (const one of client.list<A>(path)) {
    if (one.id === name || one.name === name) return one;
  }
  return null;
};

/** Finds a provider by its name or id. */
export const findProvider = async (client: Client, name: string): Promise<Provider> => {
  const found = await named<Provider>(client, PROVIDERS, name);
  if (found !== null) return found;
  throw new NotRegistered(`There is no provider ${JSON.stringify(name)} that this key may see.`);
};

/** The path of a provider. */
export const providerPath = ({ id }: Pick<Provider, 'id'>): string =>
  `${PROVIDERS}/${encodeURIComponent(id)}`;

/** The path of a provider's data sources. */
export const dataSourcesPath = (provider: Pick<Provider, 'id'>): string =>
  `${providerPath(provider)}/datasources`;

/** All providers that the key may see. */
export const listProviders = (client: Client): AsyncGenerator<Provider> => client.list(PROVIDERS);

/** Finds a provider and one of its data sources. */
export const findExisting = async (
  client: Client,
  names: Pick<TargetNames, 'provider' | 'dataSource'>,
): Promise<Target> => {
  const provider = await findProvider(client, names.provider);
  const path = dataSourcesPath(provider);
  const dataSource = await named<DataSource>(client, path, names.dataSource);
  if (dataSource === null) {
    throw new NotRegistered(
      `Provider ${JSON.stringify(provider.name)} has no data source ${JSON.stringify(names.dataSource)}.`,
    );
  }
  return { provider, dataSource, path: `${path}/${encodeURIComponent(dataSource.id)}` };
};

/** Finds the provider and the data source. Creates what is missing if `create` is set. */
export const findTarget = async (
  client: Client,
  { provider: providerName, dataSource: dataSourceName, create }: TargetNames,
): Promise<Target> => {
  let provider = await named<Provider>(client, PROVIDERS, providerName);
  if (provider === null) {
    if (create?.template === undefined) {
      throw new NotRegistered(
        `There is no provider ${JSON.stringify(providerName)}. To create it, use --create with --template.`,
      );
    }
    const body = { name: providerName, custom_template: create.template };
    provider = (await client.post<{ value: Provider }>(PROVIDERS, body)).value;
  }
  const path = dataSourcesPath(provider);
  let dataSource = await named<DataSource>(client, path, dataSourceName);
  if (dataSource === null) {
    if (create === undefined) {
      throw new NotRegistered(
        `Provider ${JSON.stringify(provider.name)} has no data source ${JSON.stringify(dataSourceName)}. To create it, use --create.`,
      );
    }
    const body = { id: provider.id, name: dataSourceName };
    dataSource = (await client.post<{ value: DataSource }>(path, body)).value;
  }
  return { provider, dataSource, path: `${path}/${encodeURIComponent(dataSource.id)}` };
};
