import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

const ROOT = join(__dirname, '..');

/** The folders and files that people read. */
const READ = ['src'];
const PAGES = ['docs', 'cypher', 'README.md'];

/** The section of docs/architecture.md that lists the words. It may name them. */
const LIST = /\n## Plain words\n([^]*?)\n## /;

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The words in quotes in the last column of the list. */
const replacedWords = (): readonly string[] => {
  const [, list = ''] = LIST.exec(read('docs/architecture.md')) ?? [];
  const cells = list.split('\n').map((line) => line.split('|').at(-2) ?? '');
  const words = cells.flatMap((cell) => [...cell.matchAll(/"([a-z ]+)"/g)].map(([, word]) => word));
  return [...new Set(words.filter((word) => word !== undefined))];
};

const filesIn = (path: string): readonly string[] =>
  /\.\w+$/.test(path)
    ? [path]
    : readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
        .map((file) => join(path, file))
        .filter((file) => /\.(?:tsx?|cjs|md|cypher)$/.test(file));

/** The comments of a program, and its texts of several words. */
const proseOf = (file: string, program: string): string => {
  const source = ts.createSourceFile(file, program, ts.ScriptTarget.Latest, true);
  const prose = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    const comments = [
      ...(ts.getLeadingCommentRanges(program, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(program, node.getEnd()) ?? []),
    ];
    for (const { pos, end } of comments) prose.set(pos, program.slice(pos, end));
    if (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node)) {
      if (node.text.includes(' ')) prose.set(node.getStart(), node.text);
    }
    node.getChildren(source).forEach(visit);
  };
  visit(source);
  return [...prose.values()].join('\n');
};

/** What people read in a file. Line breaks within a sentence count as spaces. */
const textOf = (file: string): string => {
  const text = read(file);
  const prose = /\.(?:tsx?|cjs)$/.test(file) ? proseOf(file, text) : text.replace(LIST, '\n## ');
  return prose.replace(/\n *(?:\*|\/\/)? */g, ' ');
};

test('comments, messages and pages use the plain words of docs/architecture.md', () => {
  const words = replacedWords();
  expect(words.length).toBeGreaterThan(5);
  const word = new RegExp(`.{0,40}\\b(?:${words.join('|')})\\b.{0,20}`, 'gi');
  const found = [...READ, ...PAGES, 'CONTRIBUTING.md']
    .flatMap(filesIn)
    .flatMap((file) => [...textOf(file).matchAll(word)].map(([place]) => `${file}: ${place}`));
  expect(found).toEqual([]);
});
