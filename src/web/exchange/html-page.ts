import type { Response } from 'express';

import { addressBelowPath, pageBelowPath } from './below-path';

/** A text with the characters escaped that HTML treats specially. */
export const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

// No script runs, and browsers load pictures only from the service.
const policyOf = (formAction: string): string =>
  [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "img-src 'self'",
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join('; ');

const STYLE = `
:root { color-scheme: light dark; }
body { max-width: 60rem; margin: 3rem auto; padding: 0 1rem; font: 1rem/1.5 sans-serif; color: #222; background: #fff; }
img { max-width: 100%; background: #fff; }
form { margin: 1rem 0; }
label { display: block; }
input, button { font: inherit; padding: 0.3rem 0.6rem; margin: 0.3rem 0; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: 0.2rem 0.6rem; border: 1px solid #ccc; text-align: left; vertical-align: top; }
pre { padding: 0.8rem; overflow-x: auto; background: #f5f5f5; }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #1a1a1a; }
  a { color: #8ab4f8; }
  th, td { border-color: #555; }
  pre { background: #2a2a2a; }
}
`;

/** How a page differs from most. */
interface PageOptions {
  /** Whether its forms may send to the service. */
  readonly hasForms?: boolean;
  /** The origins to which the service may redirect its forms. */
  readonly formsLeadTo?: readonly string[];
}

/** The complete text of a page, and the headers that it needs; `body` is HTML, `title` is text. */
export const pageOf = (
  title: string,
  body: string,
  { hasForms = false, formsLeadTo = [] }: PageOptions = {},
): { readonly html: string; readonly headers: Readonly<Record<string, string>> } => ({
  headers: {
    'content-security-policy': policyOf(hasForms ? ["'self'", ...formsLeadTo].join(' ') : "'none'"),
    'x-content-type-options': 'nosniff',
  },
  html: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
<main>
${body}
</main>
</html>
`,
});

/** Sends a page for a browser; `body` is HTML, `title` is text. */
export const sendPage = (
  res: Response,
  title: string,
  body: string,
  options?: PageOptions,
): void => {
  const { html, headers } = pageOf(title, body, options);
  res.set(headers).type('html').send(pageBelowPath(res.req, html));
};

/** Leads a browser to another page. The answer has no text, which nobody would see. */
export const leadTo = (res: Response, path: string): void =>
  void res.status(303).location(addressBelowPath(res.req, path)).end();
