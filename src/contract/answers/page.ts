import type * as t from 'io-ts';

import type { AnyCodec } from '../../codec/codec';
import { list } from '../../codec/collections';
import { exact, type ExactOf, has, nullable } from '../../codec/exact';
import { flag } from '../../codec/scalars';
import { anyText, time } from '../../codec/text';
import { count } from './values';

/** How a page of a list ends. */
export const pageEnd = {
  has_more: has(flag, 'Whether another page follows.'),
  next_page_token: has(anyText, '`page_token` of the next page; empty after the last.'),
} as const;
export type PageEnd = ExactOf<typeof pageEnd>;

const total = has(count, 'How many entries the complete list has.');

/** A page of a list (docs/rules.md: Lists). */
export const pageOf = <C extends AnyCodec>(name: string, element: C) =>
  exact(name, { values: has(list(element), 'The page.'), ...pageEnd });

/** A page of a list that says how long the complete list is. */
export const countedPageOf = <C extends AnyCodec>(name: string, element: C) =>
  exact(name, { values: has(list(element), 'The page.'), ...pageEnd, total });

/** The newest push that an answer reflects (docs/rules.md: Lists). */
export const AsOf = exact('newest push', {
  push: has(anyText, 'The id of the push.'),
  at: has(time, 'When it was pushed.'),
});
export type AsOf = t.TypeOf<typeof AsOf>;

/** The instant at which an answer about the graph is true. */
export const asOf = has(
  nullable(AsOf),
  'The newest push that the answer reflects; null before the first.',
);

/** The fields at the end of a list that answers a question about the graph. */
export const answerEnd = { ...pageEnd, total, as_of: asOf } as const;

/** One thing, in `value` as clients expect it. */
export const valueOf = <C extends AnyCodec>(name: string, value: C) =>
  exact(name, { value: has(value, 'The result.') });

/**
 * Says only that the request was carried out; every answer is an object (docs/rules.md: Requests).
 */
export const Done = exact('done', {});
