import { isObject } from '../../codec/codec';
import type { Step } from '../../codec/pointer';
import { fieldOf, textOf } from '../../scim/json';
import { type Attribute, isOurs, type ResourceKind } from './attributes';
import { BadFilter, type Filter } from './filter-text';
import { matchesEntry } from './matching';
import { type MembersStep, removal } from './membership';
import { type AttributePath, namedBy } from './path';
import type { Email, Held, Resource } from './resource';
import { emailWith, type Taking } from './taking';

/** The operations of a PATCH. */
type Verb = 'add' | 'replace' | 'remove';

/** A resource after a PATCH, and what the PATCH does with its members. */
export interface Patched {
  readonly resource: Resource;
  readonly members: readonly MembersStep[];
}

/** More operations than any client sends at once. */
const MOST_OPERATIONS = 10_000;

const without = <A>(object: Readonly<Record<string, A>>, name: string): Record<string, A> =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));

/** The emails with those that were sent. One that stands already is not there twice. */
const withSent = (emails: readonly Email[], sent: readonly Email[]): readonly Email[] => {
  const sameAs = (one: Email) => (other: Email) =>
    other.value === one.value && other.type === one.type;
  return [
    ...emails.map((email) => sent.find(sameAs(email)) ?? email),
    ...sent.filter((email) => !emails.some(sameAs(email))),
  ];
};

/** Parts that an entry must have so that a filter fits it; null if the filter says more than that. */
const partsOf = (filter: Filter): readonly (readonly [string, string | boolean])[] | null => {
  if (filter.op === 'and') {
    const all = filter.filters.map(partsOf);
    return all.some((parts) => parts === null) ? null : all.flatMap((parts) => parts ?? []);
  }
  const { op } = filter;
  if (op !== 'eq') return null;
  const { attrPath, compValue } = filter;
  return typeof compValue === 'string' || typeof compValue === 'boolean'
    ? [[attrPath.toLowerCase(), compValue]]
    : null;
};

/** Applies the operations of a PATCH to a resource (RFC 7644, 3.5.2; docs/provisioning.md: PATCH). */
export class Patch {
  private resource: Record<string, Held>;
  private readonly members: MembersStep[] = [];

  constructor(
    private readonly kind: ResourceKind,
    resource: Resource,
    private readonly taking: Taking,
  ) {
    this.resource = { ...resource };
  }

  /** Applies the body of a request. What is wrong with it is told to `taking`. */
  apply(body: Readonly<Record<string, unknown>>): Patched {
    const operations = fieldOf(body, 'operations');
    if (!Array.isArray(operations) || operations.length === 0) {
      this.taking.refuse(['Operations'], 'MISSING_FIELD', 'a PATCH needs a list of operations');
    } else if (operations.length > MOST_OPERATIONS) {
      this.taking.refuse(['Operations'], 'TOO_LONG', `has more than ${MOST_OPERATIONS} operations`);
    } else {
      operations.forEach((one: unknown, index) => this.operation(one, ['Operations', index]));
    }
    return { resource: this.resource, members: this.members };
  }

  private operation(sent: unknown, place: readonly Step[]): void {
    if (!isObject(sent)) return this.taking.refuse(place, 'WRONG_TYPE', 'expected an object');
    const verb = textOf(sent, 'op')?.toLowerCase();
    if (verb !== 'add' && verb !== 'replace' && verb !== 'remove') {
      const message = 'expected add, replace or remove';
      return this.taking.refuse([...place, 'op'], 'UNKNOWN_VALUE', message);
    }
    const path = fieldOf(sent, 'path') ?? '';
    if (typeof path !== 'string') {
      return this.taking.refuse([...place, 'path'], 'BAD_PATH', 'expected a text');
    }
    const value = fieldOf(sent, 'value');
    if (verb !== 'remove' && value === undefined) {
      return this.taking.refuse([...place, 'value'], 'MISSING_FIELD', `${verb} needs a value`);
    }
    if (path.trim() !== '') return this.at(verb, path, value, place, 'path');
    if (verb === 'remove') {
      return this.taking.refuse([...place, 'path'], 'NO_TARGET', 'remove needs a path');
    }
    if (!isObject(value)) {
      const message = 'expected an object, since there is no path';
      return this.taking.refuse([...place, 'value'], 'WRONG_TYPE', message);
    }
    this.each(verb, '', value, [...place, 'value']);
  }

  /** The attributes of an object; their names may be paths, as Entra ID sends them. */
  private each(
    verb: Verb,
    prefix: string,
    values: Readonly<Record<string, unknown>>,
    place: readonly Step[],
  ): void {
    for (const [name, value] of Object.entries(values)) {
      this.at(verb, `${prefix}${name}`, value, [...place, name], 'key');
    }
  }

  private at(
    verb: Verb,
    path: string,
    value: unknown,
    place: readonly Step[],
    spelled: 'path' | 'key',
  ): void {
    const pathPlace = spelled === 'path' ? [...place, 'path'] : place;
    const valuePlace = spelled === 'path' ? [...place, 'value'] : place;
    try {
      const named = namedBy(this.kind, path);
      switch (named._tag) {
        case 'attribute':
          return this.attribute(verb, named, value, pathPlace, valuePlace, spelled);
        case 'schema':
          return this.schema(verb, named.schema, value, pathPlace, valuePlace);
        case 'unkept':
          this.taking.ignored.add(named.name);
          return;
        case 'unknown':
          if (isOurs(path)) {
            // Okta repeats the id of the group in the value.
            if (spelled === 'path') {
              this.taking.refuse(pathPlace, 'READ_ONLY', `${path} cannot be changed`);
            }
          } else if (spelled === 'key') this.taking.ignored.add(path);
          else this.taking.refuse(pathPlace, 'BAD_PATH', `${JSON.stringify(path)} is no attribute`);
      }
    } catch (error) {
      if (!(error instanceof BadFilter)) throw error;
      this.taking.refuse(pathPlace, 'BAD_PATH', error.message);
    }
  }

  private schema(
    verb: Verb,
    schema: string,
    value: unknown,
    pathPlace: readonly Step[],
    valuePlace: readonly Step[],
  ): void {
    const { extension } = this.kind;
    if (verb === 'remove') {
      if (schema !== extension?.schema) {
        return this.taking.refuse(pathPlace, 'BAD_PATH', 'only an extension can be removed');
      }
      for (const { name } of extension.attributes) this.set(name, null);
    } else if (isObject(value)) this.each(verb, `${schema}:`, value, valuePlace);
    else this.taking.refuse(valuePlace, 'WRONG_TYPE', 'expected an object');
  }

  private attribute(
    verb: Verb,
    path: AttributePath,
    value: unknown,
    pathPlace: readonly Step[],
    valuePlace: readonly Step[],
    spelled: 'path' | 'key',
  ): void {
    const { attribute, sub } = path;
    if (attribute.isReadOnly === true) {
      if (spelled === 'path') {
        this.taking.refuse(pathPlace, 'READ_ONLY', `${attribute.name} cannot be changed`);
      }
      return;
    }
    if (attribute.name === 'members') return this.group(verb, path, value, pathPlace, valuePlace);
    if (attribute.isList === true) return this.list(verb, path, value, pathPlace, valuePlace);
    if (sub !== null) return this.part(verb, attribute, sub, value, valuePlace);
    if (verb === 'remove') return this.set(attribute.name, null);
    const taken = this.taking.value(attribute, value, valuePlace);
    if (taken === undefined) return;
    // Parts that the value does not name stay (RFC 7644, 3.5.2.3).
    const merged =
      attribute.subs === undefined || taken === null
        ? taken
        : ({
            ...(this.resource[attribute.name] as object | undefined),
            ...(taken as object),
          } as Held);
    this.set(attribute.name, merged);
  }

  private part(
    verb: Verb,
    attribute: Attribute,
    sub: Attribute,
    value: unknown,
    place: readonly Step[],
  ): void {
    // The address of a manager follows from their id.
    if (sub.type === 'reference') return;
    const taken = verb === 'remove' ? null : this.taking.part(sub, value, place);
    if (taken === undefined) return;
    const parts = (this.resource[attribute.name] ?? {}) as Readonly<Record<string, string>>;
    const others = without(parts, sub.name);
    const changed = taken === null ? others : { ...others, [sub.name]: String(taken) };
    this.set(attribute.name, Object.keys(changed).length === 0 ? null : changed);
  }

  private group(
    verb: Verb,
    { filter, sub }: AttributePath,
    value: unknown,
    pathPlace: readonly Step[],
    valuePlace: readonly Step[],
  ): void {
    if (sub !== null) {
      return this.taking.refuse(pathPlace, 'BAD_PATH', 'parts of a member cannot be changed');
    }
    if (verb === 'remove') {
      if (filter !== null) this.members.push(removal(filter));
      else if (value === undefined || value === null) {
        this.members.push({ _tag: 'set', members: [] });
      } else {
        const members = this.taking.members(value, valuePlace);
        if (members !== undefined) this.members.push({ _tag: 'remove', members });
      }
      return;
    }
    if (filter !== null) {
      const message = 'add and replace take members without a filter';
      return this.taking.refuse(pathPlace, 'BAD_PATH', message);
    }
    const members = this.taking.members(value, valuePlace);
    if (members !== undefined) {
      this.members.push({ _tag: verb === 'add' ? 'add' : 'set', members });
    }
  }

  /** Changes a list of emails. */
  private list(
    verb: Verb,
    { attribute, filter, sub }: AttributePath,
    value: unknown,
    pathPlace: readonly Step[],
    valuePlace: readonly Step[],
  ): void {
    const { name } = attribute;
    const emails = (this.resource[name] ?? []) as readonly Email[];
    const fits = filter === null ? () => true : matchesEntry(attribute, filter);
    if (verb === 'remove') {
      return this.setEmails(name, this.remaining(emails, fits, attribute, sub, value, valuePlace));
    }
    const isWhole = filter === null && sub === null;
    if (isWhole) {
      const taken = this.taking.value(attribute, value, valuePlace);
      if (taken === undefined) return;
      const sent = (taken ?? []) as readonly Email[];
      return this.setEmails(name, verb === 'add' ? withSent(emails, sent) : sent, sent);
    }
    const parts = this.partsSent(sub, value, valuePlace);
    if (parts === undefined) return;
    if (emails.some(fits)) {
      const changed = emails.map((email) =>
        fits(email) ? emailWith({ ...email, ...parts }) : email,
      );
      return this.setEmails(
        name,
        changed,
        changed.filter((_, at) => fits(emails[at])),
      );
    }
    // Entra ID adds the value of an email that is not there yet.
    const filterParts = filter === null ? [] : partsOf(filter);
    if (filterParts === null) {
      return this.taking.refuse(pathPlace, 'NO_TARGET', 'no entry fits the filter');
    }
    const fresh = emailWith({ ...Object.fromEntries(filterParts), ...parts });
    this.setEmails(name, [...emails, fresh], [fresh]);
  }

  /** The parts of an email that an operation with a filter or a part sets; null unsets one. */
  private partsSent(
    sub: Attribute | null,
    value: unknown,
    place: readonly Step[],
  ): Readonly<Record<string, string | boolean | null>> | undefined {
    if (sub !== null) {
      const taken = this.taking.part(sub, value, place);
      return taken === undefined ? undefined : { [sub.name]: taken };
    }
    const email = this.taking.entry(value, place);
    return email === undefined ? undefined : { ...email };
  }

  private remaining(
    emails: readonly Email[],
    fits: (email: Email) => boolean,
    attribute: Attribute,
    sub: Attribute | null,
    value: unknown,
    place: readonly Step[],
  ): readonly Email[] {
    if (sub !== null) {
      return emails.map((email) =>
        fits(email) ? emailWith({ ...email, [sub.name]: null }) : email,
      );
    }
    if (value === undefined || value === null) return emails.filter((email) => !fits(email));
    const sent = (this.taking.value(attribute, value, place) ?? []) as readonly Email[];
    return emails.filter((email) => !fits(email) || !sent.some((one) => one.value === email.value));
  }

  /** Sets the emails. A new primary one takes the place of the old one (RFC 7644, 3.5.2). */
  private setEmails(name: string, emails: readonly Email[], fresh: readonly Email[] = []): void {
    const hasNewPrimary = fresh.some(({ primary }) => primary === true);
    const standing = emails
      .map((email) =>
        hasNewPrimary && email.primary === true && !fresh.includes(email)
          ? emailWith({ ...email, primary: false })
          : email,
      )
      .filter(({ value }) => value !== undefined);
    const distinct = new Map(standing.map((email) => [JSON.stringify(email), email]));
    this.set(name, distinct.size === 0 ? null : [...distinct.values()]);
  }

  private set(name: string, value: Held | null): void {
    const others = without(this.resource, name);
    this.resource = value === null ? others : { ...others, [name]: value };
  }
}
