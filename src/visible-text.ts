/**
 * Characters that a terminal obeys or hides in place of showing them: control characters, direction
 * marks, line separators, invisible characters, tags, lone surrogates, and what is no character.
 */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;

/** Without these, words in some scripts, and some emoji, would fall apart. */
const NEEDED = new Set(['\u200c', '\u200d']);

const escapeOf = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');

/**
 * A text in a form that is safe to show: each character that would change how the rest looks is
 * written as `\u…`. So a name can neither rewrite a screen nor forge a line (docs/security.md:
 * Names and stored keys). In JSON the escapes mean the same characters.
 */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (character) => (NEEDED.has(character) ? character : escapeOf(character)));

/** A text of several lines in a form that is safe to show. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n');

/** Prints to standard output, so that people see each character. */
export const printLines = (text: string): void => print(process.stdout, text);

/** Prints to standard error, so that people see each character. */
export const printErrors = (text: string): void => print(process.stderr, text);

/** The outputs whose readers have left, such as `head` in `grantgraph find ann | head`. */
const left = new WeakSet<NodeJS.WriteStream>();

/** Whether somebody still reads standard output. */
export const hasReader = (): boolean => !left.has(process.stdout);

const print = (stream: NodeJS.WriteStream, text: string): void => {
  if (!left.has(stream)) stream.write(`${visibleLines(text)}\n`);
};

/**
 * Lets readers of both outputs leave before the end: what would be printed then goes nowhere, and the
 * command ends as it would have.
 */
export const letReadersLeave = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      left.add(stream);
    });
  }
};
