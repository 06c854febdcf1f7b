import { savedQueries } from './saved-queries';
import { fileOf, savedScriptOf, textOf } from './saved-query';

/** Every query of the kit by file below `cypher/queries`: with parameters, for programs and for editors that know them. */
export const queryFiles = (): Readonly<Record<string, string>> =>
  Object.fromEntries(savedQueries.map((query) => [fileOf(query), textOf(query)]));

/** Every query of the kit as Neo4j Browser saves it, by file in the archive: each runs as it is. */
export const savedScripts = (): Readonly<Record<string, string>> =>
  Object.fromEntries(savedQueries.map((query) => [fileOf(query), savedScriptOf(query)]));
