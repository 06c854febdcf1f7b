import {
  type AccessRow,
  differsOnPage,
  largestFirst,
  rowsAnswered,
  rowsOnPage,
  waysOnPage,
} from '../features/console/page-rows';
import { compareChips } from '../features/console/page-chips';
import { Browser } from '../http/browser-session';
import { API_KEY, type ServiceUnderTest } from '../http/service-under-test';
import type { Node } from '../mirror/graph';
import { ask } from '../../src/neo4j/ask';
import type { ChangedAccess } from './service-driver';
import type { Tally } from './tally';

/** How many principals and how many resources of a graph have their pages compared. */
const PAGES = 4;

const some = (nodes: readonly Node[], pick: number): readonly Node[] =>
  Array.from(
    { length: Math.min(PAGES, nodes.length) },
    (_, at) => nodes[(pick + at * 7) % nodes.length] as Node,
  );

/** Compares pages of the console about a random graph with what the interface answers. */
export class PageComparison {
  constructor(
    private readonly service: ServiceUnderTest,
    private readonly tally: Tally,
  ) {}

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
      const about = { principal: key, person: 'true' };
      const list = await this.ask('access', { ...about, page_size: '10000' });
      const ordered = largestFirst(list);
      const sorted = await this.ask('access', {
        ...about,
        page_size: '10000',
        order_by: 'largest_application',
      });
      expect([key, (sorted.values ?? []).map(({ id }) => id)]).toEqual([
        key,
        ordered.map(({ id }) => id),
      ]);
      const html = await page(`people/${encodeURIComponent(key)}`);
      expect([key, rowsOnPage(html, 'resources')]).toEqual([
        key,
        rowsAnswered(ordered.slice(0, 100)),
      ]);
      await this.compareChips(analyst, about, `/console/people/${encodeURIComponent(key)}`, pick);
    }
    const resources = some(what, pick);
    for (const { key, label } of resources) {
      // The page of an application counts what is in it.
      const contents = String(label === 'Application');
      const { values = [] } = await this.ask('access', { resource: key, contents });
      const html = await page(`resources/${encodeURIComponent(key)}`);
      const people = values.filter(({ id }) => !id.includes('|Resource|'));
      expect([key, rowsOnPage(html, 'people')]).toEqual([key, rowsAnswered(people)]);
      const first = `/console/resources/${encodeURIComponent(key)}`;
      await this.compareChips(analyst, { resource: key, contents }, first, pick);
    }
    const [principal, resource] = pair.map(({ key }) => key) as [string, string];
    const ends = { principal, resource };
    const { value } = await this.ask('access:explain', ends);
    const html = await page(`why?${new URLSearchParams(ends).toString()}`);
    expect([ends, waysOnPage(html)]).toEqual([ends, value?.paths.length ?? 0]);
    await this.compareChanges(page);
    const pages = await this.compareInstants(page, principals, resources, pick);
    return principals.length + resources.length + 2 + pages;
  }

  /** Chips that are chosen together count what the interface counts. */
  private async compareChips(
    analyst: Browser,
    about: Readonly<Record<string, string>>,
    first: string,
    pick: number,
  ): Promise<void> {
    const clicks = [pick, pick + 1, pick + 3];
    const { compared } = await compareChips(
      this.service,
      async (address) => (await analyst.get(address)).text,
      about,
      first,
      clicks,
    );
    this.tally.count('compared', 'chips', compared);
  }

  /** Pages about an instant say of each row how it differs from another one, as the interface does. */
  private async compareInstants(
    page: (path: string) => Promise<string>,
    principals: readonly Node[],
    resources: readonly Node[],
    pick: number,
  ): Promise<number> {
    const found = await ask(
      this.service.graph,
      'MATCH (push:Push) WHERE push.at IS NOT NULL WITH DISTINCT push.at AS at ORDER BY at RETURN toString(at) AS at',
    );
    const instants = ['', ...found.map(({ at }) => String(at))];
    const [at = '', against = ''] = [pick, pick + 1 + (pick % 3)].map(
      (place) => instants[place % instants.length],
    );
    if (at === against) return 0;
    const isLater = instants.indexOf(at) > instants.indexOf(against);
    const isOfEnd = at === '' || (against !== '' && isLater);
    const [since, until] = isOfEnd ? [against, at] : [at, against];
    const [here, there] =
      against === ''
        ? ['no longer', 'now also']
        : isOfEnd
          ? ['not before', 'before also']
          : ['no longer', 'later also'];
    const said = (
      changes: readonly ChangedAccess[],
      row: 'principal' | 'resource',
      rows: readonly AccessRow[],
    ): readonly unknown[] =>
      rows.flatMap(({ id }) => {
        const ofRow = changes.filter((each) => each[row].id === id);
        const [first, second] = (
          isOfEnd ? (['gained', 'lost'] as const) : (['lost', 'gained'] as const)
        ).map((side) => ofRow.some((each) => each[side].length > 0));
        const words = [...(first ? [here] : []), ...(second ? [there] : [])];
        return words.length === 0 ? [] : [[id, words]];
      });
    let pages = 0;
    for (const [folder, row, nodes] of [
      ['people', 'resource', principals],
      ['resources', 'principal', resources.filter(({ label }) => label === 'Resource')],
    ] as const) {
      for (const { key } of nodes) {
        const about = folder === 'people' ? { principal: key, person: 'true' } : { resource: key };
        const list = await this.answer('access', {
          ...about,
          ...(at === '' ? {} : { at }),
        });
        // It did not exist then.
        if (list.status === 404) continue;
        const { values = [] } = list.body as { readonly values?: readonly AccessRow[] };
        const { body } = await this.answer('access:changes', {
          ...about,
          since,
          page_size: '1000',
          ...(until === '' ? {} : { until }),
        });
        const changes = (body as { readonly values: readonly ChangedAccess[] }).values;
        const html = await page(
          `${folder}/${encodeURIComponent(key)}?${new URLSearchParams({ at, against }).toString()}`,
        );
        const told = differsOnPage(html, folder === 'people' ? 'resources' : 'people');
        expect([key, at, against, told.toSorted()]).toEqual([
          key,
          at,
          against,
          said(changes, row, values).toSorted(),
        ]);
        pages += 1;
      }
    }
    return pages;
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
    const answer = await this.answer(path, query);
    expect([path, query, answer.status]).toEqual([path, query, 200]);
    return answer.body as object;
  }

  private answer(
    path: string,
    query: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    return this.service.send('get', `/api/v1/${path}?${new URLSearchParams(query).toString()}`);
  }
}
