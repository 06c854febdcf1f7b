import type { Request } from 'express';
import type { Registry } from '../../graph/records/registry';

/** The provider that a request's path names. */
export const addressedProvider = (
  registry: Pick<Registry, 'findProvider'>,
  { params }: Pick<Request, 'params'>,
): ReturnType<Registry['findProvider']> => registry.findProvider(String(params.providerId));

/** The data source that a request's path names, with its provider. */
export const addressedDataSource = (
  registry: Pick<Registry, 'findDataSource'>,
  { params }: Pick<Request, 'params'>,
): ReturnType<Registry['findDataSource']> =>
  registry.findDataSource(String(params.providerId), String(params.dataSourceId));
