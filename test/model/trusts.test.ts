import { fold } from '../../src/model/fold';
import { isDomain, NO_TRUSTS, type Trust, Trusts } from '../../src/templates/graph/trusts';

const trust = (provider: string, more: Partial<Trust> = {}): Trust => ({
  provider,
  emailDomains: [],
  isOnlyThese: false,
  identityProviders: null,
  ...more,
});

const acme = new Trusts([trust('ours', { emailDomains: ['acme.com', 'xn--mnchen-3ya.de'] })]);

test.each([
  'ceo@acme.com',
  'CEO@ACME.COM',
  'ceo@mail.acme.com',
  'ceo@acme.com ',
  'ceo@acme.com.',
  'ceo@ａｃｍｅ.com',
  'ceo@acme。com',
  'ceo@ac\u00adme.com',
  'The CEO <ceo@acme.com>',
  'mailto:ceo@acme.com?subject=x',
  'ceo+x@acme.com',
  'c.e.o@acme.com',
  '"ceo@other"@acme.com',
  'ceo@münchen.de',
  'ceo@MÜNCHEN.de',
  'ceo@mu\u0308nchen.de',
  'ceo@xn--mnchen-3ya.de',
])('nobody else may claim %j', (text) => {
  expect(acme.mayClaim('ours', fold(text))).toBe(true);
  expect(acme.mayClaim('theirs', fold(text))).toBe(false);
});

test.each(['ceo', 'acme.com', 'ceo@acme.com.example', 'ceo@notacme.com', 'ceo@com', '@', ''])(
  'anybody may claim %j',
  (text) => {
    expect(acme.mayClaim('theirs', text)).toBe(true);
  },
);

test('the nearest domain that is listed decides', () => {
  const trusts = new Trusts([
    trust('ours', { emailDomains: ['acme.com'] }),
    trust('theirs', { emailDomains: ['sub.acme.com'], isOnlyThese: true }),
  ]);
  const who = (text: string): readonly string[] =>
    ['ours', 'theirs', 'others'].filter((provider) => trusts.mayClaim(provider, text));
  expect(who('a@acme.com')).toEqual(['ours']);
  expect(who('a@sub.acme.com')).toEqual(['theirs']);
  expect(who('a@x.sub.acme.com')).toEqual(['theirs']);
  expect(who('a@other.com')).toEqual(['ours', 'others']);
  expect(who('a')).toEqual(['ours', 'others']);
});

test('without trusts, everything binds', () => {
  expect(NO_TRUSTS.areNone).toBe(true);
  expect(NO_TRUSTS.answerersOf('x', 'a@b')).toEqual({ allowed: null, denied: [] });
});

test.each([
  ['acme.com', true],
  ['münchen.de', true],
  ['localhost', true],
  ['', false],
  ['ceo@acme.com', false],
  ['acme.com/x', false],
  ['acme .com', false],
  ['a'.repeat(254), false],
])('%j is a domain: %s', (text, expected) => {
  expect(isDomain(text)).toBe(expected);
});
