import { Codec, isObject, type Walk } from './codec';
import { quote } from './quote';
import type { Struct } from './struct';
import { type Fields, struct, type StructOf } from './struct';

/** Rules for the fields of an increment's entry. */
export interface EntryRules {
  /** The id fields. An entry whose operation is not `add` needs one of them, to find its entity. */
  readonly ids: readonly string[];
  /** The id field that the problem names if all of them are missing. */
  readonly missing: string;
  /** Further fields that are needed to find the entity. */
  readonly place?: readonly string[];
  /** Whether `add_resource` on the surrounding entry adds this one. */
  readonly isResource?: boolean;
}

/**
 * An entry of an increment. It has the fields of an entity, and its type requires none of them
 * (docs/rules.md: Increments).
 */
export type EntryOf<E> = { readonly [F in keyof E]?: E[F] | null };

const TAG_OPERATIONS: readonly unknown[] = ['add_tag', 'remove_tag', 'delete_tag'];

/** Whether a field with this value changes nothing. */
export const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

/**
 * Reads an entry of an increment. Its own operation and those of the surrounding entries decide
 * which fields it needs (docs/rules.md: Increments, docs/increments.md 1.4 to 1.8). A guard cannot
 * know these, so every entry is walked.
 */
export class Entry<R extends Fields, O extends Fields> extends Codec<EntryOf<StructOf<R, O>>> {
  constructor(
    whole: Struct<R, O>,
    readonly inner: Struct<Fields, Fields>,
    rules: EntryRules,
  ) {
    const explain = (value: unknown, walk: Walk): void => {
      if (!isObject(value)) {
        inner.explain(value, walk);
        return;
      }
      const held = new Map<string, { readonly key: string; readonly value: unknown }>();
      for (const key of Object.keys(value)) {
        const field = inner.fieldOf(key);
        if (field !== null && !held.has(field)) held.set(field, { key, value: value[key] });
      }
      const stated = held.get('operation')?.value;
      const isAddedAround =
        walk.inherited === 'add' ||
        (walk.inherited === 'add_resource' && rules.isResource === true);
      const operation = stated || (isAddedAround ? 'add' : null);
      const hands = operation === 'add' || operation === 'add_resource' ? operation : null;
      walk.inside(hands, () => inner.explain(value, walk));

      const at = (field: string, message: string): void =>
        walk.at(held.get(field)?.key ?? field, () => walk.refuse('MISSING_FIELD', () => message));
      const isUnset = (field: string): boolean => {
        const given = held.get(field)?.value;
        return given === undefined || given === null;
      };
      const isMissing = (field: string): boolean => isUnset(field) || held.get(field)?.value === '';
      const required = Object.keys(whole.required);
      if (operation === 'add') {
        for (const field of required.filter(isUnset))
          at(field, `${whole.name} needs ${quote(field)}`);
        const { oneOf } = whole.rules;
        if (oneOf?.fields.every(isMissing) === true) {
          at(oneOf.missing, `${whole.name} needs one of ${oneOf.fields.join(', ')}`);
        }
        return;
      }
      for (const field of (rules.place ?? []).filter(isUnset)) {
        at(field, `${whole.name} needs ${quote(field)}`);
      }
      const isEmptyAlready = required.some((field) => held.get(field)?.value === '');
      if (rules.ids.every(isMissing) && !isEmptyAlready) {
        at(
          rules.missing,
          `${whole.name} needs ${rules.ids.map(quote).join(' or ')} to find the entity`,
        );
      }
      if (operation === 'modify') {
        for (const field of required) {
          if (held.get(field)?.value !== null || rules.place?.includes(field) === true) continue;
          if (field === rules.missing && rules.ids.every(isMissing)) continue;
          at(field, `${whole.name} cannot be without ${quote(field)}`);
        }
      }
      if (TAG_OPERATIONS.includes(operation)) {
        const allowed = ['operation', 'tags', 'name', ...rules.ids, ...(rules.place ?? [])];
        for (const [field, { key, value: given }] of held) {
          if (allowed.includes(field) || isNothing(given)) continue;
          walk.at(key, () =>
            walk.refuse(
              'UNKNOWN_FIELD',
              () => `${quote(operation as string)} changes only tags: remove ${quote(field)}`,
            ),
          );
        }
      }
    };
    super(whole.name, () => false, explain, {
      normalize: (value) => inner.normalize(value),
      unset: 'empty object',
    });
  }
}

/**
 * Makes the codec of an increment's entries from the codec of the entity. `nested` has the codecs
 * of the fields that hold entries themselves. `nestedDocs` has a sentence for each such field that
 * the entity does not have.
 */
export const entry = <R extends Fields, O extends Fields>(
  whole: Struct<R, O>,
  rules: EntryRules,
  nested: Fields = {},
  nestedDocs: Readonly<Record<string, string>> = {},
): Codec<EntryOf<StructOf<R, O>>> =>
  new Entry(
    whole,
    struct(
      whole.name,
      {},
      { ...whole.required, ...whole.optional, ...nested },
      { docs: { ...whole.rules.docs, ...nestedDocs } },
    ),
    rules,
  );
