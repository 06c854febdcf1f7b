import { distance } from 'fastest-levenshtein';

/** A shorter name has no near ones: each one-letter name is one edit from any other. */
const SHORTEST = 2;
/** A name may have one wrong letter in three. */
const LETTERS_FOR_AN_EDIT = 3;

/**
 * How many edits may lie between a name and the known name that it may stand for (docs/rules.md:
 * Problems).
 */
export const editsWithin = (name: string, known: string): number => {
  const letters = Math.max(name.length, known.length);
  return letters < SHORTEST ? 0 : Math.max(1, Math.floor(letters / LETTERS_FOR_AN_EDIT));
};

/** Whether two texts differ only by two neighbouring letters that changed places. */
const isSwapped = (one: string, other: string): boolean => {
  if (one.length !== other.length) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return (
    one[at] === other[at + 1] &&
    one[at + 1] === other[at] &&
    one.slice(at + 2) === other.slice(at + 2)
  );
};

/**
 * How many edits turn one text into the other. Two neighbouring letters that changed places are one
 * edit.
 */
export const editsBetween = (one: string, other: string): number => {
  const edits = distance(one, other);
  return edits === 2 && isSwapped(one, other) ? 1 : edits;
};

/** The longest name that is compared: the work grows with the square of its length. */
export const LONGEST_COMPARED = 64;

/** Whether somebody may mean the known name who wrote the other one. Case does not count. */
export const isNear = (name: string, known: string): boolean =>
  name.length <= LONGEST_COMPARED &&
  editsBetween(name.toLowerCase(), known.toLowerCase()) <= editsWithin(name, known);
