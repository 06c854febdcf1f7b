/** A parameter of a saved query. */
export interface Parameter {
  readonly name: string;
  /** What Neo4j Browser is told after `:param <name> =>`: an expression that gives rows on the demo's graph. */
  readonly example: string;
  readonly doc: string;
}

/** A question that analysts ask of the graph, as one file below `cypher/queries`. */
export interface SavedQuery {
  /** The folder, in Neo4j Browser too. */
  readonly topic: string;
  /** The file's name, without its ending. */
  readonly name: string;
  /** What Neo4j Browser lists it as. */
  readonly title: string;
  readonly question: string;
  readonly parameters: readonly Parameter[];
  /** What a row is, and what is to be known of it. */
  readonly rows: string;
  /** Why it looks at all of some label: it is a report about the whole graph. None: its parameters bound it. */
  readonly whole?: string;
  readonly cypher: string;
}

/** A saved query before it knows its topic. */
export type Question = Omit<SavedQuery, 'topic'>;

/** Puts questions into a topic. */
export const topic = (name: string, questions: readonly Question[]): readonly SavedQuery[] =>
  questions.map((question) => ({ topic: name, ...question }));

const LONGEST_LINE = 116;

/** A sentence as comment lines. */
const comment = (text: string): readonly string[] => {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < LONGEST_LINE) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(`// ${word}`);
  }
  return lines;
};

const parameterLines = (parameters: readonly Parameter[]): readonly string[] =>
  parameters.length === 0
    ? ['// Parameters: none.']
    : [
        '// Parameters (in Neo4j Browser, before the query):',
        ...parameters.flatMap(({ name, example, doc }) => [
          `//   :param ${name} => ${example}`,
          `//   ${name}: ${doc}`,
        ]),
      ];

/** Where the query's file is, below `cypher/queries` and in the archive. */
export const fileOf = ({ topic: folder, name }: SavedQuery): string => `${folder}/${name}.cypher`;

/** A parameter of a query, and none that begins with its name. */
const uses = (name: string): RegExp => new RegExp(`\\$${name}\\b`, 'g');

/** The query with its examples in place of its parameters: Neo4j Browser runs it as it is, since it runs `:param` and a query only one by one. */
export const withExamples = ({ cypher, parameters }: SavedQuery): string =>
  parameters.reduce((text, { name, example }) => text.replace(uses(name), () => example), cypher);

const valueLines = (parameters: readonly Parameter[]): readonly string[] =>
  parameters.length === 0
    ? []
    : [
        '//',
        '// To ask of something else, replace these values wherever they stand below:',
        ...parameters.map(({ example, doc }) => `//   ${example}: ${doc}`),
      ];

/** What Neo4j Browser saves: title, question, the values to replace, what its rows are, and the query with its examples. */
export const savedScriptOf = (query: SavedQuery): string =>
  [
    `// ${query.title}`,
    ...comment(query.question),
    ...valueLines(query.parameters),
    '//',
    ...comment(query.rows),
    ...(query.whole === undefined ? [] : comment(`A report about the whole graph: ${query.whole}`)),
    withExamples(query),
    '',
  ].join('\n');

/** The file: title, question, parameters with examples, what its rows are, and the query. */
export const textOf = (query: SavedQuery): string =>
  [
    `// ${query.title}`,
    ...comment(query.question),
    '//',
    ...parameterLines(query.parameters),
    '//',
    ...comment(query.rows),
    ...(query.whole === undefined ? [] : comment(`A report about the whole graph: ${query.whole}`)),
    '// Generated from src/kit by `npm run cypher`; do not edit.',
    query.cypher,
    '',
  ].join('\n');
