import { isJsonObject } from '../../scim/json';
import { type ResourceKind, same, splitSchema } from './attributes';
import type { Representation } from './representation';

/** Which attributes an answer shall have; both null: all. */
export interface Selection {
  readonly attributes: readonly string[] | null;
  readonly excluded: readonly string[] | null;
}

type Path = readonly string[];

/** Attributes that every answer has (RFC 7643, 7). */
const ALWAYS = ['schemas', 'id'];

/** The steps of a path in a representation: an extension is one step. */
const stepsOf = (kind: ResourceKind, path: string): Path => {
  const { schema, rest } = splitSchema(kind, path);
  const steps = rest === '' && schema !== null ? [] : rest.split('.');
  return schema === null || schema === kind.schema ? steps : [schema, ...steps];
};

/** What a value keeps, where only the paths are wanted; `[]` among them wants all. */
const only = (value: unknown, paths: readonly Path[]): unknown => {
  if (paths.some(({ length }) => length === 0)) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => only(one, paths));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, held]) => {
      const below = paths.filter(([first]) => first !== undefined && same(first, name));
      return below.length === 0
        ? []
        : [
            [
              name,
              only(
                held,
                below.map((path) => path.slice(1)),
              ),
            ],
          ];
    }),
  );
};

/** What a value keeps without the paths. */
const without = (value: unknown, paths: readonly Path[]): unknown => {
  if (paths.length === 0) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => without(one, paths));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, held]) => {
      const below = paths
        .filter(([first]) => first !== undefined && same(first, name))
        .map((path) => path.slice(1));
      return below.some(({ length }) => length === 0) ? [] : [[name, without(held, below)]];
    }),
  );
};

/** The part of a representation that a client asks for (RFC 7644, 3.9). */
export const selected = (
  kind: ResourceKind,
  representation: Representation,
  { attributes, excluded }: Selection,
): Representation => {
  if (attributes !== null) {
    const paths = [...ALWAYS, ...attributes].map((path) => stepsOf(kind, path));
    return only(representation, paths) as Representation;
  }
  if (excluded === null) return representation;
  const paths = excluded
    .filter((path) => !ALWAYS.some((one) => same(one, path)))
    .map((path) => stepsOf(kind, path))
    .filter(({ length }) => length > 0);
  return without(representation, paths) as Representation;
};

/** Whether an answer shows an attribute of the core. */
export const shows = (
  kind: ResourceKind,
  { attributes, excluded }: Selection,
  name: string,
): boolean => {
  const names = (paths: readonly string[]): readonly Path[] =>
    paths.map((path) => stepsOf(kind, path));
  if (attributes !== null) return names(attributes).some(([first]) => same(first ?? '', name));
  return !names(excluded ?? []).some(
    ([first, ...rest]) => same(first ?? '', name) && rest.length === 0,
  );
};
