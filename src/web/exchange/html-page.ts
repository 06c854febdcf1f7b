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

/** The look of the console (`src/features/console/assets`), without its parts. */
const STYLE = `
:root {
  color-scheme: light dark; --ink: #1c2530; --soft: #55606e; --line: #d3d9e0; --ground: #fff; --raised: #f4f6f8;
  --link: #1a5490; --mark: #1d5fa8; --on-mark: #fff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e4e9ef; --soft: #a5b0bd; --line: #38424e; --ground: #14191f; --raised: #1d242c;
    --link: #8ec1f5; --mark: #8ec1f5; --on-mark: #10151a;
  }
}
html { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--ground); }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1.2rem; overflow-wrap: break-word; }
h1 { font-size: 1.55rem; line-height: 1.25; }
h2 { margin: 1.5rem 0 0.4rem; font-size: 1.12rem; }
a { color: var(--link); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; border-radius: 2px; }
img { max-width: 100%; background: #fff; }
form { margin: 1rem 0; }
label { display: block; color: var(--soft); }
input, button {
  max-width: 100%; margin: 0.3rem 0; padding: 0.3rem 0.6rem; border: 1px solid var(--soft); border-radius: 4px;
  font: inherit; color: inherit; background: var(--ground);
}
button { border-color: var(--mark); color: var(--on-mark); background: var(--mark); cursor: pointer; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: 0.28rem 0.7rem 0.28rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-weight: 400; color: var(--soft); }
pre { padding: 0.6rem; overflow-x: auto; background: var(--raised); }
@media print {
  html { font-size: 11px; }
  nav, form { display: none; }
  table { display: table; }
  pre { white-space: pre-wrap; }
}
`;

/** How a page differs from most. */
interface PageOptions {
  /** Whether its forms may send to the service. */
  readonly hasForms?: boolean;
  /** The origins to which the service may redirect its forms. */
  readonly formsLeadTo?: readonly string[];
  /** What its head has in addition, as HTML. */
  readonly head?: string;
  /** The element around its body: `div` if the body has a main part of its own. */
  readonly around?: 'main' | 'div';
}

/** The complete text of a page, and the headers that it needs; `body` is HTML, `title` is text. */
export const pageOf = (
  title: string,
  body: string,
  { hasForms = false, formsLeadTo = [], head = '', around = 'main' }: PageOptions = {},
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
${head}<nav aria-label="Pages"><a href="/">Grantgraph</a></nav>
<${around}>
${body}
</${around}>
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
