import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Values that a property test keeps: they reach every topic of its tally, and each one that ever failed is among them. */
export type Corpus<T> = readonly T[];

/** A value, its size as text, and the topics that it reached. */
export interface Reaching<T> {
  readonly value: T;
  readonly size: number;
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

/** Chooses small values that together reach what each of all values reaches: the most that is new for its size first. */
export const chosen = <T>(
  values: readonly Reaching<T>[],
  alreadyReached: ReadonlySet<string>,
): Corpus<T> => {
  const reached = new Set(alreadyReached);
  const corpus: T[] = [];
  for (;;) {
    const gain = ({ reached: all, size }: Reaching<T>): number =>
      all.filter((topic) => !reached.has(topic)).length / (size + 20_000);
    const best = values.toSorted((a, b) => gain(b) - gain(a))[0];
    if (best === undefined || gain(best) === 0) return corpus;
    corpus.push(best.value);
    for (const topic of best.reached) reached.add(topic);
  }
};
