import { Instant } from '../../model/instant';
import { mainEmail } from '../client/attribute';
import type { StoredResource } from './directory';
import type { Work } from '../filter/matching';
import { type Attribute, attributesOf, OTHER_EMAILS, type ResourceKind } from './attributes';

/** An email address of a user. */
export interface Email {
  readonly value?: string;
  readonly type?: string;
  readonly primary?: boolean;
}

/** A value of an attribute that the service stores. */
export type Held = string | boolean | Readonly<Record<string, string>> | readonly Email[];

/**
 * The attributes of a resource by their names, those of an extension together with those of the
 * core, since no two have one name. Unassigned ones are absent. Members of groups are not among
 * them.
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

const storedValue = (
  { storedAs, type }: Attribute,
  properties: Readonly<Record<string, unknown>>,
): string | boolean | undefined => {
  if (storedAs === undefined) return undefined;
  const value = properties['field' in storedAs ? storedAs.field : `customprop_${storedAs.custom}`];
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
      const value = storedValue(attribute, properties);
      if (value !== undefined) held[name] = value;
    } else if (isList === undefined) {
      const parts = subs.flatMap((sub) => {
        const value = storedValue(sub, properties);
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
  const keep = ({ storedAs }: Attribute, value: string | boolean | null): void => {
    if (storedAs === undefined) return;
    if ('field' in storedAs) fields[storedAs.field] = value;
    else custom[storedAs.custom] = typeof value === 'boolean' ? String(value) : value;
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

const keyOf = ({ value, type }: Email): string => JSON.stringify([value, type]);

/** An email with the parts that are set, always in the same order. */
export const emailWith = ({
  value,
  type,
  primary,
}: {
  readonly [Part in keyof Email]?: Email[Part] | null | undefined;
}): Email => ({
  ...(typeof value === 'string' && value !== '' && { value }),
  ...(typeof type === 'string' && type !== '' && { type }),
  ...(typeof primary === 'boolean' && { primary }),
});

/**
 * The emails of a user while a PATCH changes them, in their order. No two have the same value and
 * type, and at most one is primary (RFC 7643, 2.4). To add one costs the same, however many there
 * are.
 */
export class Emails {
  private emails = new Map<string, Email>();
  /** The key of the primary one. */
  private primary: string | null = null;

  constructor(
    existing: readonly Email[],
    private readonly work: Work,
  ) {
    this.add(existing);
  }

  get all(): readonly Email[] {
    return [...this.emails.values()];
  }

  /** Adds emails. An email that exists gains the parts that were sent. */
  add(sent: readonly Email[]): void {
    for (const email of sent) this.put(email);
  }

  replace(sent: readonly Email[]): void {
    this.clear();
    this.add(sent);
  }

  /** Removes the emails that fit. */
  remove(fits: (email: Email) => boolean): void {
    this.rebuild((email) => (fits(email) ? null : email));
  }

  /** Removes those that have one of these values. */
  removeValues(values: ReadonlySet<string | undefined>, fits: (email: Email) => boolean): void {
    this.remove((email) => values.has(email.value) && fits(email));
  }

  /**
   * Sets parts of those that fit; null unsets a part. Only the first of them can become the primary
   * one. Gives whether any fits.
   */
  change(
    fits: (email: Email) => boolean,
    parts: Readonly<Record<string, string | boolean | null>>,
  ): boolean {
    let changed = 0;
    this.rebuild((email) => {
      if (!fits(email)) return email;
      changed += 1;
      const isSecond = changed > 1 && parts.primary === true;
      return emailWith({ ...email, ...parts, ...(isSecond && { primary: email.primary }) });
    }, parts.primary === true);
    return changed > 0;
  }

  private rebuild(change: (email: Email) => Email | null, setsPrimary = false): void {
    const before = this.all;
    this.work.add(before.length);
    const former = this.primary === null ? undefined : this.emails.get(this.primary);
    this.clear();
    for (const email of before) {
      const changed = change(email);
      if (changed === null) continue;
      // The one that was primary gives way to the one that becomes it.
      const gaveWay = setsPrimary && email === former && this.primary !== null;
      this.put(gaveWay ? emailWith({ ...changed, primary: false }) : changed);
    }
  }

  private clear(): void {
    this.emails = new Map();
    this.primary = null;
  }

  private put(email: Email): void {
    if (email.value === undefined) return;
    const key = keyOf(email);
    const merged = emailWith({ ...this.emails.get(key), ...email });
    this.emails.set(key, merged);
    if (merged.primary !== true) {
      if (this.primary === key) this.primary = null;
      return;
    }
    const former = this.primary === null ? undefined : this.emails.get(this.primary);
    if (this.primary !== null && this.primary !== key && former !== undefined) {
      this.emails.set(this.primary, emailWith({ ...former, primary: false }));
    }
    this.primary = key;
  }
}
