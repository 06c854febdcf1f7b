import { isObject } from '../../../codec/codec';
import { FirstProblems } from '../../../codec/first-problems';
import { pointerOf, type Step } from '../../../codec/pointer';
import { controlIn, requiredText } from '../../../codec/text';
import type { ProblemCode } from '../../../problem';
import { fieldOf, textOf } from '../../client/json';
import { type Attribute, COMMON, isOurs, named, type ResourceKind } from '../attributes';
import { type Email, emailWith, type Held } from '../resource';

/** A member of a group as a client names it. */
export interface Member {
  readonly id: string;
  /** What the client says that it is; null if it does not say. */
  readonly kind: 'User' | 'Group' | null;
}

/** The parts of an attribute that were sent; null: unset. */
export type Parts = Readonly<Record<string, string | null>>;

/** Whether a value says nothing that could be stored. */
const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

const inWords = (value: unknown): string =>
  Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;

/** Entra ID wraps single values: `[{ "$ref": null, "value": "Ann" }]` means `"Ann"`. */
const unwrapped = ({ subs }: Attribute, sent: unknown): unknown => {
  const one: unknown = Array.isArray(sent) && sent.length === 1 ? sent[0] : sent;
  return subs === undefined && isObject(one) ? (fieldOf(one, 'value') ?? one) : one;
};

const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * Reads values as clients send them, and converts them to the form in which the service holds them.
 * Entra ID sends flags as texts, managers as texts or lists, and capitals where the standard has
 * none.
 */
export class AttributeReader {
  readonly problems = new FirstProblems();
  /** Attributes that were sent and that the service does not store. */
  readonly ignored = new Set<string>();

  constructor(private readonly kind: ResourceKind) {}

  refuse(place: readonly Step[], code: ProblemCode, message: string): void {
    this.problems.add(() => ({ pointer: pointerOf(...place), code, message }));
  }

  /**
   * Reads the attributes of an object with `take`. Calls it for stored attributes that are not
   * read-only.
   */
  object(
    body: Readonly<Record<string, unknown>>,
    place: readonly Step[],
    take: (attribute: Attribute, value: unknown, place: readonly Step[]) => void,
  ): void {
    const { extension, attributes } = this.kind;
    for (const [name, value] of Object.entries(body)) {
      const at = [...place, name];
      if (name.toLowerCase() === extension?.schema.toLowerCase()) {
        if (isObject(value)) this.attributes(value, at, extension?.attributes ?? [], take);
        else if (value !== null) this.refuse(at, 'WRONG_TYPE', 'expected an object');
      } else this.one(name, value, at, [...COMMON, ...attributes], take);
    }
  }

  /** Takes the value of an attribute; null: unassigned. Undefined if it is refused. */
  value(attribute: Attribute, sent: unknown, place: readonly Step[]): Held | null | undefined {
    if (sent === null || sent === undefined) return null;
    const { type, subs, isList } = attribute;
    if (isList === true) return this.emails(sent, place);
    const value = unwrapped(attribute, sent);
    if (value === null || value === undefined) return null;
    if (Array.isArray(value)) {
      if (value.length === 0) return null;
      this.refuse(place, 'WRONG_TYPE', 'expected one value, got a list');
      return undefined;
    }
    if (subs !== undefined) {
      const parts = Object.entries(this.parts(attribute, value, place) ?? {});
      const set = parts.filter((part): part is [string, string] => part[1] !== null);
      return set.length === 0 ? null : Object.fromEntries(set);
    }
    return type === 'boolean' ? this.flag(value, place) : this.text(value, place);
  }

  /** Takes the members of a group; undefined if they are refused. */
  members(sent: unknown, place: readonly Step[]): readonly Member[] | undefined {
    const before = this.problems.total;
    const list: readonly unknown[] = Array.isArray(sent) ? sent : sent === null ? [] : [sent];
    const members = list.flatMap((one, index) =>
      this.member(one, Array.isArray(sent) ? [...place, index] : place),
    );
    return this.problems.total > before ? undefined : members;
  }

  /** Takes a part of an attribute. */
  part(sub: Attribute, sent: unknown, place: readonly Step[]): string | boolean | null | undefined {
    if (sent === null || sent === undefined) return null;
    const value = unwrapped(sub, sent);
    if (value === null || value === undefined) return null;
    return sub.type === 'boolean' ? this.flag(value, place) : this.text(value, place);
  }

  /** Takes the parts of an email that a value names; null: unset. Undefined if they are refused. */
  entry(
    sent: unknown,
    place: readonly Step[],
  ): Readonly<Record<string, string | boolean | null>> | undefined {
    const before = this.problems.total;
    const one: unknown = Array.isArray(sent) && sent.length === 1 ? sent[0] : sent;
    const [email] = this.email(one, place);
    if (this.problems.total > before) return undefined;
    const isNamed = (part: string): boolean => isObject(one) && fieldOf(one, part) !== undefined;
    const unset = ['value', 'type', 'primary'].filter(isNamed).map((part) => [part, null]);
    return { ...(Object.fromEntries(unset) as Record<string, null>), ...email };
  }

  private attributes(
    body: Readonly<Record<string, unknown>>,
    place: readonly Step[],
    attributes: readonly Attribute[],
    take: (attribute: Attribute, value: unknown, place: readonly Step[]) => void,
  ): void {
    for (const [name, value] of Object.entries(body)) {
      this.one(name, value, [...place, name], attributes, take);
    }
  }

  private one(
    name: string,
    value: unknown,
    place: readonly Step[],
    attributes: readonly Attribute[],
    take: (attribute: Attribute, value: unknown, place: readonly Step[]) => void,
  ): void {
    const attribute = named(attributes, name);
    if (attribute !== undefined) {
      if (attribute.isReadOnly !== true) take(attribute, value, place);
    } else if (!isOurs(name) && !isEmpty(value)) this.ignored.add(name);
  }

  private text(value: unknown, place: readonly Step[]): string | null | undefined {
    if (typeof value === 'number') return String(value);
    if (!isText(value)) {
      this.refuse(place, 'WRONG_TYPE', `expected a text, got ${inWords(value)}`);
      return undefined;
    }
    if (this.isVisible(value, place)) return value === '' ? null : value;
    return undefined;
  }

  /** Whether a text has no control character. No attribute that the service stores has lines. */
  isVisible(text: string, place: readonly Step[]): boolean {
    const control = controlIn(text, requiredText.rule);
    if (control === null) return true;
    this.refuse(place, 'CONTROL_CHARACTER', `has the control character ${control}`);
    return false;
  }

  private flag(value: unknown, place: readonly Step[]): boolean | null | undefined {
    if (typeof value === 'boolean') return value;
    if (value === '') return null;
    if (isText(value) && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
    this.refuse(place, 'WRONG_TYPE', `expected true or false, got ${inWords(value)}`);
    return undefined;
  }

  /** Takes the parts of an attribute that a value names; undefined if they are refused. */
  parts(attribute: Attribute, sent: unknown, place: readonly Step[]): Parts | undefined {
    const { subs = [], name } = attribute;
    const one = unwrapped(attribute, sent);
    // Entra ID sends the id of a manager in place of the manager.
    const value: unknown = isText(one) && named(subs, 'value') ? { value: one } : one;
    if (!isObject(value)) {
      this.refuse(place, 'WRONG_TYPE', `expected an object, got ${inWords(value)}`);
      return undefined;
    }
    const parts: Record<string, string | null> = {};
    for (const [key, part] of Object.entries(value)) {
      const sub = named(subs, key);
      if (sub === undefined) this.ignored.add(`${name}.${key}`);
      else if (sub.type !== 'reference') {
        const taken = part === null ? null : this.text(part, [...place, key]);
        if (taken !== undefined) parts[sub.name] = taken;
      }
    }
    return parts;
  }

  private emails(sent: unknown, place: readonly Step[]): readonly Email[] | null | undefined {
    const before = this.problems.total;
    const list: readonly unknown[] = Array.isArray(sent) ? sent : [sent];
    const emails = list.flatMap((one, index) =>
      this.email(one, Array.isArray(sent) ? [...place, index] : place),
    );
    if (emails.filter(({ primary }) => primary === true).length > 1) {
      this.refuse(place, 'UNKNOWN_VALUE', 'has several primary values');
    }
    if (this.problems.total > before) return undefined;
    return emails.filter(({ value }) => value !== undefined);
  }

  private email(sent: unknown, place: readonly Step[]): readonly Email[] {
    const value: unknown = isText(sent) ? { value: sent } : sent;
    if (!isObject(value)) {
      this.refuse(place, 'WRONG_TYPE', `expected an object, got ${inWords(value)}`);
      return [];
    }
    const part = (name: string): unknown => fieldOf(value, name) ?? null;
    for (const key of Object.keys(value)) {
      if (!/^(value|type|primary)$/i.test(key)) this.ignored.add(`emails.${key}`);
    }
    const [address, type, primary] = [part('value'), part('type'), part('primary')];
    const email = emailWith({
      value: address === null ? null : this.text(address, [...place, 'value']),
      type: type === null ? null : this.text(type, [...place, 'type']),
      primary: primary === null ? null : this.flag(primary, [...place, 'primary']),
    });
    return [email];
  }

  private member(sent: unknown, place: readonly Step[]): readonly Member[] {
    const value: unknown = isText(sent) ? { value: sent } : sent;
    if (!isObject(value)) {
      this.refuse(place, 'WRONG_TYPE', `expected an object, got ${inWords(value)}`);
      return [];
    }
    const part = (name: string): unknown => fieldOf(value, name);
    const id = part('value');
    if (!isText(id) || id === '') {
      this.refuse([...place, 'value'], 'MISSING_FIELD', 'a member needs an id as its value');
      return [];
    }
    if (!this.isVisible(id, [...place, 'value'])) return [];
    const kinds = [part('type'), /(?:^|\/)(User|Group)s\//i.exec(textOf(value, '$ref') ?? '')?.[1]];
    const kind = kinds.find((one) => isText(one) && /^(user|group)$/i.test(one));
    return [{ id, kind: isText(kind) ? (/^u/i.test(kind) ? 'User' : 'Group') : null }];
  }
}
