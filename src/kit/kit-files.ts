import type { NodeKind } from '../model/table';
import { parseSavedQuery } from './parse-saved-query';
import { readme } from './readme';
import { queryFiles } from './saved-queries';
import { withSharedRules } from './shared-rules';
import { styleSheet } from './style';

/**
 * The files that `npm run cypher` writes for the kit, by their path below `cypher/`. It updates the
 * shared rules in the queries.
 */
export const kitFiles = (records: readonly NodeKind[]): Readonly<Record<string, string>> => {
  const fresh = queryFiles().map(([file, text]) => [file, withSharedRules(file, text)] as const);
  return {
    'README.md': readme(fresh.map(([file, text]) => parseSavedQuery(file, text))),
    'style.grass': styleSheet(records),
    ...Object.fromEntries(fresh.map(([file, text]) => [`queries/${file}`, text])),
  };
};
