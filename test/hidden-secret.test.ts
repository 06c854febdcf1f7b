import fc from 'fast-check';

import { SHORTEST_SECRET } from '../src/contract/provisioning';
import { hider } from '../src/hidden-secret';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The forms in which servers repeat what they are sent. Before, only the first was hidden. */
const FORMS: Readonly<Record<string, (secret: string, around: string) => string>> = {
  'as it is': (secret) => secret,
  'for an address': (secret) => encodeURIComponent(secret),
  'for an address, in lower case': (secret) =>
    encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  'of a form': (secret) => new URLSearchParams({ s: secret }).toString(),
  'percent-encoded throughout': (secret) =>
    [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  JSON: (secret) => JSON.stringify({ s: secret }),
  'JSON in JSON': (secret) => JSON.stringify(JSON.stringify({ s: secret })),
  'JSON with slashes escaped': (secret) => JSON.stringify(secret).replaceAll('/', '\\/'),
  'escaped for Unicode': (secret) =>
    [...Array(secret.length).keys()]
      .map((at) => `\\u${secret.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  hexadecimal: (secret) => Buffer.from(secret).toString('hex'),
  'hexadecimal in capitals': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  base64: (secret) => base64(secret),
  'base64 for addresses': (secret) => Buffer.from(secret).toString('base64url'),
  'within base64': (secret, around) => base64(`${around}${secret}${around}`),
  HTML: (secret) =>
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
};

const secret = fc
  .array(fc.constantFrom(...'abcXYZ019 +/=&<"\\%~.-_é✓🙂'.match(/./gu)!), {
    minLength: SHORTEST_SECRET - 1,
    maxLength: 40,
  })
  .map((characters) => `k${characters.join('')}`);

/** Long pieces of the secret's form that are left, if any. */
const leftOf = (form: string, hidden: string): boolean =>
  [...Array(Math.max(0, form.length - 11)).keys()].some((at) =>
    hidden.includes(form.slice(at, at + 12)),
  );

test.each(Object.keys(FORMS))('a secret that a server repeats %s is hidden', (name) => {
  const form = FORMS[name];
  fc.assert(
    fc.property(secret, fc.string({ maxLength: 5 }), (text, around) => {
      const said = form?.(text, around) ?? '';
      const hidden = hider([text])(`The token ${said} is not known.`);
      expect(hidden).toContain('***');
      const [from, to] = [around, around + text].map((part) => (Buffer.byteLength(part) * 8) / 6);
      // Characters at the ends of base64 within base64 also hold bits of the neighbours.
      const own =
        name === 'within base64' ? said.slice(Math.ceil(from ?? 0), Math.floor(to ?? 0)) : said;
      expect(leftOf(own, hidden)).toBe(false);
    }),
  );
});

test('other texts stay', () => {
  expect(hider(['abc', 'a long secret'])('abc: the user "ann" is unknown')).toBe(
    'abc: the user "ann" is unknown',
  );
  expect(hider([])('anything')).toBe('anything');
});
