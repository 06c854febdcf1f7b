/** Cypher that folds a text as `fold` does (docs/rules.md: Folding). `null` stays `null`. */
export const folded = (text: string): string => `normalize(toLower(normalize(${text})))`;
