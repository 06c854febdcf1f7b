/** The paths of an explanation in one order. The service gives those of one length in any. */
export const pathsInOrder = (paths: readonly unknown[]): readonly unknown[] =>
  paths.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
