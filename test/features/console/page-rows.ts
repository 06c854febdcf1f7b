import { visible } from '../../../src/visible-text';

/** A row of a list of access, as the interface answers it. */
export interface AccessRow {
  readonly id: string;
  readonly permissions: readonly { readonly name: string }[];
  readonly application?: string | null;
}

const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** A complete list in the order of the page of a person: the application with most rows first. */
export const largestFirst = ({
  values = [],
}: {
  readonly values?: readonly AccessRow[];
}): readonly AccessRow[] => {
  const groupOf = ({ id, application = null }: AccessRow): string =>
    JSON.stringify([application, id.split('|')[0]]);
  const sizeOf = (row: AccessRow): number =>
    values.filter((other) => groupOf(other) === groupOf(row)).length;
  return values.toSorted(
    (a, b) =>
      sizeOf(b) - sizeOf(a) ||
      compare(a.application ?? '', b.application ?? '') ||
      compare(a.id, b.id),
  );
};

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

/** What a row says of another instant. */
const DIFFERS =
  /<span class="(?:gain|loss)">(no longer|now also|later also|not before|before also)<\/span>/g;

/** The rows of a table that say how they differ from another instant, and the words for it. */
export const differsOnPage = (
  html: string,
  folder: 'people' | 'resources',
): readonly (readonly [id: string, said: readonly string[]])[] =>
  [...html.matchAll(/<tr><th scope="row">(.*?)<\/tr>/gs)].flatMap(([, row = '']) => {
    const [head = ''] = row.split('</th>');
    const [, id] = new RegExp(`href="/console/${folder}/([^"?]+)`).exec(head) ?? [];
    const said = [...row.matchAll(DIFFERS)].map(([, words = '']) => words);
    return id === undefined || said.length === 0 ? [] : [[decodeURIComponent(plain(id)), said]];
  });
