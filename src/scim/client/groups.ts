import type { Application } from './application';
import { isSame } from './attribute';
import { isMissing, isNotOffered, refusesFilter } from './requests/exchange';
import { idIn, type Json, objectsOf, textOf } from './json';
import { listResources, quoted } from './paging';
import { readResource } from './read-resource';
import { idOf, resourcePath } from './resource-path';
import { ScimFault } from './scim-fault';

/** A group in its present state. */
export interface Group {
  readonly id: string;
  readonly name: string;
  readonly resource: Json;
  readonly etag: string | null;
  /** Ids of the members that it shows; null if it shows no list. An empty group may show none. */
  readonly members: ReadonlySet<string> | null;
}

/** The path of a group. */
export const groupPath = (id: string): string => resourcePath('/Groups', id);

/**
 * The attributes of groups to request by name, if the application returns members only on request.
 */
export const GROUP_ATTRIBUTES = 'displayName,externalId,meta,members';

/** The ids in a list of members or groups; null if there is no list. */
export const idsIn = (resource: Json, list: string): ReadonlySet<string> | null => {
  const entries = objectsOf(resource, list);
  if (entries === null) return null;
  return new Set(entries.flatMap((entry) => idIn(entry, 'value') ?? []));
};

/** Notes that an application has shown a member. */
export const noteMembers = (
  { members }: Pick<Application, 'members'>,
  resource: Json,
): ReadonlySet<string> | null => {
  const ids = idsIn(resource, 'members');
  if (ids !== null && ids.size > 0) members.any = true;
  return ids;
};

/** The list of members of a group that shows it only on request; null if there is none. */
const membersOnRequest = async (
  { exchange, members }: Application,
  id: string,
): Promise<readonly Json[] | null> => {
  try {
    const { body } = await exchange.read(`${groupPath(id)}?attributes=${GROUP_ATTRIBUTES}`);
    const list = objectsOf(body, 'members');
    if (list !== null && list.length > 0) members.onRequest = true;
    return list;
  } catch (error) {
    const isRefused = error instanceof ScimFault && error.code === 'REFUSED';
    if (!members.onRequest && (isRefused || isNotOffered(error))) return null;
    throw error;
  }
};

/** Reads a group; null if there is none. Only the application itself can say that there is none. */
export const readGroup = async (application: Application, id: string): Promise<Group | null> => {
  const found = await readResource(application, '/Groups', id);
  if (found === null) return null;
  const list =
    objectsOf(found.resource, 'members') ?? (await membersOnRequest(application, id)) ?? null;
  const resource = list === null ? found.resource : { ...found.resource, members: list };
  return {
    id,
    resource,
    etag: found.etag,
    name: textOf(resource, 'displayName') ?? id,
    members: noteMembers(application, resource),
  };
};

const namedGroups = async (
  { exchange, can }: Application,
  name: string,
  filter: string | undefined,
): Promise<readonly string[]> => {
  const ids: string[] = [];
  const fits = (resource: Json): boolean =>
    isSame('displayName', textOf(resource, 'displayName') ?? '', name);
  const listing = {
    endpoint: '/Groups',
    without: 'members',
    ...(filter === undefined ? {} : { filter, fits }),
  };
  for await (const resource of listResources(exchange, can, listing)) {
    if (fits(resource)) ids.push(idOf(resource));
  }
  return ids;
};

/**
 * The ids of groups with a name. It tries each way to find them until the application offers one.
 */
const idsNamed = async (application: Application, name: string): Promise<readonly string[]> => {
  const ways = [...(application.can.filter ? [`displayName eq ${quoted(name)}`] : []), undefined];
  for (const filter of ways) {
    try {
      return await namedGroups(application, name, filter);
    } catch (error) {
      if (isMissing(error)) return [];
      const mayGoOn = filter === undefined ? isNotOffered(error) : refusesFilter(error);
      if (!mayGoOn) throw error;
    }
  }
  return [];
};

/** Finds a group by its name, or else by its id. */
export const findGroup = async (application: Application, name: string): Promise<Group> => {
  const ids = await idsNamed(application, name);
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

/** The most groups that the service searches for a member. */
const MOST_SEARCHED = 1_000;

/**
 * Whether the application has shown a member of some group. If it has not, the service searches its
 * groups once, because some servers show an empty list for each group, even if it has members.
 */
export const showsMembers = async (application: Application): Promise<boolean> => {
  const { exchange, can, members } = application;
  if (members.any || members.isSearched) return members.any;
  members.isSearched = true;
  const listing = {
    endpoint: '/Groups',
    ...(members.onRequest ? { only: GROUP_ATTRIBUTES } : {}),
  };
  let looked = 0;
  try {
    for await (const resource of listResources(exchange, can, listing)) {
      noteMembers(application, resource);
      looked += 1;
      if (members.any || looked >= MOST_SEARCHED) break;
    }
  } catch (error) {
    if (!(error instanceof ScimFault)) throw error;
    // The failure may pass, so the groups are searched again later.
    members.isSearched = false;
  }
  return members.any;
};
