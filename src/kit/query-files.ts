import { analystQueries } from '../translate/analyst-queries';
import { savedQueries } from './saved-queries';
import { fileOf, textOf } from './saved-query';

const FOLDER = 'queries/';

/** The questions that the service itself asks, as analysts run them, by file below `cypher/queries`. */
export const serviceQueries = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(analystQueries()).map(([name, text]) => [name.slice(FOLDER.length), text]),
  );

/** Every query of the kit by file, below `cypher/queries` and in the archive. */
export const queryFiles = (): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(savedQueries.map((query) => [fileOf(query), textOf(query)])),
  ...serviceQueries(),
});
