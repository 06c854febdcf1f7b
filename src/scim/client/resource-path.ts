import { idIn, type Json } from './json';
import { ScimFault } from './scim-fault';

/** The longest id that the service accepts. */
const MOST_LETTERS = 1024;

/**
 * Whether an id is one segment of a path: it leads to no other folder, and holds nothing that no
 * path can hold.
 */
const isSegment = (id: string): boolean =>
  id !== '' && id !== '.' && id !== '..' && id.length <= MOST_LETTERS && id.isWellFormed();

/** The id of a resource; null if it has none that a path can hold. */
export const usableId = (resource: Json): string | null => {
  const id = idIn(resource, 'id');
  return id !== null && isSegment(id) ? id : null;
};

/** The id of a resource, which every resource has (RFC 7643, 3.1). */
export const idOf = (resource: Json): string => {
  const id = usableId(resource);
  if (id !== null) return id;
  throw new ScimFault('NOT_SCIM', 'A resource of the application has no id that is a text.');
};

/** The path of one resource. Its id is one segment of the path, whatever it contains. */
export const resourcePath = (endpoint: '/Users' | '/Groups', id: string): string => {
  if (isSegment(id)) return `${endpoint}/${encodeURIComponent(id)}`;
  const shown = JSON.stringify(id.slice(0, 40));
  throw new ScimFault('BAD_ID', `${shown} is no id of a resource, so no request is sent with it.`);
};
