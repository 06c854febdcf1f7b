import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Answer, ask } from '../neo4j/ask';
import type { Graph } from '../neo4j/driver';
import { counted, type Terminal } from './terminal';

/** The resource that the questions are about. */
export const RESOURCE = 'Firmware.motor-control';

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : [];
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const marksOf = ({ marks }: Answer): string =>
  texts(marks).length === 0 ? '' : ` (${texts(marks).join(', ')})`;

const KINDS = new Map([
  ['LocalUser', 'account'],
  ['LocalAgent', 'AI agent'],
  ['AccessCredential', 'credential'],
  ['Identity', 'identity'],
  ['Resource', 'resource'],
  ['IdpGroup', 'group'],
]);
const kindOf = ({ label }: Answer): string => KINDS.get(text(label)) ?? text(label);

/** The answers to the three questions. */
export interface Answers {
  readonly writers: readonly Answer[];
  readonly orphans: readonly Answer[];
  readonly reviewers: readonly Answer[];
}

/** Queries the graph with a saved query of this folder. */
export const askSaved = async (
  graph: Graph,
  folder: string,
  name: string,
  parameters: Answer = {},
): Promise<readonly Answer[]> =>
  ask(graph, await readFile(join(folder, `${name}.cypher`), 'utf8'), parameters);

/** Queries the graph with saved queries of this folder. */
export const askAll = async (graph: Graph, folder: string): Promise<Answers> => {
  const answer = (name: string): Promise<readonly Answer[]> =>
    askSaved(graph, folder, name, { resource: RESOURCE });
  const [writers, orphans, reviewers] = await Promise.all([
    answer('access/who-can-write-to-a-resource'),
    answer('accounts/accounts-without-a-person'),
    answer('resources/reviewers-of-a-resource'),
  ]);
  return { writers, orphans, reviewers };
};

const way = (writer: Answer): string => {
  const [first = '', ...others] = texts(writer.through);
  const start = `${text(writer.who)} → `;
  const rest = first.startsWith(start) ? first.slice(start.length) : first;
  return others.length === 0 ? rest : `${rest}   and ${counted(others.length, 'other way')}`;
};

/** Prints a question, and the saved query that answers it. */
export const title = (terminal: Terminal, question: string, file: string): void => {
  terminal.line();
  terminal.line(['title', question], ['faint', `   cypher/queries/${file}.cypher`]);
};

const printWriters = (terminal: Terminal, { writers, orphans }: Answers): void => {
  const orphaned = new Set(orphans.map(({ key }) => key));
  const people = writers.filter(({ label }) => label === 'IdpUser');
  // Accounts and groups of people are left out, because they are on the paths of these people.
  const others = writers.filter(({ key, label }) => orphaned.has(key) || label === 'Resource');
  const width = Math.max(...[...people, ...others].map((row) => nameOf(row).length), 0);
  const print = (row: Answer): void =>
    terminal.line(`    ${nameOf(row).padEnd(width)}  `, ['faint', way(row)]);

  title(
    terminal,
    `Who can write to ${RESOURCE}, and through what?`,
    'access/who-can-write-to-a-resource',
  );
  terminal.line(`  ${counted(people.length, 'user')} of the directories`);
  people.forEach(print);
  terminal.line(`  ${others.length} that no person is behind`);
  others.forEach(print);
};

const nameOf = (row: Answer): string =>
  row.label === 'IdpUser'
    ? `${text(row.who)}${marksOf(row)}`
    : `${text(row.who)}, ${kindOf(row)}${marksOf(row)}`;

const reasonOf = ({ label, names, known_as, used_by, owners }: Answer): string => {
  const list = (value: unknown): string => texts(value).join(', ');
  if (list(known_as) !== '') return `known only as ${list(known_as)}`;
  if (list(names) !== '') return `names ${list(names)}: nobody`;
  if (list(used_by) !== '') return `of ${list(used_by)}`;
  if (list(owners) !== '') return `owned by ${list(owners)}`;
  return label === 'Identity' ? 'nobody of this name' : 'names nobody, owned by nobody';
};

const printOrphans = (terminal: Terminal, { orphans }: Answers): void => {
  title(terminal, 'Whose access has no matching person?', 'accounts/accounts-without-a-person');
  const rows = orphans.map((row) => {
    const [first = '', ...others] = texts(row.access);
    return {
      name: `${text(row.account)}, ${kindOf(row)}${marksOf(row)}`,
      access: others.length === 0 ? first : `${first} and ${others.length} more`,
      reason: reasonOf(row),
    };
  });
  const widthOf = (column: 'name' | 'access'): number =>
    Math.max(...rows.map((row) => row[column].length), 0);
  for (const { name, access, reason } of rows) {
    terminal.line(
      `    ${name.padEnd(widthOf('name'))}  `,
      `${access.padEnd(widthOf('access'))}  `,
      ['faint', reason],
    );
  }
};

const printReviewers = (terminal: Terminal, { reviewers }: Answers): void => {
  title(terminal, `Who would review ${RESOURCE}?`, 'resources/reviewers-of-a-resource');
  for (const row of reviewers) {
    const managers = texts(row.managers);
    const instead =
      texts(row.marks).includes('inactive') && managers.length > 0
        ? `; instead the manager, ${managers.join(', ')}`
        : '';
    terminal.line(`    ${text(row.reviewer)}${marksOf(row)}  `, [
      'faint',
      `${texts(row.reasons).join(', ')}${instead}`,
    ]);
  }
};

/** Prints each question and its answer. */
export const printAnswers = (terminal: Terminal, answers: Answers): void => {
  printWriters(terminal, answers);
  printOrphans(terminal, answers);
  printReviewers(terminal, answers);
};
