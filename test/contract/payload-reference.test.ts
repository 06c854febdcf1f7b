import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { payloadPages } from '../../src/cli/cypher-files';
import { payloadSchema } from '../../src/contract/json-schema';
import { TEMPLATES } from '../../src/templates/templates';

const ROOT = join(__dirname, '../..');
const pages = payloadPages(join(ROOT, 'examples/company'));

test('docs/payloads is what `npm run cypher` writes', () => {
  const folder = join(ROOT, 'docs/payloads');
  const written = readdirSync(folder).map((name) => [
    name,
    readFileSync(join(folder, name), 'utf8'),
  ]);
  expect(Object.fromEntries(written)).toEqual(pages);
});

/** The rows of all tables: field, type, required, meaning, example. */
const rows = Object.entries(pages).flatMap(([page, text]) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => [
      page,
      ...line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    ]),
);

test('each field has a type and a sentence', () => {
  expect(rows.length).toBeGreaterThan(150);
  expect(
    rows.filter(([, , type, , meaning]) => type === '' || !/[.…]$/.test(meaning ?? '')),
  ).toEqual([]);
});

test('each link leads to a heading of its page', () => {
  for (const [page, text] of Object.entries(pages)) {
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) =>
      (heading ?? '').toLowerCase().replaceAll(' ', '-'),
    );
    const links = [...text.matchAll(/\(#([^)]+)\)/g)].map(([, link]) => link);
    expect([page, links.filter((link) => !headings.includes(link ?? ''))]).toEqual([page, []]);
    expect(new Set(headings).size).toBe(headings.length);
  }
});

test.each(TEMPLATES)('each field in the JSON Schema of %s has a description', (template) => {
  const objects = Object.values(payloadSchema(template).$defs as Record<string, unknown>) as {
    readonly title?: string;
    readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
  }[];
  const silent = objects.flatMap(({ title = '', properties = {} }) =>
    Object.entries(properties).flatMap(([field, { description }]) =>
      description === undefined ? [`${title}: ${field}`] : [],
    ),
  );
  expect(silent).toEqual([]);
});
