const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The forms in which servers repeat what they are sent. */
export const FORMS: Readonly<Record<string, (secret: string, around: string) => string>> = {
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

/** Long pieces of the secret's form that are left, if any. */
export const leftOf = (form: string, hidden: string): boolean =>
  [...Array(Math.max(0, form.length - 11)).keys()].some((at) =>
    hidden.includes(form.slice(at, at + 12)),
  );
