import { existsSync, readFileSync } from 'node:fs';

/*
 * docs/security.md names for its promises the tests that hold them: `file`: title. A title is one of the file, with `…` for what is left out. So a
 * test that is renamed or removed takes its promise along.
 */
const page = readFileSync('docs/security.md', 'utf8');

/** Sections that promise nothing. */
const WITHOUT = ['Dependencies', 'How to report a hole'];

const sections = page
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const [title = ''] = section.split('\n', 1);
    return { title, text: section.slice(title.length).replace(/\s+/g, ' ') };
  });

interface Named {
  readonly file: string;
  readonly title: string;
}

/** The tests that a text names; titles end at the next test, a semicolon, or the end of the sentence. */
const namedIn = (text: string): readonly Named[] =>
  [
    ...text.matchAll(
      /`(test\/[\w/.-]+)`(?:: ([^;`]+?)(?=; |[.;,]? ?(?:- \*\*|`|$)|\. (?=[A-Z*|-])))?/g,
    ),
  ].map(([, file = '', title = '']) => ({ file, title: title.replace(/^"|[."]+$/g, '').trim() }));

const all = sections.flatMap(({ text }) => namedIn(text));

test('each section of promises names tests that hold them', () => {
  const promising = sections.filter(({ title }) => !WITHOUT.includes(title));
  expect(promising.filter(({ text }) => namedIn(text).length === 0)).toEqual([]);
});

test('each test that it names is there', () => {
  const missing = all.filter(({ file, title }) => {
    if (!existsSync(file)) return true;
    const source = readFileSync(file, 'utf8').replace(/\s+/g, ' ');
    return !title
      .split(/…/)
      .map((part) => part.trim())
      .every((part) => source.includes(part));
  });
  expect(missing).toEqual([]);
  expect(all.length).toBeGreaterThan(80);
});
