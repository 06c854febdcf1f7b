import { nfc } from '../../model/fold';
import type { Application } from '../client/application';
import { isNotOffered } from '../client/requests/exchange';
import type { Json } from '../client/json';
import { readResource } from '../client/read-resource';
import { idOf, usableId } from '../client/resource-path';
import { ScimFault } from '../client/scim-fault';
import type { LeftOut } from './resource-text';

/** If a list left out at most this many resources, each of them is requested by its id. */
const MOST_LOOKS = 200;

type Endpoint = '/Users' | '/Groups';

/** What to read from. `goOn` throws if the import must stop. */
interface Asked {
  readonly application: Application;
  readonly goOn: () => void;
  readonly left: Pick<LeftOut, 'short'>;
}

/** Asks for resources by their ids. Null if the application offers no such way. */
const found = async (
  { application, goOn }: Asked,
  endpoint: Endpoint,
  ids: readonly string[],
): Promise<readonly Json[] | null> => {
  const resources: Json[] = [];
  for (const id of ids) {
    goOn();
    try {
      const resource = await readResource(application, endpoint, id);
      if (resource !== null) resources.push(resource.resource);
    } catch (error) {
      if (isNotOffered(error)) return null;
      throw error;
    }
  }
  return resources;
};

/**
 * The resources of a list, and those that earlier imports brought and the list left out: somebody
 * may have deleted another one while it was read. A few are requested by their ids. Of many, some
 * are requested, and the list is read again. If one of those exists nevertheless, the import fails.
 * What neither shows is gone, unless the list counts more than it shows. Then the import fails.
 */
export async function* withMissing(
  of: Asked,
  endpoint: Endpoint,
  list: () => AsyncGenerator<Json>,
  existing: readonly string[],
): AsyncGenerator<Json> {
  const missing = new Set(existing);
  for await (const resource of list()) {
    const id = usableId(resource);
    if (id !== null) missing.delete(nfc(id));
    yield resource;
  }
  if (missing.size === 0) return;
  const asked = [...missing].filter((_id, place, all) => {
    const step = Math.max(1, Math.floor(all.length / MOST_LOOKS));
    return place % step === 0 && place / step < MOST_LOOKS;
  });
  const shown = await found(of, endpoint, asked);
  if (shown !== null && asked.length === missing.size) return yield* shown;
  if (of.left.short.has(endpoint)) {
    throw new ScimFault(
      'NOT_WHOLE',
      `The list of ${endpoint} counts more than it shows, and leaves out ${missing.size} that were there. ` +
        'Nobody knows whether they are gone, so nothing was changed.',
    );
  }
  if (shown !== null && shown.length > 0) {
    throw new ScimFault(
      'NOT_WHOLE',
      `The list of ${endpoint} leaves out ${missing.size} that were there, and the application shows ` +
        `${idOf(shown[0] as Json)} by its id. So nothing was changed.`,
    );
  }
  for await (const resource of list()) {
    const id = usableId(resource);
    if (id !== null && missing.delete(nfc(id))) yield resource;
  }
}
