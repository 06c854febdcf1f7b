/** Cypher for a list of texts that are plain words, such as labels and types. */
export const textList = (words: readonly string[]): string =>
  `[${words.map((word) => `'${word}'`).join(', ')}]`;
