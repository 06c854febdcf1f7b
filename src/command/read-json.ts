import * as E from 'fp-ts/Either';

import { parseJson } from '../contract/json';
import { WrongUsage } from './context';
import { readText } from './read-text';

/** Reads a file of JSON, or the input for `-`. `advice` says which file is missing. */
export const readJson = async (file: string | undefined, advice: string): Promise<unknown> => {
  if (file === undefined) throw new WrongUsage(`${advice}; - reads it from the input.`);
  const parsed = parseJson(await readText(file));
  if (E.isRight(parsed)) return parsed.right;
  throw new WrongUsage(`${file}: ${parsed.left.problems[0]?.message ?? 'the text is not JSON'}.`);
};
