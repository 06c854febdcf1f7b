import { visible } from '../../../src/visible-text';

/** A row of a list of access, as the interface answers it. */
export interface AccessRow {
  readonly id: string;
  readonly permissions: readonly { readonly name: string }[];
}

/** Text of a page without the escapes of HTML. */
export const plain = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

const namesIn = (html: string): readonly string[] =>
  [...html.matchAll(/<bdi[^>]*>([^<]*)<\/bdi>/g)].map(([, name = '']) => plain(name));

/** What the rows of a table of a page link to, and the permissions that they name. */
export const rowsOnPage = (html: string, folder: 'people' | 'resources'): readonly unknown[] =>
  [...html.matchAll(/<tr><th scope="row">(.*?)<\/tr>/gs)].flatMap(([, row = '']) => {
    const [head = ''] = row.split('</th>');
    const [, id] = new RegExp(`href="/console/${folder}/([^"?]+)`).exec(head) ?? [];
    const [, named = ''] = /data-name="Can">(.*?)<\/td>/s.exec(row) ?? [];
    return id === undefined ? [] : [[decodeURIComponent(plain(id)), namesIn(named).toSorted()]];
  });

/** The same of an answer of the interface. */
export const rowsAnswered = (values: readonly AccessRow[]): readonly unknown[] =>
  values.map(({ id, permissions }) => [
    id,
    permissions.map(({ name }) => visible(name)).toSorted(),
  ]);

/** How many ways a page of Why lists, of which its line says something. A line may have several. */
export const waysOnPage = (html: string, said = ''): number =>
  html
    .split('<tr>')
    .filter((row) => row.includes('class="route"') && row.includes(said))
    .reduce((sum, row) => sum + Number(/<span class="quiet"> (\d+) ways</.exec(row)?.[1] ?? 1), 0);
