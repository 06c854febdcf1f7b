import { type Ask, client } from './access-questions';
import type { RoundTools } from './round';

const SIZES = [5_000, 10_000];
const PAGES = [100, 1_000, 10_000];
const RUNS = 3;

/** An application whose accounts all hold a permission on one resource. */
const payloadOf = (name: string, count: number): object => ({
  applications: [
    {
      name,
      application_type: 'lists',
      local_users: Array.from({ length: count }, (_, at) => ({
        name: `user${at}`,
        groups: ['all'],
      })),
      local_groups: [{ name: 'all' }],
      resources: [{ name: 'door', resource_type: 'door' }],
    },
  ],
  permissions: [{ name: 'open', permission_type: ['DataRead'] }],
  identity_to_permissions: [
    {
      identity: 'all',
      identity_type: 'local_group',
      application_permissions: [{ application: name, permission: 'open', resources: ['door'] }],
    },
  ],
});

interface Page {
  readonly values: readonly unknown[];
  readonly next_page_token?: string;
  readonly has_more?: boolean;
}

/** Reads all pages of a list. Gives the milliseconds of each page and the number of rows. */
const readWhole = async (
  ask: Ask,
  path: string,
  size: number,
): Promise<{ readonly pages: readonly number[]; readonly rows: number }> => {
  const pages: number[] = [];
  let rows = 0;
  for (let token: string | undefined = ''; token !== undefined;) {
    const start = performance.now();
    const more = token === '' ? '' : `&page_token=${encodeURIComponent(token)}`;
    const page = (await ask(`${path}&page_size=${size}${more}`)) as unknown as Page;
    pages.push(performance.now() - start);
    rows += page.values.length;
    token = page.has_more ? page.next_page_token : undefined;
  }
  return { pages, rows };
};

const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0);

/**
 * Reads whole lists in pages: who has access to a resource, and entities. A page after the first
 * should take at most a tenth of its time.
 */
export const measureLists = async (
  { service, connector }: RoundTools,
  say: (text: string) => void,
): Promise<void> => {
  const ask = client(service);
  say('| list | rows | page size | whole (s) | first page (ms) | each later page (ms, most) |');
  say('| --- | --- | --- | --- | --- | --- |');
  for (const count of SIZES) {
    const name = `lists ${count}`;
    const source = await connector.register(name, 'application');
    await connector.push(await connector.prepare(source, payloadOf(name, count)));
    const filter = encodeURIComponent(`application eq "${name}" and name eq "door"`);
    const [door] = (await ask(`entities?filter=${filter}&label=Resource`)).values ?? [];
    const lists = [
      ['access', `access?resource=${encodeURIComponent(door?.id ?? '')}&entities=true`],
      [
        'entities',
        `entities?label=LocalUser&filter=${encodeURIComponent(`application eq "${name}"`)}`,
      ],
    ] as const;
    for (const [title, path] of lists) {
      for (const size of PAGES) {
        let best = await readWhole(ask, path, size);
        for (let run = 1; run < RUNS; run += 1) {
          const again = await readWhole(ask, path, size);
          if (sum(again.pages) < sum(best.pages)) best = again;
        }
        const [first = 0, ...later] = best.pages;
        const rest =
          later.length === 0
            ? '–'
            : `${(sum(later) / later.length).toFixed(1)}, ${Math.max(...later).toFixed(1)}`;
        say(
          `| ${[title, best.rows, size, (sum(best.pages) / 1000).toFixed(2), first.toFixed(1), rest].join(' | ')} |`,
        );
      }
    }
  }
};
