import { queryFiles } from './query-files';
import { readme } from './readme';
import { styleSheet } from './style';

/** What the kit has in `cypher/`, by file name; a test keeps the files in step. */
export const kitFiles = (): Readonly<Record<string, string>> => ({
  'README.md': readme(),
  'style.grass': styleSheet(),
  ...Object.fromEntries(
    Object.entries(queryFiles()).map(([name, text]) => [`queries/${name}`, text]),
  ),
});
