import { styleText } from 'node:util';

/** The style of a piece of text. */
export type Tone = 'title' | 'plain' | 'faint' | 'good' | 'warning' | 'link';

const STYLES: Readonly<Record<Tone, Parameters<typeof styleText>[0] | null>> = {
  title: 'bold',
  plain: null,
  faint: 'dim',
  good: 'green',
  warning: 'yellow',
  link: 'cyan',
};

// Without this, newer versions of Node check standard output, which may not be the stream in use.
const WHATEVER_STDOUT = { validateStream: false };

/** A piece of a line. */
export type Piece = string | readonly [Tone, string];

/** Where the demo prints: coloured and cut to the width on a terminal, plain elsewhere. */
export interface Terminal {
  line(...pieces: readonly Piece[]): void;
}

/** The part of a standard stream that a terminal needs. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** A terminal that prints to this stream. It honours `NO_COLOR`. */
export const terminalOn = (
  output: Output,
  env: Readonly<Record<string, string | undefined>>,
): Terminal => {
  const isTerminal = output.isTTY === true;
  const hasColour = isTerminal && !env.NO_COLOR;
  return {
    line: (...pieces) => {
      // A line with a link is never cut, so that it can be copied.
      const isWhole = pieces.some((piece) => typeof piece !== 'string' && piece[0] === 'link');
      let room = isTerminal && !isWhole ? (output.columns ?? 80) : Infinity;
      const text = pieces.map((piece) => {
        const [tone, whole] = typeof piece === 'string' ? (['plain', piece] as const) : piece;
        const shown = cut(whole, room);
        room -= shown.length;
        const style = STYLES[tone];
        return hasColour && style !== null ? styleText(style, shown, WHATEVER_STDOUT) : shown;
      });
      output.write(`${text.join('')}\n`);
    },
  };
};

const cut = (text: string, room: number): string =>
  text.length <= room ? text : room <= 0 ? '' : `${text.slice(0, room - 1)}…`;

/** The number with its noun: `1 person`, `3 people`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
