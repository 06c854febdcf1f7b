import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';

import { jsonFault } from '../contract/json';
import { WrongUsage } from './context';

/** Reads a file of JSON, or the input for `-`. `advice` says which file is missing. */
export const readJson = async (file: string | undefined, advice: string): Promise<unknown> => {
  if (file === undefined) throw new WrongUsage(`${advice}; - reads it from the input.`);
  const text =
    file === '-' ? await readAll(process.stdin) : await readFile(file, 'utf8').catch(() => null);
  if (text === null) throw new WrongUsage(`Cannot read ${file}.`);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new WrongUsage(`${file} is not JSON: ${jsonFault(text)}.`);
  }
};
