import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Values that a property test keeps: they reach every topic of its tally, and each one that ever failed is among them. */
export type Corpus<T> = readonly T[];

/** A value, how long its test took, and the topics that it reached. */
export interface Reaching<T> {
  readonly value: T;
  readonly milliseconds: number;
  readonly reached: readonly string[];
}

const pathOf = (name: string): string => join(__dirname, 'corpus', `${name}.jsonl`);

/** A push's text is its payload's, where it has one, and stands in a file once. */
const written = (_name: string, value: unknown): unknown =>
  isPush(value) ? { ...value, text: undefined } : value;

const read = (_name: string, value: unknown): unknown =>
  isPush(value) ? { ...value, text: JSON.stringify(value.payload) } : value;

const isPush = (value: unknown): value is { readonly payload: object } =>
  typeof value === 'object' &&
  value !== null &&
  'shapeProblems' in value &&
  'payload' in value &&
  value.payload !== null;

/** Reads a corpus: one value a line. */
export const readCorpus = <T>(name: string): Corpus<T> => {
  const path = pathOf(name);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line, read) as T);
};

/** Writes a corpus: one value a line. */
export const writeCorpus = <T>(name: string, corpus: Corpus<T>): void => {
  const lines = corpus.map((value) => `${JSON.stringify(value, written)}\n`);
  writeFileSync(pathOf(name), lines.join(''));
};

/** The name of the corpus that the full run alone adds to another one. */
export const ofNight = (name: string): string => `${name}-by-night`;

/** Chooses values that together reach what all of them reach, in little time: the most that is new for its time first. */
export const chosen = <T>(values: readonly Reaching<T>[]): Corpus<T> => {
  const reached = new Set<string>();
  const corpus: Reaching<T>[] = [];
  for (;;) {
    const gain = ({ reached: all, milliseconds }: Reaching<T>): number =>
      all.filter((topic) => !reached.has(topic)).length / (milliseconds + 500);
    const best = values.toSorted((a, b) => gain(b) - gain(a))[0];
    if (best === undefined || gain(best) === 0) break;
    corpus.push(best);
    for (const topic of best.reached) reached.add(topic);
  }
  return withoutNeedless(corpus).map(({ value }) => value);
};

/** What was chosen early may be needless once others have come, the slowest first. */
const withoutNeedless = <T>(values: readonly Reaching<T>[]): readonly Reaching<T>[] =>
  values
    .toSorted((a, b) => b.milliseconds - a.milliseconds)
    .reduce((left, one) => {
      const others = left.filter((each) => each !== one);
      const topics = new Set(others.flatMap(({ reached }) => reached));
      return one.reached.every((topic) => topics.has(topic)) ? others : left;
    }, values);
