import type { PageOf } from './client';

/** All entries of a list. */
export const collectAll = async <A>(list: AsyncIterable<A>): Promise<readonly A[]> => {
  const all: A[] = [];
  for await (const one of list) all.push(one);
  return all;
};

/** The first entries of a list, and whether there are more. */
export const collectFirst = async <A>(
  list: AsyncIterable<A>,
  most: number,
): Promise<{ readonly rows: readonly A[]; readonly isCut: boolean }> => {
  const rows: A[] = [];
  for await (const one of list) {
    if (rows.length >= most) return { rows, isCut: true };
    rows.push(one);
  }
  return { rows, isCut: false };
};

/** All entries of a list, and its first page, which says what the list is about. */
export const collectWithFirst = async <P extends PageOf<unknown>>(
  pages: AsyncIterable<P>,
): Promise<{ readonly first: P | null; readonly rows: P['values'] }> => {
  let first: P | null = null;
  const rows: P['values'][number][] = [];
  for await (const page of pages) {
    first ??= page;
    rows.push(...page.values);
  }
  return { first, rows };
};
