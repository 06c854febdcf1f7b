import type { Application } from './application';
import { isSame } from './attribute';
import { isMissing } from './exchange';
import { fieldOf, idIn, isJsonObject, type Json, objectsOf, textOf } from './json';
import { idOf, listResources, quoted } from './paging';
import { ScimFault } from './scim-fault';

/** A group as it stands. */
export interface Group {
  readonly id: string;
  readonly name: string;
  readonly resource: Json;
  readonly etag: string | null;
  /** Ids of the members that it shows; null if it shows no list. An empty group may show none. */
  readonly members: ReadonlySet<string> | null;
}

/** The path of a group. */
export const groupPath = (id: string): string => `/Groups/${encodeURIComponent(id)}`;

/** The ids in a list of members or groups; null if there is no list. */
export const idsIn = (resource: Json, list: string): ReadonlySet<string> | null => {
  const entries = objectsOf(resource, list);
  if (entries === null) return null;
  return new Set(entries.flatMap((entry) => idIn(entry, 'value') ?? []));
};

/** Reads a group; null if there is none. */
export const readGroup = async (
  { exchange }: Pick<Application, 'exchange'>,
  id: string,
): Promise<Group | null> => {
  try {
    const { body, etag } = await exchange.read(groupPath(id));
    const meta = fieldOf(body, 'meta');
    const version = isJsonObject(meta) ? textOf(meta, 'version') : null;
    return {
      id: idOf(body),
      name: textOf(body, 'displayName') ?? idOf(body),
      resource: body,
      etag: etag ?? version,
      members: idsIn(body, 'members'),
    };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

const namedGroups = async (
  { exchange, can }: Application,
  name: string,
  filter: string | undefined,
): Promise<readonly string[]> => {
  const ids: string[] = [];
  const listing = {
    endpoint: '/Groups',
    without: 'members',
    ...(filter === undefined ? {} : { filter }),
  };
  for await (const resource of listResources(exchange, can, listing)) {
    if (isSame('displayName', textOf(resource, 'displayName') ?? '', name)) {
      ids.push(idOf(resource));
    }
  }
  return ids;
};

/** Finds a group by its name, else by its id. */
export const findGroup = async (application: Application, name: string): Promise<Group> => {
  const filter = application.can.filter ? `displayName eq ${quoted(name)}` : undefined;
  const ids = await namedGroups(application, name, filter).catch((error: unknown) => {
    if (isMissing(error)) return [];
    if (filter === undefined || !(error instanceof ScimFault) || error.details.status !== 400) {
      throw error;
    }
    return namedGroups(application, name, undefined);
  });
  if (ids.length > 1) {
    throw new ScimFault(
      'AMBIGUOUS',
      `Groups ${ids.slice(0, 5).join(', ')} are called ${JSON.stringify(name)}: use the id of one.`,
    );
  }
  const group = await readGroup(application, ids[0] ?? name);
  if (group !== null) return group;
  throw new ScimFault('NO_GROUP', `There is no group with the name or id ${JSON.stringify(name)}.`);
};
