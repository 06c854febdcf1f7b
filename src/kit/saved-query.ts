import { type Parameter, withValues } from './values';

/** A question that analysts ask of the graph: one file below `cypher/queries`. */
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
  /** The query without the head of the file, and without markers of shared rules. */
  readonly cypher: string;
  /** The whole file. */
  readonly text: string;
}

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

/** Where the query's file is, below `cypher/queries` and in the archive. */
export const fileOf = ({ topic, name }: SavedQuery): string => `${topic}/${name}.cypher`;

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
