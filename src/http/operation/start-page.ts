import * as E from 'fp-ts/Either';

import { BUILD } from '../../build';
import { TEMPLATES } from '../../templates/templates';
import type { Route } from '../routing/route';
import type { CheckReady } from './health-routes';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const item = (path: string, text: string): string =>
  `<li><a href="${path}"><code>${path}</code></a> ${text}</li>`;

const page = (health: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Grantgraph</title>
<style>
body { max-width: 44rem; margin: 3rem auto; padding: 0 1rem; font: 1rem/1.5 sans-serif; color: #222; background: #fff; }
</style>
<h1>Grantgraph</h1>
<p>Version ${escaped(BUILD.version)}, commit ${escaped(BUILD.commit)}, rules version ${BUILD.rulesVersion}.
Health: ${escaped(health)}</p>
<h2>For analysts</h2>
<ul>
${item('/kit/guide.html', 'the guide; Neo4j Browser plays it: <code>:play &lt;this address&gt;/kit/guide.html</code>')}
${item('/kit/queries.zip', 'saved queries for Neo4j Browser')}
${item('/kit/style.grass', 'its style for the graph')}
</ul>
<h2>For connectors</h2>
<ul>
${item('/openapi.json', 'the API description, OpenAPI 3.1')}
${TEMPLATES.map((template) => item(`/schemas/${template}.json`, `JSON Schema of payloads of the template ${template}`)).join('\n')}
</ul>
<h2>For operators</h2>
<ul>
${item('/healthz', 'the process lives')}
${item('/readyz', 'Neo4j answers and has its schema')}
${item('/metrics', 'metrics for Prometheus, with a key')}
</ul>
<p>The documentation comes with the program: <code>README.md</code> and the folder <code>docs</code>.
All else needs a key: <code>authorization: Bearer &lt;key&gt;</code>.</p>
</html>
`;

/** `/`: for whoever opens the service's address in a browser, without a key (README.md, "Endpoints"). */
export const startPage = (checkReady: CheckReady): Route => ({
  method: 'get',
  path: '/',
  access: 'open',
  summary: 'A page for browsers: what runs here, and where to go on.',
  answer: 'page',
  handler: async (_req, res) => {
    const ready = await checkReady()();
    const health = E.isRight(ready) ? 'ready.' : `not ready. ${ready.left.message}`;
    res
      .set({
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
        'cache-control': 'no-store',
      })
      .type('html')
      .send(page(health));
  },
});
