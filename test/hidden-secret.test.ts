import fc from 'fast-check';

import { SHORTEST_SECRET } from '../src/scim/connections/endpoints';
import { hider } from '../src/secrets/hidden-secret';
import { FORMS, leftOf } from './scim/repeated-forms';

const secret = fc
  .array(fc.constantFrom(...'abcXYZ019 +/=&<"\\%~.-_é✓🙂'.match(/./gu)!), {
    minLength: SHORTEST_SECRET - 1,
    maxLength: 40,
  })
  .map((characters) => `k${characters.join('')}`);

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
