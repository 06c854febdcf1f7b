import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

const ROOT = join(__dirname, '..');

/** The folders and files that people read. */
const READ = ['src', 'docs', 'cypher', 'README.md', 'CONTRIBUTING.md'];

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
        .filter((file) => /\.(?:ts|cjs|md|cypher)$/.test(file));

/** The comments of a program, and its texts of several words, one a line. */
const proseOf = (program: string): string => {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, undefined, program);
  const prose: string[] = [];
  // Without a parser a template would end at the brace of its first expression.
  let templates = 0;
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    if (token === ts.SyntaxKind.CloseBraceToken && templates > 0) {
      token = scanner.reScanTemplateToken(false);
    }
    if (token === ts.SyntaxKind.TemplateHead) templates += 1;
    if (token === ts.SyntaxKind.TemplateTail) templates -= 1;
    const isComment =
      token === ts.SyntaxKind.SingleLineCommentTrivia ||
      token === ts.SyntaxKind.MultiLineCommentTrivia;
    const isText =
      token === ts.SyntaxKind.StringLiteral ||
      (token >= ts.SyntaxKind.FirstTemplateToken && token <= ts.SyntaxKind.LastTemplateToken);
    const text = scanner.getTokenText();
    if (isComment || (isText && text.includes(' '))) prose.push(text);
  }
  return prose.join('\n');
};

/** What people read in a file. Line breaks within a sentence count as spaces. */
const textOf = (file: string): string => {
  const text = read(file);
  const prose = /\.(?:ts|cjs)$/.test(file) ? proseOf(text) : text.replace(LIST, '\n## ');
  return prose.replace(/\n *(?:\*|\/\/)? */g, ' ');
};

test('comments, messages and pages use the plain words of docs/architecture.md', () => {
  const words = replacedWords();
  expect(words.length).toBeGreaterThan(5);
  const word = new RegExp(`.{0,40}\\b(?:${words.join('|')})\\b.{0,20}`, 'gi');
  const found = READ.flatMap(filesIn).flatMap((file) =>
    [...textOf(file).matchAll(word)].map(([place]) => `${file}: ${place}`),
  );
  expect(found).toEqual([]);
});
