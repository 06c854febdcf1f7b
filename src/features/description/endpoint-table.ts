import {
  isForPeople,
  peopleInWords,
  type Route,
  scopesInWords,
  shownPath,
} from '../../web/routing/route';

const LIMITED_KEYS = { never: 'no', 'own provider': 'own provider', 'shown in part': 'in part' };

/** What admits a request to a route, and whether a limited key does. */
const admitted = ({ access }: Route): readonly [string, string] => {
  if (access === 'open') return ['no key', ''];
  if (isForPeople(access)) return [peopleInWords(access), ''];
  return [scopesInWords(access), LIMITED_KEYS[access.limitedKeys]];
};

const rowOf = (route: Route): string => {
  const cells = [route.method.toUpperCase(), `\`${shownPath(route)}\``, ...admitted(route)];
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
