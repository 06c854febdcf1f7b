import { EXACT_NAME } from '../model/folded-texts';

/**
 * Cypher that folds what an analyst types. Only the service folds data (docs/rules.md: Folding).
 * Neo4j knows other versions of Unicode, so `namedAs` looks for the exact spelling too.
 */
const typed = (text: string): string => `replace(normalize(toLower(normalize(${text}))), 'ς', 'σ')`;

/** A condition on the look-ups of a node: one of them holds what an analyst types. */
export const namedAs = (node: string, text: string, ...lookups: readonly string[]): string =>
  [
    ...lookups.map((lookup) => `${node}.${lookup} = ${typed(text)}`),
    `${node}.${EXACT_NAME} = normalize(${text})`,
  ].join('\n    OR ');
