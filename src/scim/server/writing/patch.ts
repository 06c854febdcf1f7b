import { isObject } from '../../../codec/codec';
import type { Step } from '../../../codec/pointer';
import { type Filter, FilterFault } from '../../../contract/filters/filter-grammar';
import { fieldOf, textOf } from '../../client/json';
import { TooMuchWork, type Work } from '../../filter/matching';
import type { Attribute, ResourceKind } from '../attributes';
import { matchesEntry } from '../matching';
import { type MembersStep, removal } from './membership';
import { type AttributePath, namedBy, type NamedPath } from './path';
import { type Email, Emails, type Held, type Resource } from '../resource';
import type { Parts, AttributeReader } from './client-values';

/** The operations of a PATCH. */
type Verb = 'add' | 'replace' | 'remove';

/** A resource after a PATCH, and what the PATCH does with its members. */
export interface Patched {
  readonly resource: Resource;
  readonly members: readonly MembersStep[];
}

/** Where an operation names its attribute: by `path`, or by a key of its value. */
interface Place {
  readonly path: readonly Step[];
  readonly value: readonly Step[];
  readonly isKey: boolean;
}

/** More operations than any client sends at once. */
const MOST_OPERATIONS = 10_000;

const NEVER_UNSET = 'active';

/** Parts that an entry must have so that a filter fits it; null if the filter says more than that. */
const partsOf = (
  attribute: Attribute,
  filter: Filter,
): readonly (readonly [string, string | boolean])[] | null => {
  if (filter.kind === 'and') {
    const all = filter.parts.map((part) => partsOf(attribute, part));
    return all.some((parts) => parts === null) ? null : all.flatMap((parts) => parts ?? []);
  }
  if (filter.kind === 'or' && filter.isOneComparison === true) {
    return partsOf(attribute, filter.parts[0] as Filter);
  }
  if (filter.kind !== 'condition' || filter.operator !== 'eq' || filter.value === null) return null;
  const sub = attribute.subs?.find(
    ({ name }) => name.toLowerCase() === filter.property.toLowerCase(),
  );
  if (sub === undefined) return null;
  const isFlag = sub.type === 'boolean';
  return [[sub.name, isFlag ? filter.spelled.toLowerCase() === 'true' : filter.spelled]];
};

/** A list of one object is the object, as clients made with SCIM-SDK send it. */
const single = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 ? value[0] : value;

/** Whether the request has emails of which none has an address. Such emails say nothing. */
const areWithoutValues = (sent: unknown): boolean => {
  const list: readonly unknown[] = Array.isArray(sent) ? sent : [sent];
  return (
    list.length > 0 && list.every((one) => isObject(one) && fieldOf(one, 'value') === undefined)
  );
};

/** Applies the operations of a PATCH to a resource (RFC 7644, 3.5.2; docs/provisioning.md: PATCH). */
export class Patch {
  private readonly resource: Map<string, Held>;
  private readonly members: MembersStep[] = [];
  private emails: Emails | null = null;

  constructor(
    private readonly kind: ResourceKind,
    resource: Resource,
    private readonly reader: AttributeReader,
    private readonly work: Work,
  ) {
    this.resource = new Map(Object.entries(resource));
  }

  /** Applies the body of a request. `reader` collects what is wrong with it. */
  apply(body: Readonly<Record<string, unknown>>): Patched {
    const operations = fieldOf(body, 'operations');
    if (!Array.isArray(operations) || operations.length === 0) {
      this.reader.refuse(['Operations'], 'MISSING_FIELD', 'a PATCH needs a list of operations');
    } else if (operations.length > MOST_OPERATIONS) {
      this.reader.refuse(['Operations'], 'TOO_LONG', `has more than ${MOST_OPERATIONS} operations`);
    } else this.operations(operations);
    if (this.emails !== null) {
      const { all } = this.emails;
      this.set('emails', all.length === 0 ? null : all);
    }
    return { resource: Object.fromEntries(this.resource), members: this.members };
  }

  private operations(operations: readonly unknown[]): void {
    for (const [index, one] of operations.entries()) {
      const place = ['Operations', index];
      try {
        this.operation(one, place);
      } catch (error) {
        if (!(error instanceof TooMuchWork) || error.failure !== null) throw error;
        return this.reader.refuse(place, 'TOO_LONG', error.message);
      }
    }
  }

  private operation(sent: unknown, place: readonly Step[]): void {
    if (!isObject(sent)) return this.reader.refuse(place, 'WRONG_TYPE', 'expected an object');
    const verb = textOf(sent, 'op')?.toLowerCase();
    if (verb !== 'add' && verb !== 'replace' && verb !== 'remove') {
      const message = 'expected add, replace or remove';
      return this.reader.refuse([...place, 'op'], 'UNKNOWN_VALUE', message);
    }
    const path = fieldOf(sent, 'path') ?? '';
    if (typeof path !== 'string') {
      return this.reader.refuse([...place, 'path'], 'BAD_PATH', 'expected a text');
    }
    const value = fieldOf(sent, 'value');
    if (verb !== 'remove' && value === undefined) {
      return this.reader.refuse([...place, 'value'], 'MISSING_FIELD', `${verb} needs a value`);
    }
    const valuePlace = [...place, 'value'];
    if (path.trim() !== '') {
      return this.at(verb, path, value, {
        path: [...place, 'path'],
        value: valuePlace,
        isKey: false,
      });
    }
    if (verb === 'remove') {
      return this.reader.refuse([...place, 'path'], 'NO_TARGET', 'remove needs a path');
    }
    const attributes = single(value);
    if (!isObject(attributes)) {
      const message = 'expected an object, since there is no path';
      return this.reader.refuse(valuePlace, 'WRONG_TYPE', message);
    }
    this.each(verb, '', attributes, valuePlace);
  }

  /** The attributes of an object; their names may be paths, as Entra ID sends them. */
  private each(
    verb: Verb,
    prefix: string,
    values: Readonly<Record<string, unknown>>,
    place: readonly Step[],
  ): void {
    for (const [name, value] of Object.entries(values)) {
      const at = [...place, name];
      this.at(verb, `${prefix}${name}`, value, { path: at, value: at, isKey: true });
    }
  }

  /** What a path names; null if it cannot be read. Keys that are no paths are ignored. */
  private named(path: string, place: Place): NamedPath | null {
    try {
      return namedBy(this.kind, path.trim());
    } catch (error) {
      if (!(error instanceof FilterFault)) throw error;
      if (place.isKey && !path.includes('[')) this.reader.ignored.add(path);
      else this.refusePath(path, error, place);
      return null;
    }
  }

  private refusePath(path: string, fault: FilterFault, place: Place): void {
    const isInFilter = path.includes('[') && path.includes(']') && fault.at > path.indexOf('[');
    this.reader.refuse(place.path, isInFilter ? 'BAD_FILTER' : 'BAD_PATH', fault.message);
  }

  private at(verb: Verb, path: string, value: unknown, place: Place): void {
    const named = this.named(path, place);
    try {
      switch (named?._tag) {
        case 'attribute':
          return this.attribute(verb, named, value, place);
        case 'schema':
          return this.schema(verb, named.schema, value, place);
        case 'ours':
          // Okta repeats the id of the group in the value.
          if (place.isKey) return;
          // Clients add the schema of an extension before its attributes. A resource has those that it shows.
          if (named.name === 'schemas') {
            this.reader.ignored.add(named.name);
            return;
          }
          return this.reader.refuse(place.path, 'READ_ONLY', `${named.name} cannot be changed`);
        case 'unkept':
          // Nobody may stay enabled because of an attribute that the service does not store.
          this.reader.ignored.add(named.name);
          return;
        case 'no list':
          return this.reader.refuse(place.path, 'BAD_PATH', 'only lists have entries');
        case undefined:
      }
    } catch (error) {
      if (!(error instanceof FilterFault)) throw error;
      this.refusePath(path, error, place);
    }
  }

  private schema(verb: Verb, schema: string, value: unknown, place: Place): void {
    const { extension } = this.kind;
    const attributes = single(value);
    if (verb === 'remove') {
      if (schema !== extension?.schema) {
        return this.reader.refuse(place.path, 'BAD_PATH', 'only an extension can be removed');
      }
      for (const { name } of extension.attributes) this.set(name, null);
    } else if (isObject(attributes)) this.each(verb, `${schema}:`, attributes, place.value);
    else if (attributes !== null) {
      this.reader.refuse(place.value, 'WRONG_TYPE', 'expected an object');
    }
  }

  private attribute(verb: Verb, path: AttributePath, value: unknown, place: Place): void {
    const { attribute, sub } = path;
    if (attribute.isReadOnly === true) {
      if (!place.isKey) {
        this.reader.refuse(place.path, 'READ_ONLY', `${attribute.name} cannot be changed`);
      }
      return;
    }
    if (attribute.name === 'members') return this.group(verb, path, value, place);
    if (attribute.isList === true) return this.list(verb, path, value, place);
    if (sub !== null) return this.part(verb, attribute, sub, value, place.value);
    if (verb === 'remove') return this.set(attribute.name, null);
    if (attribute.subs !== undefined) return this.complex(attribute, value, place.value);
    const taken = this.reader.value(attribute, value, place.value);
    if (taken === null) this.unset(attribute);
    else if (taken !== undefined) this.set(attribute.name, taken);
  }

  /** Unsets an attribute for null. Null does not say whether somebody may sign in. */
  private unset({ name }: Attribute): void {
    if (name !== NEVER_UNSET) this.set(name, null);
  }

  /** Changes the parts that a value names. The others stay (RFC 7644, 3.5.2.3). */
  private complex(attribute: Attribute, value: unknown, place: readonly Step[]): void {
    const sent = single(value);
    if (sent === null || sent === undefined || (Array.isArray(sent) && sent.length === 0)) {
      return this.unset(attribute);
    }
    const parts = this.reader.parts(attribute, sent, place);
    if (parts !== undefined) this.setParts(attribute, parts);
  }

  private part(
    verb: Verb,
    attribute: Attribute,
    sub: Attribute,
    value: unknown,
    place: readonly Step[],
  ): void {
    // The service makes the address of a manager (`$ref`) from their id, so it ignores one that is sent.
    if (sub.type === 'reference') return;
    const taken = verb === 'remove' ? null : this.reader.part(sub, value, place);
    if (taken === undefined) return;
    this.setParts(attribute, { [sub.name]: taken === null ? null : String(taken) });
  }

  private setParts({ name }: Attribute, parts: Parts): void {
    const current = (this.resource.get(name) ?? {}) as Readonly<Record<string, string>>;
    const changed = Object.entries({ ...current, ...parts }).filter(
      (part): part is [string, string] => part[1] !== null,
    );
    this.set(name, changed.length === 0 ? null : Object.fromEntries(changed));
  }

  private group(verb: Verb, { filter, sub }: AttributePath, value: unknown, place: Place): void {
    if (sub !== null) {
      return this.reader.refuse(place.path, 'BAD_PATH', 'parts of a member cannot be changed');
    }
    if (verb === 'remove') {
      if (filter !== null) this.members.push(removal(filter, this.work));
      else if (value === undefined || value === null) {
        this.members.push({ _tag: 'set', members: [] });
      } else {
        const members = this.reader.members(value, place.value);
        if (members !== undefined) this.members.push({ _tag: 'remove', members });
      }
      return;
    }
    if (filter !== null) {
      const message = 'add and replace take members without a filter';
      return this.reader.refuse(place.path, 'BAD_PATH', message);
    }
    const members = this.reader.members(value, place.value);
    if (members !== undefined) {
      this.members.push({ _tag: verb === 'add' ? 'add' : 'set', members });
    }
  }

  private get existingEmails(): Emails {
    this.emails ??= new Emails((this.resource.get('emails') ?? []) as readonly Email[], this.work);
    return this.emails;
  }

  /** Changes the list of emails. */
  private list(
    verb: Verb,
    { attribute, filter, sub }: AttributePath,
    value: unknown,
    place: Place,
  ): void {
    const emails = this.existingEmails;
    const matches = filter === null ? () => true : matchesEntry(attribute, filter);
    const fits = (email: Email): boolean => matches(email, this.work);
    if (verb === 'remove') {
      if (sub !== null) emails.change(fits, { [sub.name]: null });
      else if (value === undefined || value === null) emails.remove(fits);
      else {
        const sent = this.reader.value(attribute, value, place.value) as readonly Email[] | null;
        const values = new Set((sent ?? []).map((email) => email.value));
        emails.removeValues(values, fits);
      }
      return;
    }
    if (filter === null && sub === null) {
      const sent = this.reader.value(attribute, value, place.value) as readonly Email[] | null;
      if (sent === undefined || areWithoutValues(value)) return;
      if (verb === 'add') emails.add(sent ?? []);
      else emails.replace(sent ?? []);
      return;
    }
    const parts = this.partsSent(sub, value, place.value);
    if (parts === undefined || emails.change(fits, parts)) return;
    // Entra ID adds the value of an email that is not there yet.
    const filterParts = filter === null ? [] : partsOf(attribute, filter);
    if (filterParts === null) {
      return this.reader.refuse(place.path, 'NO_TARGET', 'no entry fits the filter');
    }
    const isVisible = ([, part]: readonly [string, string | boolean]): boolean =>
      typeof part !== 'string' || this.reader.isVisible(part, place.path);
    if (!filterParts.every(isVisible)) return;
    emails.add([{ ...Object.fromEntries(filterParts), ...withoutNulls(parts) }]);
  }

  /** The parts of an email that an operation with a filter or a part sets; null unsets one. */
  private partsSent(
    sub: Attribute | null,
    value: unknown,
    place: readonly Step[],
  ): Readonly<Record<string, string | boolean | null>> | undefined {
    if (sub !== null) {
      const taken = this.reader.part(sub, value, place);
      return taken === undefined ? undefined : { [sub.name]: taken };
    }
    return this.reader.entry(value, place);
  }

  private set(name: string, value: Held | null): void {
    if (value === null) this.resource.delete(name);
    else this.resource.set(name, value);
  }
}

const withoutNulls = (parts: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== null));
