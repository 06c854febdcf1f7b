import { Instant } from '../../model/instant';
import { mainEmail } from '../../scim/attribute';
import type { StoredResource } from '../../graph/scim-server/directory';
import { type Attribute, attributesOf, OTHER_EMAILS, type ResourceKind } from './attributes';

/** An email address of a user. */
export interface Email {
  readonly value?: string;
  readonly type?: string;
  readonly primary?: boolean;
}

/** A value of an attribute that the service keeps. */
export type Held = string | boolean | Readonly<Record<string, string>> | readonly Email[];

/**
 * The attributes of a resource by their names; those of an extension stand beside those of the core,
 * since no two have one name. Unassigned ones are absent. Members of groups are not among them.
 */
export type Resource = Readonly<Record<string, Held>>;

/** What a resource is as an entity of a payload: its fields and custom properties; null: unset. */
export interface Entity {
  readonly fields: Readonly<Record<string, string | boolean | null>>;
  readonly custom: Readonly<Record<string, string | readonly string[] | null>>;
}

const textOf = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return textOf(value[0]);
  if (value instanceof Instant) return value.utc;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const keptValue = (
  { kept, type }: Attribute,
  properties: Readonly<Record<string, unknown>>,
): string | boolean | undefined => {
  if (kept === undefined) return undefined;
  const value = properties['field' in kept ? kept.field : `customprop_${kept.custom}`];
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined;
  return textOf(value);
};

const emailOf = (line: string): Email => {
  try {
    const { value, type, primary } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    return {
      ...(typeof value === 'string' && { value }),
      ...(typeof type === 'string' && { type }),
      ...(typeof primary === 'boolean' && { primary }),
    };
  } catch {
    // Somebody else wrote the property.
    return { value: line };
  }
};

const emailsOf = (properties: Readonly<Record<string, unknown>>): readonly Email[] => {
  const { [`customprop_${OTHER_EMAILS}`]: lines, email } = properties;
  if (Array.isArray(lines)) return lines.map((line) => emailOf(String(line)));
  const value = textOf(email);
  return value === undefined ? [] : [usual(value)];
};

const usual = (value: string): Email => ({ value, type: 'work', primary: true });

/** The attributes of a resource as the graph holds it. */
export const resourceOf = (kind: ResourceKind, { properties }: StoredResource): Resource => {
  const held: Record<string, Held> = {};
  for (const attribute of attributesOf(kind)) {
    const { name, subs, isList } = attribute;
    if (subs === undefined) {
      const value = keptValue(attribute, properties);
      if (value !== undefined) held[name] = value;
    } else if (isList === undefined) {
      const parts = subs.flatMap((sub) => {
        const value = keptValue(sub, properties);
        return typeof value === 'string' ? [[sub.name, value] as const] : [];
      });
      if (parts.length > 0) held[name] = Object.fromEntries(parts);
    }
  }
  const emails = kind.name === 'User' ? emailsOf(properties) : [];
  if (emails.length > 0) held.emails = emails;
  return held;
};

const isUsual = (emails: readonly Email[]): boolean =>
  emails.length === 1 &&
  JSON.stringify(emails[0]) === JSON.stringify(usual(emails[0]?.value ?? ''));

/** The email with which a user signs in. */
const loginOf = (emails: readonly Email[]): string | null =>
  mainEmail(
    emails,
    ({ primary }) => primary === true,
    ({ type }) => type ?? null,
  )?.value ?? null;

/** What the attributes of a resource become in a payload. */
export const entityOf = (kind: ResourceKind, resource: Resource): Entity => {
  const fields: Record<string, string | boolean | null> = {};
  const custom: Record<string, string | readonly string[] | null> = {};
  const keep = ({ kept }: Attribute, value: string | boolean | null): void => {
    if (kept === undefined) return;
    if ('field' in kept) fields[kept.field] = value;
    else custom[kept.custom] = typeof value === 'boolean' ? String(value) : value;
  };
  for (const attribute of attributesOf(kind)) {
    const held = resource[attribute.name];
    if (attribute.subs === undefined) {
      keep(attribute, (held as string | boolean | undefined) ?? null);
    } else if (attribute.isList === undefined) {
      const parts = (held ?? {}) as Readonly<Record<string, string>>;
      for (const sub of attribute.subs) keep(sub, parts[sub.name] ?? null);
    }
  }
  if (kind.name === 'User') {
    const emails = (resource.emails ?? []) as readonly Email[];
    fields.email = loginOf(emails);
    custom[OTHER_EMAILS] =
      emails.length === 0 || isUsual(emails) ? null : emails.map((email) => JSON.stringify(email));
  }
  return { fields, custom };
};
