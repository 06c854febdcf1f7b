import { strToU8, zipSync } from 'fflate';

import { guide } from '../../kit/guide';
import { styleSheet } from '../../kit/style';
import type { NodeKind } from '../../model/table';
import { absoluteBase } from '../../web/exchange/public-address';
import { takingNone } from '../../web/lists/list-query';
import type { Respond } from '../../web/exchange/respond';
import type { Route } from '../../web/routing/route';
import { endpoints } from './endpoints';
import { savedQueries } from '../../kit/saved-queries';
import { fileOf, savedScriptOf } from '../../kit/saved-query';

/** A fixed time, so that the same queries always make the same bytes. */
const AT = new Date(2026, 0, 1);

let made: Buffer | undefined;

/**
 * A zip of the saved queries, with a folder for each topic. Neo4j Browser imports it as saved
 * scripts with their folders. The process makes it once, when somebody first asks for it.
 */
const queryArchive = (): Buffer =>
  (made ??= Buffer.from(
    zipSync(
      Object.fromEntries(
        savedQueries().map((query) => [fileOf(query), strToU8(savedScriptOf(query))]),
      ),
      { mtime: AT },
    ),
  ));

/**
 * The analyst's kit for Neo4j Browser: saved queries, style and guide, without a key
 * (docs/rules.md: Access answers). It holds no data.
 */
export const kitRoutes = (respond: Respond, records: readonly NodeKind[]): readonly Route[] => {
  const served = (
    endpoint: typeof endpoints.queries | typeof endpoints.style | typeof endpoints.guide,
    content: (address: string) => string | Buffer,
  ): Route => ({
    ...endpoint,
    handler: takingNone(
      respond,
      (req, res) => void res.type(endpoint.answer.mediaTypes[0]).send(content(absoluteBase(req))),
    ),
  });

  const style = styleSheet(records);
  return [
    served(endpoints.queries, queryArchive),
    served(endpoints.style, () => style),
    served(endpoints.guide, guide),
  ];
};
