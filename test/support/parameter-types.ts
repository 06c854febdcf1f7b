import neo4j from 'neo4j-driver';

const typeOf = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) {
    const isOfTexts = value.length > 0 && value.every((item) => typeof item === 'string');
    return isOfTexts ? 'list of texts' : 'list';
  }
  if (neo4j.isInt(value)) return 'integer';
  if (neo4j.isDateTime(value)) return 'time';
  return typeof value;
};

/** The types by which Neo4j distinguishes plans of one statement (docs/recipes.md: Write a statement). */
export const typesOf = (parameters: object): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}: ${typeOf(value)}`)
    .sort()
    .join(', ');
