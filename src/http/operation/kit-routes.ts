import { queryArchive } from '../../kit/archive';
import { guide } from '../../kit/guide';
import { styleSheet } from '../../kit/style';
import { takingNone } from '../lists/list-query';
import type { Respond } from '../exchange/respond';
import type { Route } from '../routing/route';

/**
 * Host names that the guide repeats. The header may hold anything, so the guide repeats nothing
 * else.
 */
const HOST = /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d+)?$/;

/**
 * The analyst's kit for Neo4j Browser: saved queries, style and guide, without a key
 * (docs/rules.md: Access answers). It holds no data.
 */
export const kitRoutes = (respond: Respond): readonly Route[] => {
  const served = (
    path: string,
    summary: string,
    type: string,
    content: (address: string) => string | Buffer,
  ): Route => ({
    ...{ method: 'get', path, access: 'open', summary, isSharedWithPages: true },
    answer: { mediaTypes: [type] },
    handler: takingNone(respond, (req, res) => {
      const host = req.headers.host ?? '';
      res.type(type).send(content(HOST.test(host) ? `${req.protocol}://${host}` : ''));
    }),
  });

  const archive = Buffer.from(queryArchive());
  const style = styleSheet();
  return [
    served(
      '/kit/queries.zip',
      'The saved queries of the analyst, for Neo4j Browser.',
      'application/zip',
      () => archive,
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
