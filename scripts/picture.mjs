// Takes the picture in README: opens the link that the demo prints, signs in, runs the query that stands ready, and
// saves what Neo4j Browser draws.
//   node scripts/picture.mjs '<link>' [data folder] [file]
import { inNeo4jBrowser } from './neo4j-browser.mjs';

const [link, dataFolder = 'data', file = 'docs/images/neo4j-browser.png'] = process.argv.slice(2);
if (link === undefined) {
  console.error("Usage: node scripts/picture.mjs '<link>' [data folder] [file]");
  process.exit(2);
}

await inNeo4jBrowser(link, dataFolder, async (page) => {
  await page.getByTestId('editor-Run').click();
  await page.locator('g.node').first().waitFor();
  await page.getByTitle('Fullscreen', { exact: true }).first().click();
  // The drawing moves until its forces are even.
  await page.waitForTimeout(8_000);
  await page.getByTitle('Collapse the node properties display').click();
  await page.getByLabel('zoom-to-fit').click();
  await page.mouse.move(0, 0);
  await page.waitForTimeout(2_000);
  await page.screenshot({ path: file });
  console.log(`Saved ${file}.`);
});
