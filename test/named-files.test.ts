import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');

/** Files that a recipe tells a reader to create. */
const INVENTED = /^src\/(features\/notes\/|templates\/application\/local-devices)/;

const filesIn = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => join(folder, name));

const exists = (path: string): boolean =>
  ['', '.ts', '.test.ts'].some((ending) => existsSync(join(ROOT, path + ending)));

test('every file that the docs and comments name exists', () => {
  const texts = [
    'README.md',
    'CONTRIBUTING.md',
    ...filesIn('docs', /\.md$/),
    ...filesIn('src', /\.tsx?$/),
  ];
  const missing = texts.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/`((?:src|test|scripts)\/[\w./-]+)`/g)]
      .map(([, path]) => path as string)
      .filter((path) => !INVENTED.test(path) && !exists(path))
      .map((path) => `${file}: ${path}`),
  );
  expect(missing).toEqual([]);
});
