import { Role } from '../contract/team-key';
import { FileFault } from './file-fault';
import type { SavedQuery } from './saved-query';
import { withoutMarkers } from './shared-rules';
import type { Parameter } from './values';
import { before } from '../model/trailing';

const FILE = /^([a-z-]+)\/([a-z-]+)\.cypher$/;
const REPORT = 'A report about the complete graph:';
const NO_PARAMETERS = 'Parameters: none.';
const PARAMETERS = 'Parameters (in Neo4j Browser, before the query):';
const ROLES = /^Roles: ([a-z, ]+)\.$/;
const EXAMPLE = /^ {2}:param (\w+) => (.+)$/;

/** A comment line of the head, without its slashes, and its line number in the file. */
interface HeadLine {
  readonly text: string;
  readonly at: number;
}

/**
 * The paragraphs in the head of a file, and the number of its lines, including the empty line below
 * it.
 */
const headOf = (
  file: string,
  lines: readonly string[],
): { readonly paragraphs: readonly (readonly HeadLine[])[]; readonly length: number } => {
  const paragraphs: HeadLine[][] = [[]];
  const end = lines.indexOf('');
  lines.slice(0, end === -1 ? lines.length : end).forEach((line, index) => {
    if (!/^\/\/( |$)/.test(line)) {
      throw new FileFault(
        file,
        index + 1,
        'is no comment: an empty line ends the head of the file',
      );
    }
    if (line === '//') paragraphs.push([]);
    else paragraphs.at(-1)?.push({ text: line.slice('// '.length), at: index + 1 });
  });
  if (end === -1)
    throw new FileFault(file, lines.length, 'has no empty line between head and query');
  return { paragraphs, length: end + 1 };
};

const joined = (lines: readonly HeadLine[]): string => lines.map(({ text }) => text).join(' ');

const parametersIn = (
  file: string,
  [first, ...lines]: readonly HeadLine[],
): readonly Parameter[] => {
  if (first?.text === NO_PARAMETERS && lines.length === 0) return [];
  if (first?.text !== PARAMETERS || lines.length === 0) {
    throw new FileFault(
      file,
      first?.at ?? 1,
      `must be "// ${NO_PARAMETERS}" or "// ${PARAMETERS}" with parameters below`,
    );
  }
  return lines.flatMap(({ text, at }, index): readonly Parameter[] => {
    if (index % 2 === 1) return [];
    const [, name, example] = EXAMPLE.exec(text) ?? [];
    if (name === undefined || example === undefined) {
      throw new FileFault(file, at, 'must be "//   :param name => example"');
    }
    const doc = lines[index + 1];
    const start = `  ${name}: `;
    if (doc?.text.startsWith(start) !== true) {
      throw new FileFault(file, doc?.at ?? at, `must be "//   ${name}: what it is"`);
    }
    return [{ name, example, doc: doc.text.slice(start.length) }];
  });
};

/** What a row is, and, if the query is a report about the complete graph, why. */
const rowsIn = (
  file: string,
  at: number,
  lines: readonly HeadLine[],
): Pick<SavedQuery, 'rows' | 'whole'> => {
  const report = lines.findIndex(({ text }) => text.startsWith(REPORT));
  const rows = joined(report === -1 ? lines : lines.slice(0, report));
  if (rows === '') throw new FileFault(file, at, 'does not say what a row is');
  return report === -1
    ? { rows }
    : { rows, whole: joined(lines.slice(report)).slice(REPORT.length).trim() };
};

/** The roles that the last line of a head names. Each query says who may run it, as routes do. */
const rolesIn = (file: string, at: number, last: HeadLine | undefined): readonly Role[] => {
  const names = ROLES.exec(last?.text ?? '')?.[1]?.split(', ') ?? [];
  if (names.length === 0 || !names.every(Role.is)) {
    const all = Role.values.join(', ');
    throw new FileFault(file, last?.at ?? at, `must be "// Roles: ${all}.", or with fewer of them`);
  }
  return names;
};

/** Checks that the head names each parameter of the query, and no other. */
const checkNames = (
  file: string,
  lines: readonly string[],
  start: number,
  parameters: readonly Parameter[],
): void => {
  const used = new Set<string>();
  lines.slice(start).forEach((line, index) => {
    for (const [, name = ''] of before(line, '//').matchAll(/\$(\w+)/g)) {
      used.add(name);
      if (parameters.every((parameter) => parameter.name !== name)) {
        throw new FileFault(file, start + index + 1, `uses $${name}, which the head does not name`);
      }
    }
  });
  for (const { name } of parameters) {
    if (!used.has(name))
      throw new FileFault(file, 1, `names the parameter ${name}, which the query does not use`);
  }
};

/**
 * Reads a saved query from its file; `file` is the path below `cypher/queries`. If the file is
 * wrong, a `FileFault` says what is wrong and where.
 */
export const parseSavedQuery = (file: string, text: string): SavedQuery => {
  const [, topic, name] = FILE.exec(file) ?? [];
  if (topic === undefined || name === undefined) {
    throw new FileFault(file, 1, 'must be <topic>/<name>.cypher, in small letters and hyphens');
  }
  const lines = text.trimEnd().split('\n');
  const { paragraphs, length } = headOf(file, lines);
  const [about = [], parameterLines = [], rowLines = [], ...more] = paragraphs;
  const beyond = more.flat()[0];
  if (beyond !== undefined)
    throw new FileFault(file, beyond.at, 'is a fourth paragraph: the head has three');
  const [title, ...questionLines] = about;
  const question = joined(questionLines);
  if (title === undefined || !question.endsWith('?')) {
    throw new FileFault(
      file,
      about.at(-1)?.at ?? 1,
      'must begin with a title, and below it a question that ends with "?"',
    );
  }
  const parameters = parametersIn(file, parameterLines);
  const cypher = withoutMarkers(lines.slice(length).join('\n'));
  if (cypher.trim() === '') throw new FileFault(file, lines.length, 'has no query');
  checkNames(file, lines, length, parameters);
  return {
    topic,
    name,
    title: title.text,
    question,
    parameters,
    ...rowsIn(file, length - 1, rowLines.slice(0, -1)),
    roles: rolesIn(file, length - 1, rowLines.at(-1)),
    cypher,
    text,
  };
};
