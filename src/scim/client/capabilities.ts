import { type Exchange, isMissing } from './requests/exchange';
import { fieldOf, isJsonObject, type Json, objectsOf, textOf } from './json';
import { ScimFault } from './scim-fault';

/** What an application can do: what it announces, unless its profile says otherwise. */
export interface Capabilities {
  readonly patch: boolean;
  readonly filter: boolean;
  readonly etag: boolean;
  /** Whether lists are read by cursor instead of by index. */
  readonly usesCursor: boolean;
  readonly pageSize: number;
}

const supported = (config: Json, feature: string): boolean | null => {
  const declared = fieldOf(config, feature);
  const value = isJsonObject(declared) ? fieldOf(declared, 'supported') : undefined;
  if (typeof value === 'boolean') return value;
  return typeof value === 'string' ? value.toLowerCase() === 'true' : null;
};

const cursorIn = (config: Json): boolean => {
  const declared = fieldOf(config, 'pagination');
  if (!isJsonObject(declared) || fieldOf(declared, 'cursor') !== true) return false;
  return (
    fieldOf(declared, 'index') === false ||
    fieldOf(declared, 'defaultPaginationMethod') === 'cursor'
  );
};

const mostResults = (config: Json): number => {
  const filter = fieldOf(config, 'filter');
  const most = isJsonObject(filter) ? fieldOf(filter, 'maxResults') : undefined;
  return typeof most === 'number' && most >= 1 ? most : Infinity;
};

/** Reads what an application announces; null if it has no such endpoint. */
const readConfig = async (exchange: Exchange): Promise<Json | null> => {
  try {
    return (await exchange.read('/ServiceProviderConfig')).body;
  } catch (error) {
    if (isMissing(error) || (error instanceof ScimFault && error.code === 'NOT_OFFERED'))
      return null;
    throw error;
  }
};

const capabilitiesOf = ({ profile }: Exchange, config: Json): Capabilities => ({
  // Most applications that announce nothing accept PATCH and filters. One that refuses PATCH gets
  // PUT.
  patch: profile.patch ?? supported(config, 'patch') ?? true,
  filter: profile.filter ?? supported(config, 'filter') ?? true,
  etag: profile.etag ?? supported(config, 'etag') ?? false,
  usesCursor: profile.paging === null ? cursorIn(config) : profile.paging === 'cursor',
  pageSize: Math.min(profile.page_size, mostResults(config)),
});

/** Reads what an application can do. */
export const readCapabilities = async (exchange: Exchange): Promise<Capabilities> =>
  capabilitiesOf(exchange, (await readConfig(exchange)) ?? {});

/** What a test of a connection finds. */
export interface Description extends Capabilities {
  /** Whether the application announces what it can do. */
  readonly announces: boolean;
  /** Names of its types of resources, and their endpoints. */
  readonly resourceTypes: readonly { readonly name: string; readonly endpoint: string }[];
  /** URNs of its schemas. */
  readonly schemas: readonly string[];
  /**
   * Paths of the attributes of its users, in lower case; null if the application does not list
   * them.
   */
  readonly userAttributes: ReadonlySet<string> | null;
}

/** The resources of an answer: of a list, or of a bare array in `Resources`. */
const readList = async (exchange: Exchange, path: string): Promise<readonly Json[] | null> => {
  try {
    const { body } = await exchange.read(path);
    return objectsOf(body, 'Resources');
  } catch (error) {
    if (isMissing(error) || (error instanceof ScimFault && error.code === 'NOT_OFFERED'))
      return null;
    throw error;
  }
};

const USER = 'urn:ietf:params:scim:schemas:core:2.0:user';

const pathsOf = (schema: Json): readonly string[] => {
  const id = (textOf(schema, 'id') ?? '').toLowerCase();
  const prefix = id === USER ? '' : `${id}:`;
  return (objectsOf(schema, 'attributes') ?? []).flatMap((attribute) => {
    const name = (textOf(attribute, 'name') ?? '').toLowerCase();
    const subs = objectsOf(attribute, 'subAttributes') ?? [];
    return [
      `${prefix}${name}`,
      ...subs.map((sub) => `${prefix}${name}.${(textOf(sub, 'name') ?? '').toLowerCase()}`),
    ];
  });
};

const isOfUsers = (schema: Json): boolean => {
  const id = (textOf(schema, 'id') ?? '').toLowerCase();
  return id === USER || id.includes(':extension:');
};

/** Reads `/ServiceProviderConfig`, `/ResourceTypes` and `/Schemas`, and one page of users. */
export const describeApplication = async (exchange: Exchange): Promise<Description> => {
  const config = await readConfig(exchange);
  const types = await readList(exchange, '/ResourceTypes');
  const schemas = await readList(exchange, '/Schemas');
  // This shows whether the sign-in lets the service read accounts.
  const users = '/Users?count=1';
  const { body } = await exchange.read(users);
  if (typeof fieldOf(body, 'totalResults') !== 'number' && objectsOf(body, 'Resources') === null) {
    throw new ScimFault('NOT_SCIM', `GET ${users} was answered without a list of resources.`);
  }
  const hasUser = schemas?.some((schema) => textOf(schema, 'id')?.toLowerCase() === USER) ?? false;
  return {
    ...capabilitiesOf(exchange, config ?? {}),
    announces: config !== null,
    resourceTypes: (types ?? []).map((type) => ({
      name: textOf(type, 'name') ?? '',
      endpoint: textOf(type, 'endpoint') ?? '',
    })),
    schemas: (schemas ?? []).flatMap((schema) => textOf(schema, 'id') ?? []),
    userAttributes: hasUser ? new Set((schemas ?? []).filter(isOfUsers).flatMap(pathsOf)) : null,
  };
};
