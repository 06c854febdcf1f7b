import * as E from 'fp-ts/Either';

import type { AttributesRequest } from '../../contract/provisioning';
import { nfc } from '../../model/fold';
import { Instant } from '../../model/instant';
import { isStoredName } from '../../model/property-name';
import { badField, type Failure } from '../../problem';
import { type Attributes, type AttributeValue, parsePath } from '../client/attribute';
import type { Who } from '../client/accounts';
import type { Profile } from '../client/profile';
import { ScimFault } from '../client/scim-fault';
import { IdpUser } from '../../templates/identity-provider/users';

/** For each attribute of an account the properties from which it comes; the first that is set counts. */
export type Mapping = ReadonlyMap<string, readonly string[]>;

/** The usual attributes (docs/provisioning.md: Attributes of accounts). */
export const USUAL: Mapping = new Map([
  ['userName', ['email', 'name']],
  ['externalId', ['identity', 'name']],
  ['displayName', ['full_name', 'name']],
  ['name.formatted', ['full_name', 'name']],
  ['emails[type eq "work"].value', ['email']],
  ['active', ['is_active']],
]);

/**
 * Attributes that only the application writes, those that the service writes elsewhere, and
 * secrets.
 */
const NOT_MAPPED = new Set(['id', 'meta', 'groups', 'schemas', 'password']);

const isProperty = (name: string): boolean =>
  Object.hasOwn(IdpUser.properties, name) || isStoredName(name);

const refusalOf = (path: string, properties: readonly string[]): string | null => {
  const parts = parsePath(path);
  if (parts === null) {
    return 'is no path such as userName, name.givenName or emails[type eq "work"].value';
  }
  if (parts.schema === null && NOT_MAPPED.has(parts.name.toLowerCase())) {
    return 'is no attribute that the service writes';
  }
  const unknown = properties.find((name) => !isProperty(name));
  return unknown === undefined
    ? null
    : `${JSON.stringify(unknown)} is no property of users of identity providers`;
};

/** The usual attributes with those of a request. An empty list leaves an attribute out. */
export const mappingOf = (request: AttributesRequest): E.Either<Failure, Mapping> => {
  const mapping = new Map(USUAL);
  for (const [asked, value] of Object.entries(request)) {
    const named = value === null ? [] : typeof value === 'string' ? [value] : value;
    const properties = named.map(nfc);
    const why = refusalOf(asked, properties);
    if (why !== null) {
      const pointer = `/attributes/${asked.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      return E.left(badField(pointer, 'UNKNOWN_VALUE', why));
    }
    // Names of attributes have no case.
    const same = [...mapping.keys()].find((path) => path.toLowerCase() === asked.toLowerCase());
    if (properties.length === 0) mapping.delete(same ?? asked);
    else mapping.set(same ?? asked, properties);
  }
  if (mapping.has('userName')) return E.right(mapping);
  const message = 'must not be empty: every account has one';
  return E.left(badField('/attributes/userName', 'UNKNOWN_VALUE', message));
};

const valueOf = (value: unknown): AttributeValue | null => {
  if (typeof value === 'boolean') return value;
  if (value instanceof Instant) return value.utc;
  if (Array.isArray(value)) return valueOf(value[0]);
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
};

/** The attributes that the account of a person must have. */
export interface PersonAccount {
  readonly who: Who;
  readonly attributes: Attributes;
}

/** A person who is not said to be inactive is active. */
const UNSET: ReadonlyMap<string, AttributeValue> = new Map([['active', true]]);

/** The attributes of a person's account, and by what the application knows the person. */
export const accountOf = (
  properties: Readonly<Record<string, unknown>>,
  mapping: Mapping,
  { external_id }: Pick<Profile, 'external_id'>,
): PersonAccount => {
  const attributes = new Map<string, AttributeValue>();
  for (const [path, names] of mapping) {
    if (path === 'externalId' && !external_id) continue;
    const value =
      names.map((name) => valueOf(properties[name])).find((each) => each !== null) ??
      UNSET.get(path);
    if (value !== undefined) attributes.set(path, value);
  }
  const textAt = (path: string): string | null => {
    const value = attributes.get(path);
    return value === undefined ? null : String(value);
  };
  const userName = textAt('userName');
  if (userName !== null) return { who: { externalId: textAt('externalId'), userName }, attributes };
  const names = (mapping.get('userName') ?? []).join(', ');
  throw new ScimFault('INCOMPLETE', `The person has no userName: none of ${names} is set.`);
};
