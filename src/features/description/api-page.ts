import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { pageBelowPath } from '../../web/exchange/below-path';
import { pageOf } from '../../web/exchange/html-page';
import { takingNone } from '../../web/lists/list-query';
import type { Respond } from '../../web/exchange/respond';
import type { Route } from '../../web/routing/route';
import { endpoints } from './endpoints';

// The page loads its program and the description from the service, and nothing from elsewhere. Its
// program styles with attributes.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

// The viewer has colors of its own for light and dark, and knows only one of both. What a page says
// about the element counts before them, so its colors follow those of the page.
const HEAD = `<style>
:root { --bad: #b3261e; --good: #1b7a3d; --warm: #a04a14; }
@media (prefers-color-scheme: dark) {
  :root { --bad: #ff9d94; --good: #6fd08f; --warm: #f0a267; }
}
html, body { height: 100%; }
body { display: flex; flex-direction: column; max-width: none; margin: 0; padding: 0; }
nav { padding: 0.5rem 1.2rem; border-bottom: 1px solid var(--line); background: var(--raised); font-weight: 700; }
h1 { margin: 0.6rem 1.2rem; }
body > div { display: flex; flex: 1; flex-direction: column; min-height: 0; }
rapi-doc {
  flex: 1; min-width: 0; min-height: 0;
  --font-regular: system-ui, sans-serif; --font-mono: ui-monospace, monospace;
  --bg: var(--ground); --bg2: var(--raised); --bg3: var(--raised); --light-bg: var(--line); --hover-color: var(--raised);
  --fg: var(--ink); --fg2: var(--ink); --fg3: var(--soft); --light-fg: var(--soft); --placeholder-color: var(--soft);
  --border-color: var(--line); --light-border-color: var(--line); --code-border-color: var(--line);
  --input-bg: var(--ground); --selection-bg: var(--mark); --selection-fg: var(--on-mark);
  --primary-color: var(--mark); --primary-color-invert: var(--on-mark); --primary-color-trans: var(--mark);
  --focus-shadow: 0 0 0 3px var(--mark);
  --nav-bg-color: var(--raised); --nav-text-color: var(--ink); --nav-hover-bg-color: var(--ground);
  --nav-hover-text-color: var(--link); --nav-accent-color: var(--mark); --nav-accent-text-color: var(--on-mark);
  --red: var(--bad); --pink: var(--bad); --green: var(--good); --blue: var(--link); --orange: var(--warm);
  --yellow: var(--warm); --brown: var(--warm); --purple: var(--link);
  --light-red: var(--raised); --light-pink: var(--raised); --light-green: var(--raised); --light-blue: var(--raised);
  --light-orange: var(--raised); --light-yellow: var(--raised);
  --nav-get-color: var(--link); --nav-put-color: var(--warm); --nav-post-color: var(--good);
  --nav-delete-color: var(--bad); --nav-head-color: var(--soft);
  --code-bg: var(--raised); --code-fg: var(--ink); --inline-code-fg: var(--ink);
  --code-property-color: var(--link); --code-keyword-color: var(--bad); --code-operator-color: var(--soft);
}
</style>
<script type="module" src="/docs/rapidoc.js"></script>
`;

const BODY = `<header><h1>The HTTP interface</h1></header>
<rapi-doc spec-url="/openapi.json" load-fonts="false" render-style="read" show-header="false"
  allow-server-selection="false" allow-spec-url-load="false" allow-spec-file-load="false"
  persist-auth="false" schema-style="table"></rapi-doc>`;

const PAGE = pageOf('Grantgraph: the HTTP interface', BODY, { head: HEAD, around: 'div' }).html;

// The build copies the viewer's one file, so only developers need its package. Tests run without a
// build.
const BUILT = join(__dirname, '../../rapidoc-min.js');

const program = (): Buffer =>
  readFileSync(existsSync(BUILT) ? BUILT : require.resolve('rapidoc/dist/rapidoc-min.js'));

/**
 * `/docs`: the API description as a page on which one can read and try each request, without a key
 * (docs/api.md: In a browser). The page asks the reader for a key before it sends a request.
 */
export const apiPageRoutes = (respond: Respond): readonly Route[] => {
  let script: Buffer | undefined;
  return [
    {
      ...endpoints.page,
      handler: takingNone(respond, (req, res) => {
        res
          .set({ 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff' })
          .type('html')
          .send(pageBelowPath(req, PAGE));
      }),
    },
    {
      ...endpoints.program,
      handler: takingNone(respond, (_req, res) => {
        res
          .set({ 'cache-control': 'max-age=3600', 'x-content-type-options': 'nosniff' })
          .type('text/javascript')
          .send((script ??= program()));
      }),
    },
  ];
};
