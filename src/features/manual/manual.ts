import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import MarkdownIt from 'markdown-it';

import { hasCode } from '../../error-code';
import { folderAbove } from '../../folder-above';

/** A file of the manual: a page, or a picture on one. */
export interface ManualFile {
  readonly type: 'html' | 'png';
  readonly content: string | Buffer;
  /** The first heading of a page; empty for a picture. */
  readonly title: string;
}

/** The files of the manual, by the names in their addresses. */
export type Manual = ReadonlyMap<string, ManualFile>;

/** The folder of the manual; only the compiled program has none. */
const ROOT = folderAbove(__dirname, 'docs') ?? __dirname;
const PAGE_FOLDERS = ['docs', 'docs/payloads', 'cypher'];
const PICTURE_FOLDER = 'docs/images';
const PREFIX = '/manual/';

/**
 * The name of a file in the manual: `README.md` is `readme`, `docs/rules.md` is `rules`,
 * `cypher/README.md` is `cypher`.
 */
export const manualName = (file: string): string => {
  const { dir, name, ext } = posix.parse(file);
  if (ext !== '.md') return `${name}${ext}`;
  return name === 'README' ? dir || 'readme' : name;
};

const filesIn = (folder: string, ending: string): readonly string[] => {
  try {
    return readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith(ending))
      .sort()
      .map((name) => posix.join(folder, name));
  } catch (error) {
    // The compiled program may be installed without the manual.
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
};

/** The id of a heading, made as GitHub makes it, so that links work in both places. */
const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** The address of a link's target in the manual; `null` if the manual does not have it. */
const servedLink = (
  link: string,
  from: string,
  names: ReadonlyMap<string, string>,
): string | null => {
  if (/^(https?:|#)/.test(link)) return link;
  const [path = '', anchor] = link.split('#');
  const name = names.get(posix.join(posix.dirname(from), path));
  if (name === undefined) return null;
  return `${PREFIX}${name}${anchor === undefined ? '' : `#${anchor}`}`;
};

/** What is wider than some screens. */
const SCROLLING: readonly string[] = ['table_open', 'fence', 'code_block'];

const textOf = ({ children }: MarkdownIt.Token): string =>
  (children ?? []).map(({ content }) => content).join('');

const respell = (
  tokens: readonly MarkdownIt.Token[],
  target: (link: string) => string | null,
): void => {
  let isPlain = false;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const link = target(String(token.attrGet('href')));
      isPlain = link === null;
      if (link !== null) token.attrSet('href', link);
    }
    // A link whose target the manual does not have becomes plain text.
    if (isPlain && /^link_/.test(token.type)) {
      token.tag = 'span';
      token.attrs = null;
    }
    if (token.type === 'image') {
      token.attrSet('src', target(String(token.attrGet('src'))) ?? '');
    }
  }
};

/**
 * A Markdown file as HTML, and its first heading. Raw HTML appears as text; comments are left out.
 */
export const renderedPage = (
  markdown: string,
  file: string,
  names: ReadonlyMap<string, string>,
): { readonly html: string; readonly title: string } => {
  const reader = new MarkdownIt({ html: false });
  const tokens = reader.parse(markdown.replace(/^<!--.*-->\n?/gm, ''), {});
  const ids = new Map<string, number>();
  let title = '';
  tokens.forEach((token, index) => {
    // On a narrow screen these scroll to the side, by the keyboard too.
    if (SCROLLING.includes(token.type)) token.attrSet('tabindex', '0');
    respell(token.children ?? [], (link) => servedLink(link, file, names));
    const inline = tokens[index + 1];
    if (token.type !== 'heading_open' || inline === undefined) return;
    title ||= textOf(inline);
    const id = idOf(textOf(inline));
    const before = ids.get(id) ?? 0;
    ids.set(id, before + 1);
    token.attrSet('id', before === 0 ? id : `${id}-${before}`);
  });
  return { html: reader.renderer.render(tokens, reader.options, {}), title };
};

const readManual = (): Manual => {
  const pages = [
    ...filesIn('', 'README.md'),
    ...PAGE_FOLDERS.flatMap((one) => filesIn(one, '.md')),
  ];
  const pictures = filesIn(PICTURE_FOLDER, '.png');
  const names = new Map([...pages, ...pictures].map((file) => [file, manualName(file)]));
  const read = (file: string): Buffer => readFileSync(join(ROOT, file));
  return new Map([
    ...pages.map((file): [string, ManualFile] => {
      const { html, title } = renderedPage(read(file).toString('utf8'), file, names);
      return [manualName(file), { type: 'html', content: html, title }];
    }),
    ...pictures.map((file): [string, ManualFile] => [
      manualName(file),
      { type: 'png', content: read(file), title: '' },
    ]),
  ]);
};

let loaded: Manual | undefined;

/**
 * The manual that comes with the program: README.md, the pages in docs and cypher, and their pictures. The
 * process reads it once, when somebody first asks for a page.
 */
export const manual = (): Manual => (loaded ??= readManual());
