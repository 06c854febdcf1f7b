import { ENTERPRISE_USER } from '../server/endpoints';
import { parseInstant } from '../../model/instant';
import { nfc } from '../../model/fold';
import { mainEmail } from '../client/attribute';
import { CORE_TEXTS, ENTERPRISE_TEXTS, EXTERNAL_ID, type UserText } from '../vocabulary';
import { fieldOf, idIn, isJsonObject, type Json, textOf } from '../client/json';
import { idOf } from '../client/resource-path';
import { flagOf, type LeftOut, objectAt, Texts } from './resource-text';

const imported = (texts: readonly UserText[]): readonly UserText[] =>
  texts.filter(({ isImported }) => isImported === true);

const CORE = imported(CORE_TEXTS);
const ENTERPRISE = imported(ENTERPRISE_TEXTS);

/** The custom properties of imported accounts (docs/provisioning.md: What becomes of it). */
export const ACCOUNT_PROPERTIES: readonly string[] = [
  EXTERNAL_ID,
  ...[...CORE, ...ENTERPRISE].map(({ property }) => property),
  'manager',
];

/** The custom properties of imported groups. */
export const GROUP_PROPERTIES: readonly string[] = [EXTERNAL_ID];

/** Custom properties; unset ones are null. */
type Custom = Readonly<Record<string, string | null>>;

/** A role that an account names. */
export interface NamedRole {
  readonly id: string;
  readonly name: string;
}

/** A group that an account names. */
export interface NamedGroup {
  readonly id: string;
  readonly name: string | null;
}

/** An account of the application. Unset fields are null. */
export interface ReadAccount {
  readonly id: string;
  readonly name: string;
  readonly user_name: string | null;
  readonly email: string | null;
  readonly is_active: boolean | null;
  readonly created_at: string | null;
  readonly identities: readonly string[];
  readonly custom: Custom;
  /** Groups that it is a direct member of, as it shows them; null if it shows none. */
  readonly groups: readonly NamedGroup[] | null;
  readonly roles: readonly NamedRole[];
  /** Names of the permissions that its entitlements are. */
  readonly entitlements: readonly string[];
}

/** A member of a group: an account, or a group, if the application says which. */
export interface ReadMember {
  readonly id: string;
  readonly kind: 'account' | 'group' | null;
}

/** A group of the application. */
export interface ReadGroup {
  readonly id: string;
  readonly name: string;
  readonly created_at: string | null;
  readonly custom: Custom;
  /** Null if the application does not show its members. */
  readonly members: readonly ReadMember[] | null;
}

/** When a resource was last changed, in milliseconds; null if it does not say. */
export const modifiedOf = (resource: Json): number | null => {
  const text = textOf(objectAt(resource, 'meta'), 'lastModified');
  const time = text === null ? NaN : Date.parse(text);
  return Number.isNaN(time) ? null : time;
};

const createdOf = (resource: Json): string | null => {
  const text = textOf(objectAt(resource, 'meta'), 'created');
  return text === null ? null : (parseInstant(text)?.utc ?? null);
};

/** The entries of a list. Servers exist that write texts where the standard has objects. */
const entriesOf = (resource: Json, list: string): readonly Json[] => {
  const value = fieldOf(resource, list);
  const entries = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return entries.flatMap((entry): readonly Json[] => {
    if (isJsonObject(entry)) return [entry];
    return typeof entry === 'string' || typeof entry === 'number' ? [{ value: entry }] : [];
  });
};

/** Reads only one email, because the others may belong to anybody. */
const emailOf = (resource: Json, texts: Texts): string | null => {
  const emails = entriesOf(resource, 'emails').filter((entry) => textOf(entry, 'value') !== null);
  const email = mainEmail(
    emails,
    (entry) => flagOf(fieldOf(entry, 'primary')) === true,
    (entry) => textOf(entry, 'type'),
  );
  return email === undefined ? null : texts.fitting(fieldOf(email, 'value'), 'email');
};

const nameOf = (resource: Json, texts: Texts): string | null => {
  const name = objectAt(resource, 'name');
  const parts = ['givenName', 'familyName'].flatMap((part) => textOf(name, part) ?? []);
  const [found] = [
    () => texts.at(resource, 'displayName'),
    () => texts.fitting(fieldOf(name, 'formatted'), 'name.formatted'),
    () => texts.fitting(parts.join(' '), 'name'),
  ].flatMap((read) => read() ?? []);
  return found ?? null;
};

const textsAt = (object: Json, some: readonly UserText[], texts: Texts): Custom =>
  Object.fromEntries(some.map(({ name, property }) => [property, texts.at(object, name)]));

/** The manager: servers write an object, or a bare id. */
const managerOf = (enterprise: Json, texts: Texts): string | null => {
  const manager = fieldOf(enterprise, 'manager');
  return texts.fitting(isJsonObject(manager) ? idIn(manager, 'value') : manager, 'manager');
};

const groupsOf = (resource: Json, texts: Texts): readonly NamedGroup[] | null =>
  Array.isArray(fieldOf(resource, 'groups'))
    ? entriesOf(resource, 'groups')
        .filter((entry) => textOf(entry, 'type')?.toLowerCase() !== 'indirect')
        .flatMap((entry) => {
          const id = texts.fitting(idIn(entry, 'value'), 'id of a group');
          return id === null ? [] : [{ id: nfc(id), name: texts.at(entry, 'display') }];
        })
    : null;

const rolesOf = (resource: Json, texts: Texts): readonly NamedRole[] => {
  const roles = entriesOf(resource, 'roles').flatMap((entry) => {
    const name = texts.at(entry, 'display');
    const id = texts.fitting(fieldOf(entry, 'value'), 'role') ?? name;
    return id === null ? [] : [{ id: nfc(id), name: name ?? id }];
  });
  return [...new Map(roles.map((role) => [role.id, role])).values()];
};

/** Permissions have only names, so the name of an entitlement holds its value too. */
const entitlementsOf = (resource: Json, texts: Texts): readonly string[] => {
  const names = entriesOf(resource, 'entitlements').flatMap((entry) => {
    const value = textOf(entry, 'value') ?? idIn(entry, 'value');
    const display = textOf(entry, 'display');
    const both = display !== null && value !== null && display !== value;
    const name = both ? `${display} (${value})` : (value ?? display);
    return texts.fitting(name, 'entitlement') ?? [];
  });
  return [...new Set(names.map(nfc))];
};

/** The id of a resource; null, and reported, if no payload can hold it. */
const idFitting = (resource: Json, what: string, left: LeftOut): string | null => {
  const id = idOf(resource);
  const short = `${what} ${id.slice(0, 40)}`;
  const fitting = new Texts(short, left).fitting(id, 'id');
  if (fitting === null) left.tell(`The ${short} is left out.`);
  return fitting === null ? null : nfc(fitting);
};

/** Reads an account; null, and reported, if no payload can hold it. */
export const readAccountOf = (resource: Json, left: LeftOut): ReadAccount | null => {
  const id = idFitting(resource, 'account', left);
  if (id === null) return null;
  const texts = new Texts(`account ${id}`, left);
  const enterprise = objectAt(resource, ENTERPRISE_USER);
  const user_name = texts.at(resource, 'userName');
  const email = emailOf(resource, texts);
  const known = [email, user_name].flatMap((one) => one ?? []);
  return {
    id,
    name: nameOf(resource, texts) ?? user_name ?? id,
    user_name,
    email,
    is_active: flagOf(fieldOf(resource, 'active')),
    created_at: createdOf(resource),
    identities: [...new Map(known.map((one) => [nfc(one).toLowerCase(), one])).values()],
    custom: {
      [EXTERNAL_ID]: texts.at(resource, 'externalId'),
      ...textsAt(resource, CORE, texts),
      ...textsAt(enterprise, ENTERPRISE, texts),
      manager: managerOf(enterprise, texts),
    },
    groups: groupsOf(resource, texts),
    roles: rolesOf(resource, texts),
    entitlements: entitlementsOf(resource, texts),
  };
};

const kindOf = (member: Json): ReadMember['kind'] => {
  const type = textOf(member, 'type')?.toLowerCase();
  if (type === 'user') return 'account';
  if (type === 'group') return 'group';
  const ref = textOf(member, '$ref') ?? '';
  if (/\/Users\/[^/]+$/i.test(ref)) return 'account';
  return /\/Groups\/[^/]+$/i.test(ref) ? 'group' : null;
};

/** Reads a group; null, and reported, if no payload can hold it. */
export const readGroupOf = (resource: Json, left: LeftOut): ReadGroup | null => {
  const id = idFitting(resource, 'group', left);
  if (id === null) return null;
  const texts = new Texts(`group ${id}`, left);
  const members = Array.isArray(fieldOf(resource, 'members'))
    ? entriesOf(resource, 'members').flatMap((member): readonly ReadMember[] => {
        const of = texts.fitting(idIn(member, 'value'), 'id of a member');
        return of === null ? [] : [{ id: nfc(of), kind: kindOf(member) }];
      })
    : null;
  return {
    id,
    name: texts.at(resource, 'displayName') ?? id,
    created_at: createdOf(resource),
    custom: { [EXTERNAL_ID]: texts.at(resource, 'externalId') },
    members,
  };
};
