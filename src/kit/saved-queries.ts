import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

import { parseSavedQuery } from './parse-saved-query';
import type { SavedQuery } from './saved-query';

const FOLDER = 'cypher/queries';

/**
 * The folder of the queries. This file is somewhere below the folder that holds it, as source and
 * compiled.
 */
const folderFrom = (place: string): string => {
  const folder = join(place, FOLDER);
  if (existsSync(folder)) return folder;
  const above = dirname(place);
  if (above === place) throw new Error(`The program came without its folder ${FOLDER}.`);
  return folderFrom(above);
};

/** The files of the saved queries below `cypher/queries` with their text, by topic and name. */
export const queryFiles = (): readonly (readonly [file: string, text: string])[] => {
  const folder = folderFrom(__dirname);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.cypher'))
    .map((name) => name.replaceAll(sep, '/'))
    .sort()
    .map((file) => [file, readFileSync(join(folder, file), 'utf8')]);
};

let kept: readonly SavedQuery[] | undefined;

/** All saved queries below `cypher/queries`, by topic and name. The service reads them once. */
export const savedQueries = (): readonly SavedQuery[] =>
  (kept ??= queryFiles().map(([file, text]) => parseSavedQuery(file, text)));
