import { queryArchive } from '../../kit/archive';
import { guide } from '../../kit/guide';
import { styleSheet } from '../../kit/style';
import type { NodeKind } from '../../model/table';
import { absoluteBase } from '../../web/exchange/public-address';
import { takingNone } from '../../web/lists/list-query';
import type { Respond } from '../../web/exchange/respond';
import type { Route } from '../../web/routing/route';
import { endpoints } from './endpoints';

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
