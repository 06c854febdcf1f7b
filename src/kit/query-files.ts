import { analystQueries } from '../translate/analyst-queries';
import { savedQueries } from './saved-queries';
import { fileOf, savedScriptOf, textOf } from './saved-query';

const FOLDER = 'queries/';

/** The questions that the service itself asks, as analysts run them, by file below `cypher/queries`. */
export const serviceQueries = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(analystQueries()).map(([name, text]) => [name.slice(FOLDER.length), text]),
  );

/** Every query of the kit by file below `cypher/queries`: with parameters, for programs and for editors that know them. */
export const queryFiles = (): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(savedQueries.map((query) => [fileOf(query), textOf(query)])),
  ...serviceQueries(),
});

/** Every query of the kit as Neo4j Browser saves it, by file in the archive: those of the kit run as they are. */
export const savedScripts = (): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(savedQueries.map((query) => [fileOf(query), savedScriptOf(query)])),
  ...serviceQueries(),
});
