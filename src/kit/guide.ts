import { savedQueries } from './saved-queries';
import type { SavedQuery } from './saved-query';
import { slides } from './slides';
import { withValues } from './values';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const queryNamed = (name: string): SavedQuery => {
  const found = savedQueries().find((query) => query.name === name);
  if (found === undefined) throw new Error(`The guide names no query: ${name}`);
  return found;
};

/** A block that a click copies into the editor of Neo4j Browser. */
const runnable = (text: string): string =>
  `<figure><pre class="pre-scrollable code runnable">${escaped(text)}</pre></figure>`;

/**
 * A saved query with its values, as a block of one statement, since Neo4j Browser shows no rows of
 * several statements.
 */
const saved = (name: string): string => {
  const query = queryNamed(name);
  return runnable(`// ${query.title}\n${withValues(query)}`);
};

/**
 * The guide for Neo4j Browser that leads through the demo's graph. `address` is that of the
 * service, without a path.
 */
export const guide = (address: string): string => {
  const pages = slides(escaped(address)).map(
    ({ title, text, queries }) => `<slide class="row-fluid">
<div class="col-sm-12">
<h3>${title}</h3>
${text.map((paragraph) => `<p>${paragraph}</p>`).join('\n')}
${queries.map((query) => ('name' in query ? saved(query.name) : runnable(query.text))).join('\n')}
</div>
</slide>`,
  );
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Grantgraph: who can do what</title></head>
<body>
<article class="guide">
<carousel class="deck container-fluid">
${pages.join('\n')}
</carousel>
</article>
</body>
</html>
`;
};
