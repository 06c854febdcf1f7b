import type { Response } from 'express';

/** A text with the characters escaped that HTML treats specially. */
export const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

// No script runs, and browsers load pictures only from the service.
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const STYLE = `
body { max-width: 60rem; margin: 3rem auto; padding: 0 1rem; font: 1rem/1.5 sans-serif; color: #222; background: #fff; }
img { max-width: 100%; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: 0.2rem 0.6rem; border: 1px solid #ccc; text-align: left; vertical-align: top; }
pre { padding: 0.8rem; overflow-x: auto; background: #f5f5f5; }
`;

/** Sends a page for a browser; `body` is HTML, `title` is text. */
export const sendPage = (res: Response, title: string, body: string): void => {
  res
    .set({ 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff' })
    .type('html')
    .send(
      `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
${body}
</html>
`,
    );
};
