import type * as TE from 'fp-ts/TaskEither';

import type { EntityList } from '../../../contract/answers/questions/entities';
import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import { interfaceOf } from '../../../questions/contract';
import { endpoints as questions } from '../../../questions/endpoints';
import { CSV_ADDRESSES } from '../frame/address';
import { type Answered, ask } from './ask';

/** The properties by which people know somebody or something. */
const NAMES = ['name', 'full_name', 'email', 'path', 'identity', 'unique_id', 'id'] as const;

/** A text as filters of the interface write it. */
export const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** The names of which people write the beginning. `name` and `path` have an index in most kinds. */
const BEGINNINGS = ['name', 'full_name', 'path'] as const;

/** Where a text is looked for, as conditions of a filter. */
const CONDITIONS = {
  /** Within a name. */
  within: NAMES.map((property) => [property, 'co'] as const),
  /** As a complete name. */
  exactly: NAMES.map((property) => [property, 'eq'] as const),
  /** At the beginning of a name. */
  beginning: BEGINNINGS.map((property) => [property, 'sw'] as const),
} as const;

/** How a text is looked for in names. */
export type Sought = keyof typeof CONDITIONS;

/** The filter of what has this text in one of its names. */
export const named = (text: string, how: Sought): string =>
  CONDITIONS[how]
    .map(([property, operator]) => `${property} ${operator} ${quoted(text)}`)
    .join(' or ');

/** All entities of a kind by name, page by page. */
export const askAllOf = (
  context: Context,
  label: string,
  page: string,
): TE.TaskEither<Failure, Answered<EntityList>> =>
  ask(
    interfaceOf(context).entities.search,
    { endpoint: questions.search, hasCypher: true, csvAt: CSV_ADDRESSES.entities },
    { label, order_by: 'name', page_size: MOST_FOUND, page_token: page },
  );

/** The most entities that a page of results lists. */
export const MOST_FOUND = 200;

/** Finds entities with this text in one of their names. */
export const findNamed = (
  context: Context,
  text: string,
  how: Sought,
  narrowed: { readonly label?: string; readonly size?: number } = {},
): TE.TaskEither<Failure, Answered<EntityList>> =>
  ask(
    interfaceOf(context).entities.search,
    { endpoint: questions.search, hasCypher: true, csvAt: CSV_ADDRESSES.entities },
    {
      filter: named(text, how),
      label: narrowed.label,
      page_size: narrowed.size ?? MOST_FOUND,
    },
  );
