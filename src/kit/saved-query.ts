import type { Role } from '../contract/team-key';
import { type Parameter, withValues } from './values';

/** A question of analysts about the graph: one file below `cypher/queries`. */
export interface SavedQuery {
  /** The name of its folder. Neo4j Browser shows it too. */
  readonly topic: string;
  /** The file name without its ending. */
  readonly name: string;
  /** Its name in the list of Neo4j Browser. */
  readonly title: string;
  readonly question: string;
  readonly parameters: readonly Parameter[];
  /** What a row is, and what readers should know about it. */
  readonly rows: string;
  /**
   * Why the query reads all nodes of some label, so that it is a report about the complete graph.
   * Unset: the parameters bound the query.
   */
  readonly whole?: string;
  /** The roles of those who may run it. A key runs what the role that follows from its scopes may. */
  readonly roles: readonly Role[];
  /** The query without the head of the file and without the markers of shared rules. */
  readonly cypher: string;
  /** The complete text of the file. */
  readonly text: string;
}

const LONGEST_LINE = 116;

/** The name of a query in addresses and requests: topic and name. */
export const nameOf = ({ topic, name }: Pick<SavedQuery, 'topic' | 'name'>): string =>
  `${topic}/${name}`;

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

/** The path of the query's file, below `cypher/queries` and in the archive. */
export const fileOf = ({ topic, name }: SavedQuery): string => `${topic}/${name}.cypher`;

/**
 * The text that Neo4j Browser saves: the title, the question, what a row is, and the query with its
 * values, ready to run.
 */
export const savedScriptOf = (query: SavedQuery): string =>
  [
    `// ${query.title}`,
    ...comment(query.question),
    '//',
    ...comment(query.rows),
    ...(query.whole === undefined
      ? []
      : comment(`A report about the complete graph: ${query.whole}`)),
    withValues(query),
    '',
  ].join('\n');
