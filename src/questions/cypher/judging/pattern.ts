import { TooMuch } from './refusal';

/** The most repetitions without bound that a pattern of `=~` may have one after the other. */
const MOST_UNBOUNDED = 2;
const LONGEST_PATTERN = 1_000;

const COUNTED = /^\{(\d*)(?:(,)(\d*))?\}/;
const CLASS = /^\[\^?\]?(?:\\[^]|[^\\\]])*\]/;

const INSTEAD = 'ask by CONTAINS, STARTS WITH or toLower, or by several conditions';

/**
 * The most steps that Java may need to compare a text of this length with a pattern. It tries each
 * repetition at each length, one within the other.
 *
 * Refuses patterns that may run without end: a group that is repeated, a reference back, more than
 * two repetitions without bound.
 */
export const stepsOfPattern = (pattern: string, length: number): number => {
  if (pattern.length > LONGEST_PATTERN) {
    throw new TooMuch(
      `has a pattern of =~ with more than ${LONGEST_PATTERN} characters; ${INSTEAD}`,
    );
  }
  let steps = 1;
  let unbounded = 0;
  let isGroup = false;
  for (let rest = pattern; rest !== '';) {
    let taken = 1;
    if (rest.startsWith('\\')) {
      if (/^\\(?:[1-9]|k)/.test(rest)) {
        throw new TooMuch(`has a pattern of =~ with a reference back to a group; ${INSTEAD}`);
      }
      if (/^\\Q/.test(rest)) {
        const end = rest.indexOf('\\E');
        taken = end < 0 ? rest.length : end + 2;
      } else taken = 2;
      isGroup = false;
    } else if (rest.startsWith('[')) {
      taken = CLASS.exec(rest)?.[0].length ?? 1;
      if (rest.slice(1, taken - 1).includes('[')) {
        throw new TooMuch(`has a pattern of =~ with brackets within brackets; ${INSTEAD}`);
      }
      isGroup = false;
    } else if (rest.startsWith('(')) {
      const kind = /^\(\?[a-zA-Z-]*[:)]|^\(\?<\w+>|^\(\?/.exec(rest)?.[0] ?? '(';
      if (/^\(\?[<=!>]/.test(kind + (rest[kind.length] ?? '')) && !/^\(\?<\w+>$/.test(kind)) {
        throw new TooMuch(`has a pattern of =~ that looks ahead or behind; ${INSTEAD}`);
      }
      if (/^\(\?[a-zA-Z]*x/.test(kind)) {
        throw new TooMuch(`has a pattern of =~ with the flag x; ${INSTEAD}`);
      }
      taken = kind.length;
      isGroup = false;
    } else if (rest.startsWith(')')) {
      isGroup = true;
    } else if (rest.startsWith('|')) {
      steps *= 2;
      isGroup = false;
    } else {
      const counted = COUNTED.exec(rest);
      const sign = rest[0] ?? '';
      if ('*+?'.includes(sign) || counted !== null) {
        taken = counted?.[0].length ?? 1;
        const [, least = '', comma, upTo = ''] = counted ?? [];
        const isWithout = sign === '*' || sign === '+' || (comma !== undefined && upTo === '');
        const most = sign === '?' ? 2 : Number(upTo || least) + 1;
        if (isGroup && sign !== '?') {
          throw new TooMuch(`has a pattern of =~ that repeats a group; ${INSTEAD}`);
        }
        // `+` or `?` behind a repetition makes it another kind of repetition, and no further one.
        if (rest[taken] === '+' || rest[taken] === '?') taken += 1;
        // The end of the pattern matches everything that is left, and nothing is tried after it.
        if (rest.length > taken) {
          if (isWithout) unbounded += 1;
          steps *= isWithout ? length + 1 : most;
        }
        if (unbounded > MOST_UNBOUNDED) {
          throw new TooMuch(
            `has a pattern of =~ with more than ${MOST_UNBOUNDED} repetitions before its end; ${INSTEAD}`,
          );
        }
      }
      // `a{2}{3}` repeats a repetition.
      isGroup = counted !== null;
    }
    rest = rest.slice(taken);
  }
  return (steps * (pattern.length + length)) / 10;
};
