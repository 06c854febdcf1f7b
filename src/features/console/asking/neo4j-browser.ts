/** A text in Cypher. */
const textIn = (text: string): string => {
  // Versions of Neo4j differ in what a backslash before `\u` means, so nothing follows a backslash.
  const parts = text.split(/(?<=\\)(?!\\)/).map((part) =>
    // In a link, `&` and `#` would end the query, and `?` might begin another one.
    JSON.stringify(part).replaceAll(
      /[&#?]/g,
      (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
    ),
  );
  return parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' + ')})`;
};

/** How the interface writes values that JSON does not have (docs/api.md: Queries in Cypher). */
const CALLS = ['datetime', 'duration'];

/** A value of JSON in Cypher. */
const valueIn = (value: unknown): string => {
  if (typeof value === 'string') return textIn(value);
  if (Array.isArray(value)) return `[${value.map(valueIn).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value);
  const [[name, text] = ['']] = entries;
  if (entries.length === 1 && CALLS.includes(name)) return `${name}(${valueIn(text)})`;
  const members = entries.map(
    ([key, member]) => `\`${key.replaceAll('`', '``')}\`: ${valueIn(member)}`,
  );
  return `{${members.join(', ')}}`;
};

/**
 * A query with its values in place of its parameters, since Neo4j Browser shows no rows of two
 * statements; `null` if a value is missing.
 */
export const withValuesOf = (
  query: string,
  parameters: Readonly<Record<string, unknown>>,
): string | null => {
  const names = [...query.matchAll(/\$([a-z_]\w*)/gi)].map(([, name = '']) => name);
  return names.every((name) => Object.hasOwn(parameters, name))
    ? query.replaceAll(/\$([a-z_]\w*)/gi, (_, name: string) => valueIn(parameters[name]))
    : null;
};

/** What in a query ends it in a link, or begins another one, as Neo4j Browser reads links. */
const CUTS = /[&#]|\?arg=/;

/**
 * A link that opens Neo4j Browser with a query filled in; Browser runs nothing unasked. The query is
 * in the fragment, which browsers do not send, so no log has it and no server finds it too long. `null`
 * if Browser would not read all of the query.
 */
export const neo4jBrowserLink = (
  browser: string,
  query: string,
  parameters: Readonly<Record<string, unknown>>,
): string | null => {
  const filled = withValuesOf(query, parameters);
  return filled === null || CUTS.test(filled)
    ? null
    : `${browser}/#?cmd=edit&arg=${encodeURIComponent(filled)}`;
};
