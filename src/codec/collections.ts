import type * as t from 'io-ts';

import { nfc } from '../model/fold';
import { type AnyCodec, Codec, isObject, typeInWords } from './codec';
import { quote } from './quote';
import { explainText, type Text } from './text';

/** A list. It holds no nulls (docs/rules.md: Required fields). */
export class List<C extends AnyCodec> extends Codec<readonly t.TypeOf<C>[]> {
  constructor(
    readonly element: C,
    /** Whether the order of the elements has a meaning. */
    readonly keepsOrder = false,
    /** How many elements it may have. */
    readonly most = Infinity,
  ) {
    super(
      `list of ${element.name}`,
      (value) => {
        if (!Array.isArray(value) || value.length > most) return false;
        for (let i = 0; i < value.length; i += 1) if (!element.is(value[i])) return false;
        return true;
      },
      (value, walk) => {
        if (!Array.isArray(value)) {
          walk.refuse('WRONG_TYPE', () => `expected a list, got ${typeInWords(value)}`);
          return;
        }
        if (value.length > most) {
          walk.refuse('OUT_OF_RANGE', () => `has ${value.length} entries, and may have ${most}`);
          return;
        }
        value.forEach((held: unknown, index) => {
          walk.at(index, () => element.explain(held, walk));
        });
      },
      {
        normalize: (value) => {
          if (!Array.isArray(value)) return value;
          const given: readonly unknown[] = value;
          const copy = given.map((held) => element.normalize(held));
          return copy.some((held, index) => held !== given[index]) ? copy : given;
        },
      },
    );
  }
}

/** A list whose order has no meaning. */
export const list = <C extends AnyCodec>(element: C): List<C> => new List(element);

/** A list with at most this many elements, whose order has no meaning. */
export const listOfAtMost = <C extends AnyCodec>(most: number, element: C): List<C> =>
  new List(element, false, most);

/** A list whose order has a meaning: the value of a property (docs/rules.md: Values). */
export const sequence = <C extends AnyCodec>(element: C): List<C> => new List(element, true);

/**
 * An object whose keys are data instead of fields. A value of `null` is unset. Keys are names, so
 * they are compared in NFC: two forms of one name are one key (docs/rules.md: Property names).
 */
export class Dictionary<C extends AnyCodec> extends Codec<{
  readonly [key: string]: t.TypeOf<C> | null;
}> {
  constructor(
    name: string,
    readonly key: Text,
    readonly value: C,
  ) {
    super(
      name,
      (held) => {
        if (!isObject(held)) return false;
        for (const name of Object.keys(held)) {
          if (nfc(name) !== name || !key.is(name)) return false;
          if (held[name] !== null && !value.is(held[name])) return false;
        }
        return true;
      },
      (held, walk) => {
        if (!isObject(held)) {
          walk.refuse('WRONG_TYPE', () => `expected an object (${name}), got ${typeInWords(held)}`);
          return;
        }
        const names = new Set<string>();
        for (const sent of Object.keys(held)) {
          const name = nfc(sent);
          walk.at(sent, () => {
            if (names.has(name)) {
              walk.refuse(
                'REPEATED_FIELD',
                () => `${quote(name)} occurs twice in this object, in two forms of Unicode`,
              );
              return;
            }
            explainText(name, key.rule, walk);
            if (held[sent] !== null) value.explain(held[sent], walk);
          });
          names.add(name);
        }
      },
      {
        normalize: (held) => {
          if (!isObject(held)) return held;
          const isSame = Object.entries(held).every(
            ([name, each]) =>
              nfc(name) === name && (each === null || value.normalize(each) === each),
          );
          if (isSame) return held;
          // `fromEntries` makes an own property even for the key `__proto__`.
          return Object.fromEntries(
            Object.entries(held).map(([name, each]) => [
              nfc(name),
              each === null ? null : value.normalize(each),
            ]),
          );
        },
      },
    );
  }
}

/** An object whose keys and values these codecs read. */
export const dictionary = <C extends AnyCodec>(name: string, key: Text, value: C): Dictionary<C> =>
  new Dictionary(name, key, value);

/** The codecs that read a value, by its JSON type. */
export interface Members {
  readonly text?: AnyCodec;
  readonly number?: AnyCodec;
  readonly boolean?: AnyCodec;
  readonly list?: AnyCodec;
  readonly object?: AnyCodec;
}

type MemberOf<M extends Members> = {
  [K in keyof M]: M[K] extends AnyCodec ? t.TypeOf<M[K]> : never;
}[keyof M];

const memberFor = (value: unknown, members: Members): AnyCodec | undefined => {
  if (typeof value === 'string') return members.text;
  if (typeof value === 'number') return members.number;
  if (typeof value === 'boolean') return members.boolean;
  if (Array.isArray(value)) return members.list;
  return isObject(value) ? members.object : undefined;
};

const MEMBERS_IN_WORDS = {
  text: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  list: 'a list',
  object: 'an object',
} as const;

/**
 * A value of one of several shapes. The JSON type of the value decides which shape is meant, so
 * problems are those of that shape only.
 */
export class Shapes<M extends Members> extends Codec<MemberOf<M>> {
  constructor(
    name: string,
    readonly members: M,
  ) {
    super(
      name,
      (value) => memberFor(value, members)?.is(value) ?? false,
      (value, walk) => {
        const member = memberFor(value, members);
        if (member !== undefined) {
          member.explain(value, walk);
          return;
        }
        const accepted = (Object.keys(MEMBERS_IN_WORDS) as (keyof Members)[])
          .filter((kind) => members[kind] !== undefined)
          .map((kind) => MEMBERS_IN_WORDS[kind]);
        walk.refuse(
          'WRONG_TYPE',
          () => `expected ${accepted.join(' or ')}, got ${typeInWords(value)}`,
        );
      },
      {
        normalize: (value) => memberFor(value, members)?.normalize(value) ?? value,
        unset: members.object === undefined ? null : 'empty object',
      },
    );
  }
}

/** A value of one of several shapes with different JSON types. */
export const shapes = <M extends Members>(name: string, members: M): Shapes<M> =>
  new Shapes(name, members);

/**
 * A codec that contains itself, up to a number of levels. It refuses deeper values without walking
 * them (docs/rules.md: Problems).
 */
export class Recursive<A> extends Codec<A> {
  constructor(
    name: string,
    readonly levels: number,
    readonly inner: () => Codec<A>,
  ) {
    let level = 0;
    super(
      name,
      (value) => {
        if (level >= levels) return false;
        level += 1;
        try {
          return inner().is(value);
        } finally {
          level -= 1;
        }
      },
      (value, walk) => {
        if (walk.levels >= levels) {
          walk.refuse('TOO_DEEP', () => `is nested deeper than ${levels} levels`);
          return;
        }
        walk.levels += 1;
        inner().explain(value, walk);
        walk.levels -= 1;
      },
      { normalize: (value) => inner().normalize(value), unset: 'empty object' },
    );
  }
}
