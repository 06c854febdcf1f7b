import { type Parameter, withValues } from './values';

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

/** What Neo4j Browser saves: title, question, what its rows are, and the query with its values, ready to run. */
export const savedScriptOf = (query: SavedQuery): string =>
  [
    `// ${query.title}`,
    ...comment(query.question),
    '//',
    ...comment(query.rows),
    ...(query.whole === undefined ? [] : comment(`A report about the whole graph: ${query.whole}`)),
    withValues(query),
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
