import {
  type AccessRow,
  largestFirst,
  rowsAnswered,
  rowsOnPage,
  waysOnPage,
} from '../features/console/page-rows';
import { Browser } from '../http/browser-session';
import { API_KEY, type ServiceUnderTest } from '../http/service-under-test';
import type { Node } from '../mirror/graph';

/** How many principals and how many resources of a graph have their pages compared. */
const PAGES = 4;

const some = (nodes: readonly Node[], pick: number): readonly Node[] =>
  Array.from(
    { length: Math.min(PAGES, nodes.length) },
    (_, at) => nodes[(pick + at * 7) % nodes.length] as Node,
  );

/** Compares pages of the console about a random graph with what the interface answers. */
export class PageComparison {
  constructor(private readonly service: ServiceUnderTest) {}

  async compare(
    who: readonly Node[],
    what: readonly Node[],
    pair: readonly [Node, Node],
    pick: number,
  ): Promise<number> {
    // Each graph begins empty, without sessions.
    const analyst = new Browser(this.service.app);
    await analyst.signIn(API_KEY);
    const page = async (path: string): Promise<string> => {
      const answer = await analyst.get(`/console/${path}`);
      expect([path, answer.status]).toEqual([path, 200]);
      return answer.text;
    };
    const principals = some(
      who.filter(({ labels }) => labels.includes('Principal')),
      pick,
    );
    for (const { key } of principals) {
      const list = await this.ask('access', {
        principal: key,
        person: 'true',
        order_by: 'application',
      });
      const html = await page(`people/${encodeURIComponent(key)}`);
      expect([key, rowsOnPage(html, 'resources')]).toEqual([
        ...[key, rowsAnswered(largestFirst(list))],
      ]);
    }
    const resources = some(what, pick);
    for (const { key, label } of resources) {
      // The page of an application counts what is in it.
      const contents = String(label === 'Application');
      const { values = [] } = await this.ask('access', { resource: key, contents });
      const html = await page(`resources/${encodeURIComponent(key)}`);
      const people = values.filter(({ id }) => !id.includes('|Resource|'));
      expect([key, rowsOnPage(html, 'people')]).toEqual([key, rowsAnswered(people)]);
    }
    const [principal, resource] = pair.map(({ key }) => key) as [string, string];
    const ends = { principal, resource };
    const { value } = await this.ask('access:explain', ends);
    const html = await page(`why?${new URLSearchParams(ends).toString()}`);
    expect([ends, waysOnPage(html)]).toEqual([ends, value?.paths.length ?? 0]);
    await this.compareChanges(page);
    return principals.length + resources.length + 2;
  }

  /** The page of changes counts what the interface counts, people first. */
  private async compareChanges(page: (path: string) => Promise<string>): Promise<void> {
    const since = '2000-01-01T00:00:00Z';
    const { counts } = await this.ask('access:changes', { since });
    const html = await page(`changes?${new URLSearchParams({ since, list: 'true' }).toString()}`);
    const text = html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    const told = Object.fromEntries(
      [
        ['people_gained', /(\d[\d,]*) (?:person|people) gained/],
        ['people_lost', /(\d[\d,]*) (?:(?:person|people) )?lost access/],
        ['gained', /(\d[\d,]*) permissions? gained and/],
        ['lost', /permissions? gained and (\d[\d,]*) lost/],
        ['resources', /lost on (\d[\d,]*) resource/],
      ].map(([name, pattern]) => [
        name,
        Number((new RegExp(pattern as RegExp).exec(text)?.[1] ?? '0').replaceAll(',', '')),
      ]),
    ) as unknown;
    expect(counts).toMatchObject(told as object);
  }

  private async ask(
    path: string,
    query: Readonly<Record<string, string>>,
  ): Promise<{
    readonly values?: readonly AccessRow[];
    readonly has_more?: boolean;
    readonly value?: { readonly paths: readonly unknown[] };
    readonly counts?: Readonly<Record<string, number>>;
  }> {
    const answer = await this.service.send(
      'get',
      `/api/v1/${path}?${new URLSearchParams(query).toString()}`,
    );
    expect([path, query, answer.status]).toEqual([path, query, 200]);
    return answer.body as object;
  }
}
