import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

import { folderAbove } from '../folder-above';
import { parseSavedQuery } from './parse-saved-query';
import type { SavedQuery } from './saved-query';

const FOLDER = 'cypher/queries';

/** The files of the saved queries below `cypher/queries` with their text, by topic and name. */
export const queryFiles = (): readonly (readonly [file: string, text: string])[] => {
  const root = folderAbove(__dirname, FOLDER);
  if (root === null) throw new Error(`The program was delivered without its folder ${FOLDER}.`);
  const folder = join(root, FOLDER);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.cypher'))
    .map((name) => name.replaceAll(sep, '/'))
    .sort()
    .map((file) => [file, readFileSync(join(folder, file), 'utf8')]);
};

let loaded: readonly SavedQuery[] | undefined;

/** All saved queries below `cypher/queries`, by topic and name. The service reads them once. */
export const savedQueries = (): readonly SavedQuery[] =>
  (loaded ??= queryFiles().map(([file, text]) => parseSavedQuery(file, text)));
