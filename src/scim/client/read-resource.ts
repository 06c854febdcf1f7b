import type { Application } from './application';
import { etagOf, isMissing, isNotOffered, refusesFilter } from './requests/exchange';
import type { Json } from './json';
import { listResources, quoted } from './paging';
import { idOf, resourcePath, usableId } from './resource-path';
import { ScimFault } from './scim-fault';

/** A resource in its present state. */
export interface Resource {
  readonly resource: Json;
  readonly etag: string | null;
}

const inList = async (
  { exchange, can }: Pick<Application, 'exchange' | 'can'>,
  endpoint: '/Users' | '/Groups',
  id: string,
  filter?: string,
): Promise<Resource | null> => {
  const fits = (resource: Json): boolean => usableId(resource) === id;
  const listing = { endpoint, ...(filter === undefined ? {} : { filter, fits }) };
  for await (const resource of listResources(exchange, can, listing)) {
    if (fits(resource)) return { resource, etag: etagOf(resource, null) };
  }
  return null;
};

/**
 * Reads a resource by its id; null only if the application answers that it does not exist (404,
 * 410). If the application does not offer that request (405, 501), a list may show the resource.
 * But a resource that no list shows may exist.
 */
export const readResource = async (
  application: Pick<Application, 'exchange' | 'can'>,
  endpoint: '/Users' | '/Groups',
  id: string,
): Promise<Resource | null> => {
  const path = resourcePath(endpoint, id);
  try {
    const { body, etag } = await application.exchange.read(path);
    if (idOf(body).toLowerCase() !== id.toLowerCase()) {
      throw new ScimFault('NOT_SCIM', `GET ${path} was answered with another resource.`);
    }
    return { resource: body, etag: etagOf(body, etag) };
  } catch (error) {
    if (isMissing(error)) return null;
    if (!isNotOffered(error)) throw error;
    const listed = await listedResource(application, endpoint, id);
    if (listed === null) throw error;
    return listed;
  }
};

const listedResource = async (
  application: Pick<Application, 'exchange' | 'can'>,
  endpoint: '/Users' | '/Groups',
  id: string,
): Promise<Resource | null> => {
  if (!application.can.filter) return inList(application, endpoint, id);
  try {
    const found = await inList(application, endpoint, id, `id eq ${quoted(id)}`);
    if (found !== null) return found;
  } catch (error) {
    if (!refusesFilter(error) && !isMissing(error)) throw error;
  }
  return inList(application, endpoint, id);
};
