import * as E from 'fp-ts/Either';

import { BUILD } from '../../build';
import { TEMPLATES } from '../../templates/templates';
import { takingNone } from '../../web/lists/list-query';
import type { Respond } from '../../web/exchange/respond';
import type { Route } from '../../web/routing/route';
import type { CheckReady } from '../../web/routing/web';
import { escaped, sendPage } from '../../web/exchange/html-page';
import { manual } from './manual';
import { manualItems } from './manual-route';

const item = (path: string, text: string): string =>
  `<li><a href="${path}"><code>${path}</code></a> ${text}</li>`;

const page = (health: string): string => `<h1>Grantgraph</h1>
<p>Version ${escaped(BUILD.version)}, commit ${escaped(BUILD.commit)}, rules version ${BUILD.rulesVersion}.
Health: ${escaped(health)}</p>
<h2>For people</h2>
<ul>
${item('/console', 'the console: who can do what, through what, and since when; it asks you to sign in')}
</ul>
<h2>Documentation</h2>
<ul>
${manualItems(manual())}
</ul>
<h2>For analysts</h2>
<ul>
${item('/kit/guide.html', 'the guide; Neo4j Browser plays it: <code>:play &lt;this address&gt;/kit/guide.html</code>')}
${item('/kit/queries.zip', 'saved queries for Neo4j Browser')}
${item('/kit/style.grass', 'its style for the graph')}
</ul>
<h2>For connectors</h2>
<ul>
${item('/docs', 'the API as a page, to read and to try')}
${item('/openapi.json', 'the API description, OpenAPI 3.1')}
${TEMPLATES.map((template) => item(`/schemas/${template}.json`, `JSON Schema of payloads of the template ${template}`)).join('\n')}
</ul>
<h2>For operators</h2>
<ul>
${item('/healthz', 'the process lives')}
${item('/readyz', 'Neo4j answers and has its schema')}
${item('/metrics', 'metrics for Prometheus, with a key')}
</ul>
<p>All else needs a key: <code>authorization: Bearer &lt;key&gt;</code>.</p>`;

/**
 * `/`: the page for people who open the service's address in a browser, without a key (docs/api.md:
 * In a browser).
 */
export const startPage = (respond: Respond, checkReady: CheckReady): Route => ({
  method: 'get',
  path: '/',
  access: 'open',
  summary: 'A page for browsers: what runs here, and where to go on.',
  answer: { mediaTypes: ['text/html'] },
  handler: takingNone(respond, async (_req, res) => {
    const ready = await checkReady()();
    const health = E.isRight(ready) ? 'ready.' : `not ready. ${ready.left.message}`;
    res.set('cache-control', 'no-store');
    sendPage(res, 'Grantgraph', page(health));
  }),
});
