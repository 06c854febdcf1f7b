import { stepsOfPattern } from './pattern';
import { TooMuch } from './refusal';
import {
  anything,
  COLLECTED,
  either,
  ELEMENT,
  list,
  scalar,
  type Size,
  text,
  together,
} from './size';

/** The steps of a call of a function, and the size of its result. */
interface Call {
  readonly size: Size;
  readonly steps: number;
}

/** A stored text may be as long as this when a pattern is compared with it. */
const COMPARED_TEXT = 256;
/** The most that a collected list counts for: Neo4j limits its memory. */
const MOST_COLLECTED = 300_000;
const SHORT_TEXT = text(64);

const NO_PATTERN =
  'compares with a pattern (=~) that is computed; give the pattern as a text or a parameter';

/** The most steps for a comparison of a value with a pattern (`=~`). */
export const compared = (value: Size, pattern: Size): number => {
  if (pattern.known === undefined) throw new TooMuch(NO_PATTERN);
  return stepsOfPattern(pattern.known, Math.max(value.length, COMPARED_TEXT));
};

type Sized = (first: Size, second: Size, third: Size) => Size;

const within = ({ kind, ...size }: Size, most: number): Size =>
  size.length <= most || kind === 'list' ? { ...size, kind } : text(most);

const same: Sized = (value) => value;
const wider =
  (times: number): Sized =>
  (value) =>
    text(value.length * times);
const entryOf: Sized = (value) => value.entry();
const first: Sized = (value, most) => within(value, most.amount);
const number: Sized = () => scalar();
const shortText: Sized = () => SHORT_TEXT;
const asText: Sized = (value) => text(Math.max(value.length, SHORT_TEXT.length));
const amountOf: Sized = (value) => scalar(value.amount);

/** How many numbers `range` makes. */
const rangeOf: Sized = (from, to) =>
  list(from.amount + to.amount + 1, scalar(Math.max(from.amount, to.amount)));

const replaced: Sized = (value, searched, by) => {
  const isShorter = searched.known !== undefined && by.length <= searched.known.length;
  const isEmpty = searched.known === undefined || searched.known === '';
  if (isShorter && !isEmpty) return value;
  return text((value.length + 1) * (by.length + (isEmpty ? 1 : 0)) + value.length);
};

/** Functions that need no longer for a larger value. */
const AT_ONCE: Readonly<Record<string, Sized>> = {
  size: (value) => scalar(value.length),
  length: (value) => scalar(value.length),
  char_length: (value) => scalar(value.length),
  character_length: (value) => scalar(value.length),
  coalesce: same,
  nullif: same,
  head: entryOf,
  last: entryOf,
  tail: same,
  reverse: same,
  startnode: () => ELEMENT,
  endnode: () => ELEMENT,
  properties: same,
  nodes: (way) => list(way.length, ELEMENT),
  relationships: (way) => list(way.length, ELEMENT),
  labels: () => list(8, SHORT_TEXT),
  keys: (value) => list(Math.max(value.length, 8), SHORT_TEXT),
  type: shortText,
  elementid: shortText,
  randomuuid: shortText,
  range: rangeOf,
  collect: (value) => {
    const weight = Math.min(1 + COLLECTED * value.weight, MOST_COLLECTED);
    return list(COLLECTED, value, weight);
  },
  max: (value) => either(value, value.entry()),
  min: (value) => either(value, value.entry()),
  abs: amountOf,
  ceil: amountOf,
  floor: amountOf,
  round: amountOf,
  sign: () => scalar(1),
};

/** Functions that read the complete value. */
const READING: Readonly<Record<string, Sized>> = {
  tostring: asText,
  tostringornull: asText,
  valuetype: asText,
  tostringlist: (value) => list(value.length, SHORT_TEXT),
  tointegerlist: (value) => list(value.length, scalar()),
  tofloatlist: (value) => list(value.length, scalar()),
  tobooleanlist: (value) => list(value.length, scalar()),
  tointeger: amountOf,
  left: first,
  right: first,
  substring: (value, _from, most) => (most.amount === 0 ? value : within(value, most.amount)),
  trim: same,
  ltrim: same,
  rtrim: same,
  btrim: same,
  lower: wider(2),
  tolower: wider(2),
  upper: wider(3),
  toupper: wider(3),
  normalize: wider(4),
  replace: replaced,
  split: (value) => list(value.length + 1, text(value.length), 2 * value.weight + 8),
  'string.join': (texts, by) => text(texts.weight + texts.length * by.length),
  'string.indexof': number,
  'string.regexreplace': (value, _pattern, by) => text((value.length + 1) * (by.length + 1)),
  'coll.distinct': same,
  'coll.remove': same,
  'coll.sort': same,
  'coll.insert': (values, _at, value) => together(values, list(1, value)),
  'coll.flatten': (values) => list(values.weight, values.entry().entry(), values.weight),
  'coll.indexof': number,
  'coll.max': entryOf,
  'coll.min': entryOf,
};

/** Functions of numbers, times and places. Their results are small. */
const SMALL =
  /^(?:a?cos|a?sin|a?tan|atan2|cot|degrees|e|exp|haversin|log|log10|pi|radians|rand|sqrt|avg|count|sum|stdevp?|percentile(?:cont|disc)|exists|isempty|isnan|id|timestamp|toboolean(?:ornull)?|tofloat(?:ornull)?|tointegerornull|file|linenumber|date|datetime|localdatetime|localtime|time|duration|point|(?:date|datetime|localdatetime|localtime|time|duration|point|vector|uuid)\..*)$/;

const NOTHING = scalar(0);
/** How many characters or entries a function reads in a step. */
const READ_IN_STEP = 20;

/** The most steps of a call of a function, and the largest size of its result. */
export const called = (name: string, given: readonly Size[]): Call => {
  const [one = NOTHING, two = NOTHING, three = NOTHING] = given;
  const lower = name.toLowerCase();
  const read = given.reduce((sum, { weight }) => sum + weight, 0) / READ_IN_STEP;
  if (lower === 'coalesce' && given.length > 1) return { size: given.reduce(either), steps: 1 };
  if (lower === 'string.regexreplace') compared(one, two);
  const atOnce = Object.hasOwn(AT_ONCE, lower) ? AT_ONCE[lower] : undefined;
  if (atOnce !== undefined) return { size: atOnce(one, two, three), steps: 1 };
  const reading = Object.hasOwn(READING, lower) ? READING[lower] : undefined;
  if (reading !== undefined) {
    const size = reading(one, two, three);
    const patterned = lower === 'string.regexreplace' ? compared(one, two) * (one.length + 1) : 0;
    return { size, steps: 1 + read + size.weight / READ_IN_STEP + patterned };
  }
  if (SMALL.test(lower)) return { size: scalar(), steps: 1 + read };
  // A function that this service does not know may return more than its arguments hold.
  return { size: anything(20 * READ_IN_STEP * read + 64), steps: 1 + read };
};
