import type { ServiceUnderTest } from '../http/service-under-test';
import { isJson } from '../../src/web/routing/route';
import { idleRoutes } from '../support/idle-app';

/** Values of parameters that belong together, such as a provider and one of its data sources. */
export type Parameters = Readonly<Record<string, string>>;

/** An answer to a request that reads. */
export interface ReadAnswer {
  readonly path: string;
  readonly text: string;
}

/** The path of a declared path with these values; `null` if one has no value. */
const pathWith = (path: string, values: Parameters): string | null => {
  let isKnown = true;
  const told = path.replace(/(\\?):(\w+)/g, (_, escape: string, name: string) => {
    if (escape !== '') return `:${name}`;
    isKnown &&= name in values;
    return encodeURIComponent(values[name] ?? '');
  });
  return isKnown ? told : null;
};

/**
 * Every answer of a route that reads, as the routes declare themselves: lists, single things,
 * questions. Paths and queries take their parameters from each of the values.
 */
export async function allReadAnswers(
  service: ServiceUnderTest,
  values: readonly Parameters[],
): Promise<readonly ReadAnswer[]> {
  const paths = idleRoutes().flatMap(({ method, path, query, access, answer }) => {
    if (method !== 'get' || access === 'open' || (!isJson(answer) && 'event' in answer)) return [];
    const known = { ...query?.required, ...query?.optional };
    return values.flatMap((each) => {
      const at = pathWith(path, each);
      const asked = Object.entries(each).filter(([name]) => name in known);
      const page: [string, string][] =
        'page_size' in known || query === undefined ? [['page_size', '1000']] : [];
      return at === null ? [] : `${at}?${new URLSearchParams([...asked, ...page]).toString()}`;
    });
  });
  return Promise.all(
    [...new Set(paths)].map(async (path) => {
      const { status, text } = await service.send('get', path);
      return { path: `${status} ${path}`, text };
    }),
  );
}
