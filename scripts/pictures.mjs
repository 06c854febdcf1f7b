// Takes the pictures in docs. It opens the link "Guide" that the demo prints, takes over the style,
// runs the picture of the guide and imports the saved queries. Then it runs the query behind the
// link "Picture" in that style, and a saved query about what ended.
//
// Usage: node scripts/pictures.mjs '<link of the guide>' '<link of the picture>' [data folder]
// [folder of the pictures]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { dropQueries, inNeo4jBrowser } from './neo4j-browser.mjs';

const [guideLink, queryLink, dataFolder = 'data', folder = 'docs/images'] = process.argv.slice(2);
if (guideLink === undefined || queryLink === undefined) {
  console.error("Usage: node scripts/pictures.mjs '<guide>' '<picture>' [data] [folder]");
  process.exit(2);
}
const kit = new URL('queries.zip', new URL(guideLink).searchParams.get('arg')).href;

/** Waits until the drawing no longer moves. */
const settled = async (page) => {
  await page.locator('g.node').first().waitFor();
  await page.waitForTimeout(8_000);
  await page.getByTitle('Collapse the node properties display').click();
};

const take = async (page, name) => {
  await page.mouse.move(0, 0);
  await page.waitForTimeout(2_000);
  const path = join(folder, name);
  await page.screenshot({ path });
  console.log(`Saved ${path}.`);
};

const run = (page) => page.getByTestId('editor-Run').click();

const takeGuide = async (page) => {
  const frame = (text) => page.getByTestId('frame').filter({ hasText: text });
  const guide = frame(':play ');
  const runFromGuide = async () => {
    await guide.locator('pre.runnable').first().click();
    await run(page);
  };
  await guide.locator('pre.runnable').first().waitFor();
  await runFromGuide();
  await page.getByText('node.IdpDomain').first().waitFor();
  for (const left of [':style ', ':server connect']) {
    await frame(left).getByTitle('Close').first().click();
  }
  await guide.getByTestId('nextSlide').click();
  await runFromGuide();
  await settled(page);
  await guide.getByTitle('Pin at top').click();
  await page.getByLabel('zoom-to-fit').click();
  await take(page, 'guide.png');
};

const takeSavedQueries = async (page) => {
  await page.getByTestId('navigationFavorites').click();
  await dropQueries(page, kit);
  await page.getByText('access', { exact: true }).click();
  await take(page, 'saved-queries.png');
};

const takeQuery = async (page) => {
  await page.goto(queryLink);
  await page.getByTestId('editor-Run').waitFor();
  await run(page);
  await page.locator('g.node').first().waitFor();
  await page.getByTitle('Fullscreen', { exact: true }).first().click();
  await settled(page);
  await page.getByLabel('zoom-to-fit').click();
  await take(page, 'neo4j-browser.png');
};

const takeHistory = async (page) => {
  const query = readFileSync('cypher/queries/history/access-that-ended-lately.cypher', 'utf8');
  const link = new URL(queryLink);
  link.searchParams.set('arg', query.replaceAll('$since', "datetime() - duration('P60D')"));
  await page.goto(link.href);
  await page.getByTestId('editor-Run').waitFor();
  await run(page);
  await page.getByText('was a member of').first().waitFor();
  await page.getByTitle('Fullscreen', { exact: true }).first().click();
  await take(page, 'history.png');
};

await inNeo4jBrowser(guideLink, dataFolder, async (page) => {
  await takeGuide(page);
  await takeSavedQueries(page);
  await takeQuery(page);
  await takeHistory(page);
});
