import type * as t from 'io-ts';

import { type AnyCodec, Codec, isObject, isUnset, typeInWords, type Walk } from './codec';
import { List } from './collections';
import { isNear } from './hints/nearness';
import { quote } from './quote';

/** The codecs of an object's fields, by field. */
export interface Fields {
  readonly [field: string]: AnyCodec;
}

/**
 * The type of an object with these required and optional fields. `null` is the same as absent
 * (docs/rules.md: Required fields).
 */
export type StructOf<R extends Fields, O extends Fields> = {
  readonly [F in keyof R]: t.TypeOf<R[F]>;
} & { readonly [F in keyof O]?: t.TypeOf<O[F]> | null };

/**
 * At least one of these fields must be set. If none is, the problem points at the field `missing`.
 */
interface OneOf {
  readonly fields: readonly string[];
  readonly missing: string;
}

/** Rules of an object in addition to its fields. */
export interface StructRules {
  readonly oneOf?: OneOf;
  /**
   * Whether the object may have unknown keys. Requests of public clients may (docs/rules.md:
   * Requests), payloads may not (docs/rules.md: Problems). A key that differs from a field only by
   * case is that field, and not unknown.
   */
  readonly isOpen?: boolean;
  /**
   * Whether the object changes what exists. Then an unset value is refused where the field has no
   * such value: it would be ignored, and change nothing (docs/rules.md: Requests).
   */
  readonly isChange?: true;
  /** For names that are no fields of the object: what the sender should do instead. */
  readonly instead?: Readonly<Record<string, string>>;
  /** Whether an open object refuses unknown keys that differ little from one of its fields. */
  readonly refusesNearNames?: true;
  /**
   * The field that senders mean if they write a plain text in place of the object. The problem then
   * shows how to write it.
   */
  readonly textMeans?: string;
  /** A sentence for each field: what it holds. */
  readonly docs?: Readonly<Record<string, string>>;
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** An object with required and optional fields. It has no other fields, unless it is open. */
export class Struct<R extends Fields, O extends Fields> extends Codec<StructOf<R, O>> {
  constructor(
    name: string,
    readonly required: R,
    readonly optional: O,
    readonly rules: StructRules = {},
  ) {
    const { oneOf, isOpen = false, refusesNearNames = false, textMeans } = rules;
    const { isChange = false, instead = {} } = rules;
    const codecs = new Map<string, AnyCodec>(Object.entries({ ...required, ...optional }));
    const names = [...codecs.keys()];
    const checks = [...codecs.values()];
    const requiredCount = Object.keys(required).length;
    const isRequired = (field: string): boolean => Object.hasOwn(required, field);

    const fieldOf = (key: string): string | null => {
      if (codecs.has(key)) return key;
      const lower = key.toLowerCase();
      return codecs.has(lower) ? lower : null;
    };

    /** Whether the object may have a key that is no field. */
    const mayHave = (key: string): boolean =>
      isOpen && !(refusesNearNames && names.some((name) => isNear(key, name)));

    /**
     * Whether each key is either a field in its declared spelling, or a key that the object may
     * have in addition.
     */
    const hasOwnSpelling = (value: Readonly<Record<string, unknown>>, present: number): boolean => {
      const keys = Object.keys(value);
      if (present === keys.length) return true;
      return (
        isOpen && keys.every((key) => codecs.has(key) || (fieldOf(key) === null && mayHave(key)))
      );
    };

    const is = (value: unknown): boolean => {
      if (!isObject(value)) return false;
      let present = 0;
      for (let i = 0; i < names.length; i += 1) {
        const held = value[names[i] as string];
        if (held === undefined) {
          if (i < requiredCount) return false;
        } else {
          present += 1;
          const mayBeNull = i >= requiredCount && !isChange;
          if (held === null ? !mayBeNull : !(checks[i] as AnyCodec).is(held)) return false;
        }
      }
      return (
        hasOwnSpelling(value, present) &&
        (oneOf === undefined || oneOf.fields.some((field) => isSet(value[field])))
      );
    };

    const lists = names.filter((field) => codecs.get(field) instanceof List);
    // Names the lists that the object has, for a sender who wrote one that it does not have.
    const listsInstead = (value: unknown): string =>
      Array.isArray(value) && lists.length > 0 ? `; its lists are ${lists.join(', ')}` : '';

    const refuseMissing = (field: string, walk: Walk): void => {
      walk.refuse('MISSING_FIELD', () => `${name} needs ${quote(field)}`);
    };

    const explainField = (field: string, value: unknown, walk: Walk): void => {
      const codec = codecs.get(field) as AnyCodec;
      if (isRequired(field)) {
        if (isUnset(value, null)) refuseMissing(field, walk);
        else codec.explain(value, walk);
      } else if (isChange || !isUnset(value, codec.unset)) codec.explain(value, walk);
    };

    const explain = (value: unknown, walk: Walk): void => {
      if (!isObject(value)) {
        const instead =
          typeof value === 'string' && textMeans !== undefined
            ? `: write {${quote(textMeans)}: ${quote(value)}}`
            : '';
        walk.refuse(
          'WRONG_TYPE',
          () => `expected an object (${name}), got ${typeInWords(value)}${instead}`,
        );
        return;
      }
      const spellings = new Map<string, string>();
      for (const key of Object.keys(value)) {
        const field = fieldOf(key);
        if (field === null && mayHave(key)) continue;
        const first = field === null ? undefined : spellings.get(field);
        walk.at(key, () => {
          if (field === null) {
            walk.refuse('UNKNOWN_FIELD', (hints) =>
              Object.hasOwn(instead, key.toLowerCase())
                ? `${name} has no field ${quote(key)}: ${instead[key.toLowerCase()] ?? ''}`
                : `${name} has no field ${quote(key)}${hints.didYouMean(key, names, 1) || listsInstead(value[key])}`,
            );
          } else if (first !== undefined) {
            walk.refuse('REPEATED_FIELD', () => `${quote(key)} and ${quote(first)} are one field`);
          } else {
            explainField(field, value[key], walk);
          }
        });
        if (field !== null && first === undefined) spellings.set(field, key);
      }
      for (const field of Object.keys(required)) {
        if (!spellings.has(field)) walk.at(field, () => refuseMissing(field, walk));
      }
      if (oneOf === undefined) return;
      if (oneOf.fields.some((field) => isSet(value[spellings.get(field) ?? field]))) return;
      walk.at(spellings.get(oneOf.missing) ?? oneOf.missing, () =>
        walk.refuse('MISSING_FIELD', () => `${name} needs one of ${oneOf.fields.join(', ')}`),
      );
    };

    const normalizeField = (field: string, value: unknown): unknown => {
      const codec = codecs.get(field) as AnyCodec;
      if (!isUnset(value, codec.unset) || codec.is(value)) return codec.normalize(value);
      // In an increment `null` unsets the field, and an empty object changes nothing
      // (docs/increments.md 3.4).
      return isObject(value) ? undefined : null;
    };

    const normalize = (value: unknown): unknown => {
      if (!isObject(value)) return value;
      let isSame = true;
      const copy: Record<string, unknown> = {};
      for (const key of Object.keys(value)) {
        const field = fieldOf(key);
        if (field === null) {
          if (isOpen) continue;
          return value;
        }
        const normal = normalizeField(field, value[key]);
        if (normal !== undefined) copy[field] = normal;
        if (field !== key || normal !== value[key]) isSame = false;
      }
      return isSame ? value : copy;
    };

    super(name, is, explain, { normalize, unset: 'empty object' });
    this.fieldOf = fieldOf;
  }

  /** The field that a key names in any case. `null` if there is none. */
  readonly fieldOf: (key: string) => string | null;
}

/** An object with required and optional fields and no others (docs/rules.md: Required fields). */
export const struct = <R extends Fields, O extends Fields = Record<never, never>>(
  name: string,
  required: R,
  optional: O = {} as O,
  rules: StructRules = {},
): Struct<R, O> => new Struct(name, required, optional, rules);
