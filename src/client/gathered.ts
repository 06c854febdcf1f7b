import type { PageOf } from './client';

/** The first entries of a list. */
export const gathered = async <A>(
  list: AsyncIterable<A>,
  most = Infinity,
): Promise<readonly A[]> => {
  const all: A[] = [];
  for await (const one of list) {
    if (all.push(one) >= most) break;
  }
  return all;
};

/** All entries of a list, and its first page, which says what the list is about. */
export const gatheredWithFirst = async <A, P extends PageOf<A>>(
  pages: AsyncIterable<P>,
): Promise<{ readonly first: P | null; readonly rows: readonly A[] }> => {
  let first: P | null = null;
  const rows: A[] = [];
  for await (const page of pages) {
    first ??= page;
    rows.push(...page.values);
  }
  return { first, rows };
};
