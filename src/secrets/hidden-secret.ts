/**
 * The fewest characters of a secret that is hidden; connections accept no shorter one. If a shorter
 * text were replaced, words that have nothing to do with it would change, and pieces of its base64
 * occur in other texts by chance.
 */
const SHORTEST_HIDDEN = 8;

const base64Of = (bytes: Buffer): readonly string[] =>
  [bytes.toString('base64'), bytes.toString('base64url')].map((text) => text.replaceAll('=', ''));

/**
 * Base64 of a text as it appears within base64 of a longer one. Three bytes become four characters,
 * so it depends on the place. The characters at both ends also hold bits of the neighbours.
 */
const withinBase64 = (secret: string): readonly string[] =>
  [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const whole = Math.floor((bytes.length * 8) / 6);
    return base64Of(bytes).map((text) => text.slice(Math.ceil((offset * 8) / 6), whole));
  });

const escaped = (text: string, code: (unit: string) => string): string =>
  [...Array(text.length).keys()].map((at) => code(text.charAt(at))).join('');

const unicode = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

const percentOf = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The forms in which a server may repeat a secret: encoded for an address, JSON, HTML, a header. */
const formsOf = (secret: string): readonly string[] => {
  const json = JSON.stringify(secret).slice(1, -1);
  const encoded = encodeURIComponent(secret);
  const percent = percentOf(secret);
  return [
    secret,
    json,
    json.replaceAll('/', '\\/'),
    JSON.stringify(json).slice(1, -1),
    escaped(secret, unicode),
    escaped(json, (unit) => (unit > '~' ? unicode(unit) : unit)),
    encoded,
    encoded.replaceAll('%20', '+'),
    encodeURI(secret),
    percent,
    new URLSearchParams({ '': secret }).toString().slice(1),
    secret.replace(/[&<>"']/g, (unit) => HTML[unit] ?? unit),
    ...withinBase64(secret),
    Buffer.from(secret).toString('hex'),
  ];
};

const asPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/**
 * Makes a function that replaces secrets in a text by `***`. Some servers repeat what they receive,
 * also in another form. Hexadecimal digits are found in both cases.
 */
export const hider = (secrets: readonly string[]): ((text: string) => string) => {
  const forms = [
    ...new Set(secrets.filter(({ length }) => length >= SHORTEST_HIDDEN).flatMap(formsOf)),
  ].sort((a, b) => b.length - a.length);
  if (forms.length === 0) return (text) => text;
  // All forms are plain texts, and matching ignores case, because it does no harm to hide too much.
  const pattern = new RegExp(forms.map(asPattern).join('|'), 'giu');
  return (text) => text.replace(pattern, '***');
};
