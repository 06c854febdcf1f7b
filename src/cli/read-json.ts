import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';

import * as E from 'fp-ts/Either';

import { parseJson } from '../contract/json';
import { WrongUsage } from './context';

/** Reads a file of JSON, or the input for `-`. `advice` says which file is missing. */
export const readJson = async (file: string | undefined, advice: string): Promise<unknown> => {
  if (file === undefined) throw new WrongUsage(`${advice}; - reads it from the input.`);
  const text =
    file === '-' ? await readAll(process.stdin) : await readFile(file, 'utf8').catch(() => null);
  if (text === null) throw new WrongUsage(`Cannot read ${file}.`);
  const parsed = parseJson(text);
  if (E.isRight(parsed)) return parsed.right;
  throw new WrongUsage(`${file}: ${parsed.left.problems[0]?.message ?? 'the text is not JSON'}.`);
};
