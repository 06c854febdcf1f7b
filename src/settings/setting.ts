import * as E from 'fp-ts/Either';

/**
 * How the service reads a setting: its variable in the environment, its default, and what its text
 * must be.
 */
export interface Setting<A> {
  readonly variable: string;
  /** The text that is used if the variable is unset or empty. */
  readonly fallback: string | undefined;
  readonly doc: string;
  /** Messages never show the value of a secret. */
  readonly isSecret: boolean;
  /** The value, or in words what the text must be. */
  readonly parse: (text: string) => E.Either<string, A>;
}

/** A setting that is wrong, and why. */
export interface SettingProblem {
  readonly variable: string;
  readonly message: string;
}

/** A setting with a default. */
export const withDefault = <A>(
  variable: string,
  fallback: string,
  parse: Setting<A>['parse'],
  doc: string,
): Setting<A> & { readonly fallback: string } => ({
  variable,
  fallback,
  parse,
  doc,
  isSecret: false,
});

/** A setting that may be unset. Its doc says what happens then. */
export const optional = <A>(
  variable: string,
  parse: Setting<A>['parse'],
  doc: string,
  isSecret = false,
): Setting<A> & { readonly fallback: undefined } => ({
  variable,
  fallback: undefined,
  parse,
  doc,
  isSecret,
});

/** The text itself if it matches the pattern; `expected` describes the pattern in words. */
export const matching =
  (pattern: RegExp, expected: string) =>
  (text: string): E.Either<string, string> =>
    pattern.test(text) ? E.right(text) : E.left(expected);

/** One of some words. */
export const oneOf =
  <W extends string>(...words: readonly W[]) =>
  (text: string): E.Either<string, W> => {
    const word = words.find((candidate) => candidate === text);
    return word === undefined ? E.left(`one of ${words.join(', ')}`) : E.right(word);
  };

/** A whole number in a range, both ends included. */
export const whole =
  (least: number, most: number) =>
  (text: string): E.Either<string, number> => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    return value >= least && value <= most
      ? E.right(value)
      : E.left(`a whole number from ${least} to ${most}`);
  };

/** A number of seconds, which may be a fraction. */
export const seconds = (text: string): E.Either<string, number> => {
  const value = /^\d{1,7}(\.\d+)?$/.test(text) ? Number(text) : NaN;
  // Node's timers hold at most 2^31 milliseconds.
  return value > 0 && value <= 2_000_000
    ? E.right(value)
    : E.left('a number of seconds above 0 and at most 2000000');
};

/** A number between 0 and 1. */
export const share = (text: string): E.Either<string, number> => {
  const value = /^\d(\.\d+)?$/.test(text) ? Number(text) : NaN;
  return value <= 1 ? E.right(value) : E.left('a number from 0 to 1');
};

const UNITS = new Map([
  ['', 1],
  ['k', 1024],
  ['m', 1024 ** 2],
  ['g', 1024 ** 3],
]);

/** A number of bytes, optionally with k, m or g as the unit. */
export const bytes =
  (least: number, most: number) =>
  (text: string): E.Either<string, number> => {
    const [, digits, unit] = /^(\d{1,15})([kmg]?)$/i.exec(text) ?? [];
    const value = Number(digits) * (UNITS.get(unit?.toLowerCase() ?? '') ?? NaN);
    return value >= least && value <= most
      ? E.right(value)
      : E.left(`a number of bytes from ${least} to ${most} (units k, m, g allowed)`);
  };

/** A TCP port; 0 lets the system pick a free one. */
export const port = whole(0, 65535);

/** Texts, separated by commas. */
export const texts = (text: string): E.Either<string, readonly string[]> => {
  const all = text.split(',').map((each) => each.trim());
  return all.every((each) => each !== '') ? E.right(all) : E.left('texts with commas between');
};

/** Any text that is not empty. */
export const anyText = matching(/./, 'some text');
