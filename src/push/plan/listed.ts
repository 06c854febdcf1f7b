import { byCodeUnits } from '../../model/fold';

/**
 * A list with at most `limit` values, which says whether it was cut (docs/rules.md: Access
 * answers).
 */
export interface Listed<A> {
  readonly total: number;
  readonly truncated: boolean;
  readonly values: readonly A[];
}

/** Sorts the items and lists the first of them. */
export const listed = <A, B>(
  items: readonly A[],
  orderOf: (item: A) => readonly string[],
  limit: number,
  tell: (item: A) => B,
): Listed<B> => {
  const inOrder = items
    .map((item) => ({ item, order: orderOf(item) }))
    .sort((a, b) => compare(a.order, b.order));
  return {
    total: items.length,
    truncated: items.length > limit,
    values: inOrder.slice(0, limit).map(({ item }) => tell(item)),
  };
};

const compare = (a: readonly string[], b: readonly string[]): number => {
  for (const [index, text] of a.entries()) {
    const order = byCodeUnits(text, b[index] ?? '');
    if (order !== 0) return order;
  }
  return 0;
};
