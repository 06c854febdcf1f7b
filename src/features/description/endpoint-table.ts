import { type Route, scopesInWords, toldPath } from '../../web/routing/route';

const LIMITED_KEYS = { never: 'no', 'own provider': 'own provider', 'shown in part': 'in part' };

const rowOf = (route: Route): string => {
  const { access } = route;
  const [scopes, limited] =
    access === 'open' ? ['no key', ''] : [scopesInWords(access), LIMITED_KEYS[access.limitedKeys]];
  const cells = [route.method.toUpperCase(), `\`${toldPath(route)}\``, scopes, limited];
  const more = route.more === undefined ? '' : ` [More](${route.more.replace('#', '.md#')}).`;
  return `| ${[...cells, route.summary + more].join(' | ')} |`;
};

/** The routes as the Markdown table that docs/api.md holds. */
export const endpointTable = (routes: readonly Route[]): string =>
  [
    '| method | path | scopes | limited keys | |',
    '| --- | --- | --- | --- | --- |',
    ...routes.map(rowOf),
  ].join('\n');
