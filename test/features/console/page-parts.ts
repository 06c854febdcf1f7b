/** Names that try to become markup, or to change how the rest of a page looks. */
export const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  'javascript:alert(1)',
  '</title><script>alert(1)</script>',
  '\u{1f9d1}\u200d\u{1f4bb}'.repeat(23),
  '\u202egnp.exe',
  'أمارا نووسو',
];

/** Characters that would change how the rest of a page looks. */
// eslint-disable-next-line no-control-regex
const HIDDEN = /[\u0000-\u0009\u000b-\u001f\u2028\u202e]/;

const TAG = /<(\/?[a-z][\w-]*)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*\/?>/gi;

/** Expects that nothing in a page came from a name: no tag, no script, no style, no link elsewhere. */
export const expectPlainPage = (html: string): void => {
  const attributes = [...html.matchAll(TAG)].flatMap(([, , all = '']) =>
    [...all.matchAll(/\s([\w:-]+)(?:="[^"]*")?/g)].map(([, name = '']) => name.toLowerCase()),
  );
  // What a field holds is sent back as it is.
  expect(html.replaceAll(/value="[^"]*"/g, '')).not.toMatch(HIDDEN);
  expect(html.replace(TAG, '').replace('<!doctype html>', '')).not.toContain('<');
  expect(attributes.filter((each) => each === 'style' || each.startsWith('on'))).toEqual([]);
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toMatch(
    /href="(?!\/console|\/manual\/|#|http:\/\/localhost:7474\/browser\/#\?cmd=edit&amp;arg=[\w%.()'!~*-]+")/,
  );
};
