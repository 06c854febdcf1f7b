import type { Request } from 'express';

import type { UseCases } from '../../service/use-cases';

/** The provider that a request's path names. */
export const addressedProvider = (
  { findProvider }: Pick<UseCases, 'findProvider'>,
  { params }: Pick<Request, 'params'>,
): ReturnType<UseCases['findProvider']> => findProvider(String(params.providerId));

/** The data source that a request's path names, with its provider. */
export const addressedDataSource = (
  { findDataSource }: Pick<UseCases, 'findDataSource'>,
  { params }: Pick<Request, 'params'>,
): ReturnType<UseCases['findDataSource']> =>
  findDataSource(String(params.providerId), String(params.dataSourceId));
