import * as E from 'fp-ts/Either';

import { BUILD } from '../../build';
import { pathOf } from '../../contract/parameters/path-of';
import { TEMPLATES } from '../../templates/templates';
import { takingNone } from '../../web/lists/list-query';
import type { Respond } from '../../web/exchange/respond';
import type { Route } from '../../web/routing/route';
import type { CheckReady } from '../../web/routing/web';
import { escaped, sendPage } from '../../web/exchange/html-page';
import { endpoints as description } from '../description/endpoints';
import { endpoints as health } from '../health/endpoints';
import { endpoints } from './endpoints';
import { manual } from './manual';
import { manualItems } from './manual-route';

const item = (path: string, text: string): string =>
  `<li><a href="${path}"><code>${path}</code></a> ${text}</li>`;

const page = (state: string): string => `<h1>Grantgraph</h1>
<p>Version ${escaped(BUILD.version)}, commit ${escaped(BUILD.commit)}, rules version ${BUILD.rulesVersion}.
Health: ${escaped(state)}</p>
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
${item(description.guide.path, `the guide; Neo4j Browser plays it: <code>:play &lt;this address&gt;${description.guide.path}</code>`)}
${item(description.queries.path, 'saved queries for Neo4j Browser')}
${item(description.style.path, 'its style for the graph')}
</ul>
<h2>For connectors</h2>
<ul>
${item(description.page.path, 'the API as a page, to read and to try')}
${item(description.description.path, 'the API description, OpenAPI 3.1')}
${TEMPLATES.map((template) => item(pathOf(description.schema, { template }), `JSON Schema of payloads of the template ${template}`)).join('\n')}
</ul>
<h2>For operators</h2>
<ul>
${item(health.health.path, 'the process lives')}
${item(health.readiness.path, 'Neo4j answers and has its schema')}
${item(health.metrics.path, 'metrics for Prometheus, with a key')}
</ul>
<p>All else needs a key: <code>authorization: Bearer &lt;key&gt;</code>.</p>`;

/**
 * `/`: the page for people who open the service's address in a browser, without a key (docs/api.md:
 * In a browser).
 */
export const startPage = (respond: Respond, checkReady: CheckReady): Route => ({
  ...endpoints.start,
  handler: takingNone(respond, async (_req, res) => {
    const ready = await checkReady()();
    const state = E.isRight(ready) ? 'ready.' : `not ready. ${ready.left.message}`;
    res.set('cache-control', 'no-store');
    sendPage(res, 'Grantgraph', page(state));
  }),
});
