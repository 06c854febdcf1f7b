import { strToU8, zipSync } from 'fflate';

import { savedQueries } from './saved-queries';
import { fileOf, savedScriptOf } from './saved-query';

/** A fixed time, so that the same queries always make the same bytes. */
const AT = new Date(2026, 0, 1);

let made: Buffer | undefined;

/**
 * A zip of the saved queries, with a folder for each topic. Neo4j Browser imports it as saved
 * scripts with their folders. The process makes it once, when somebody first asks for it.
 */
export const queryArchive = (): Buffer =>
  (made ??= Buffer.from(
    zipSync(
      Object.fromEntries(
        savedQueries().map((query) => [fileOf(query), strToU8(savedScriptOf(query))]),
      ),
      { mtime: AT },
    ),
  ));
