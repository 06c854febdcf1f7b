/** Cypher that folds a text as `fold` does (docs/design.md 3.1); `null` stays `null`. */
export const folded = (text: string): string => `normalize(toLower(normalize(${text})))`;
