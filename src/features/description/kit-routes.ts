import { queryArchive } from '../../kit/archive';
import { guide } from '../../kit/guide';
import { styleSheet } from '../../kit/style';
import type { NodeKind } from '../../model/table';
import { absoluteBase } from '../../web/exchange/public-address';
import { takingNone } from '../../web/lists/list-query';
import type { Respond } from '../../web/exchange/respond';
import type { Route } from '../../web/routing/route';

/**
 * The analyst's kit for Neo4j Browser: saved queries, style and guide, without a key
 * (docs/rules.md: Access answers). It holds no data.
 */
export const kitRoutes = (respond: Respond, records: readonly NodeKind[]): readonly Route[] => {
  const served = (
    path: string,
    summary: string,
    type: string,
    content: (address: string) => string | Buffer,
  ): Route => ({
    ...{ method: 'get', path, access: 'open', summary, isSharedWithPages: true },
    answer: { mediaTypes: [type] },
    handler: takingNone(
      respond,
      (req, res) => void res.type(type).send(content(absoluteBase(req))),
    ),
  });

  const style = styleSheet(records);
  return [
    served(
      '/kit/queries.zip',
      'The saved queries of the analyst, for Neo4j Browser.',
      'application/zip',
      queryArchive,
    ),
    served('/kit/style.grass', "Neo4j Browser's style for the graph.", 'text/plain', () => style),
    served(
      '/kit/guide.html',
      "A guide for Neo4j Browser through the demo's graph.",
      'text/html',
      guide,
    ),
  ];
};
