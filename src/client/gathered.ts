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
