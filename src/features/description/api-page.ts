import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { pageBelowPath } from '../../web/exchange/below-path';
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

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Grantgraph: the HTTP interface</title>
<script type="module" src="/docs/rapidoc.js"></script>
<rapi-doc spec-url="/openapi.json" load-fonts="false" render-style="read" theme="light"
  show-header="false" allow-server-selection="false" allow-spec-url-load="false"
  allow-spec-file-load="false" persist-auth="false" schema-style="table"></rapi-doc>
</html>
`;

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
