import type { Capabilities } from './capabilities';
import type { Exchange } from './exchange';
import { fieldOf, idIn, isJsonObject, type Json, textOf } from './json';
import { ScimFault } from './scim-fault';

/** What to list. */
export interface Listing {
  /** Such as `/Users`. */
  readonly endpoint: string;
  readonly filter?: string;
  /** Attributes that need not come. */
  readonly without?: string;
}

/** A text in the quotes of a filter (RFC 7644, 3.4.2.2). */
export const quoted = (text: string): string => JSON.stringify(text);

const queryOf = (parameters: Readonly<Record<string, string | number | undefined>>): string =>
  Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');

interface Page {
  readonly resources: readonly Json[];
  readonly total: number | null;
  readonly cursor: string | null;
}

const pageOf = (path: string, body: Json): Page => {
  const listed = fieldOf(body, 'Resources');
  const total = fieldOf(body, 'totalResults');
  // Without results some servers leave the list out, or write null.
  const resources: unknown = listed ?? (total === 0 ? [] : undefined);
  if (!Array.isArray(resources) || !resources.every(isJsonObject)) {
    throw new ScimFault('NOT_SCIM', `GET ${path} was answered without a list of resources.`);
  }
  return {
    resources,
    total: typeof total === 'number' ? total : null,
    cursor: textOf(body, 'nextCursor'),
  };
};

/** The id of a resource, which every resource has (RFC 7643, 3.1). */
export const idOf = (resource: Json): string => {
  const id = idIn(resource, 'id');
  if (id !== null) return id;
  throw new ScimFault('NOT_SCIM', 'A resource of the application has no id.');
};

const endless = (endpoint: string, why: string): ScimFault =>
  new ScimFault('ENDLESS_PAGES', `The pages of ${endpoint} ${why}.`);

/**
 * Lists resources page by page, by index or by cursor (RFC 7644, 3.4.2.4; RFC 9865). A server may
 * give smaller pages than it is asked for. It may not give one resource twice: then its pages would
 * never end.
 */
export async function* listResources(
  exchange: Exchange,
  { usesCursor, pageSize }: Pick<Capabilities, 'usesCursor' | 'pageSize'>,
  { endpoint, filter, without }: Listing,
): AsyncGenerator<Json> {
  const seen = new Set<string>();
  const cursors = new Set<string>();
  let cursor: string | null = usesCursor ? '' : null;
  for (let page = 1; ; page += 1) {
    if (page > exchange.limits.pages) {
      throw endless(endpoint, `do not end after ${exchange.limits.pages}`);
    }
    const place: Readonly<Record<string, string | number>> =
      cursor === null ? { startIndex: seen.size + 1 } : { cursor };
    const query = queryOf({ filter, excludedAttributes: without, ...place, count: pageSize });
    const path = `${endpoint}?${query}`;
    const { resources, total, cursor: next } = pageOf(path, (await exchange.read(path)).body);
    const before = seen.size;
    for (const resource of resources) {
      const id = idOf(resource);
      if (seen.has(id)) continue;
      seen.add(id);
      yield resource;
    }
    if (next !== null) {
      if (cursors.has(next)) throw endless(endpoint, 'repeat');
      cursors.add(next);
      cursor = next;
      continue;
    }
    // After a cursor, the page without another one is the last.
    if (cursor !== null || resources.length === 0) return;
    if (total === null ? resources.length < pageSize : seen.size >= total) return;
    if (seen.size === before) throw endless(endpoint, 'repeat');
  }
}
