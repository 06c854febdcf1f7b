/** A parameter of a saved query. */
export interface Parameter {
  readonly name: string;
  /**
   * The text after `:param <name> =>` in Neo4j Browser: an expression that returns rows on the
   * demo's graph.
   */
  readonly example: string;
  readonly doc: string;
}

/** The variable that holds the values of the query's parameters. */
const ASKED = 'asked';

const opensIn = (line: string): number => line.split('{').length - line.split('}').length;

/** The lines of a query, each with the number of open braces at its beginning. */
const withDepths = (cypher: string): readonly (readonly [line: string, depth: number])[] => {
  let depth = 0;
  return cypher.split('\n').map((line) => {
    const here = depth;
    depth += opensIn(line);
    return [line, here] as const;
  });
};

/** The index of the line that closes the subquery of the line `start`. */
const endOf = (lines: readonly string[], start: number): number => {
  let depth = 0;
  return lines.findIndex((line, at) => {
    if (at < start) return false;
    depth += opensIn(line);
    return depth === 0;
  });
};

/**
 * Passes the variable on to each subquery that uses it, and through each `WITH` before its last
 * use.
 */
const handedOn = (cypher: string): string => {
  const lines = cypher.split('\n');
  const uses = lines.map((line) => line.includes(`${ASKED}.`));
  const last = uses.lastIndexOf(true);
  return withDepths(cypher)
    .map(([line, depth], at) => {
      if (at > last) return line;
      if (/^\s*CALL \(/.test(line) && uses.slice(at, endOf(lines, at) + 1).includes(true)) {
        return line
          .replace('CALL ()', `CALL (${ASKED})`)
          .replace(/CALL \((?!asked)/, `CALL (${ASKED}, `);
      }
      return depth === 0 ? line.replace(/^WITH( DISTINCT)?\b/, `$& ${ASKED},`) : line;
    })
    .join('\n');
};

const mapOf = (parameters: readonly Parameter[]): readonly string[] =>
  parameters.flatMap(({ name, example, doc }, at) => [
    `  // ${doc}`,
    `  ${name}: ${example}${at < parameters.length - 1 ? ',' : ''}`,
  ]);

/**
 * The query with values instead of parameters. It is one statement, since Neo4j Browser shows no
 * rows of several. Each value is written once, at the top, where the reader changes it.
 */
export const withValues = ({
  cypher,
  parameters,
}: {
  readonly cypher: string;
  readonly parameters: readonly Parameter[];
}): string =>
  parameters.length === 0
    ? cypher
    : [
        '// To ask about something else, change the values here.',
        'WITH {',
        ...mapOf(parameters),
        `} AS ${ASKED}`,
        handedOn(
          parameters.reduce(
            (text, { name }) => text.replace(new RegExp(`\\$${name}\\b`, 'g'), `${ASKED}.${name}`),
            cypher,
          ),
        ),
      ].join('\n');
