// Takes the pictures of the analyst's kit: opens the link "Guide" that the demo prints, takes the style, runs the guide's picture, and imports the saved
// queries.
//   node scripts/guide-picture.mjs '<link>' [data folder] [file of the guide] [file of the saved queries]
import { inNeo4jBrowser } from './neo4j-browser.mjs';

const [
  link,
  dataFolder = 'data',
  guideFile = 'docs/images/guide.png',
  queriesFile = 'docs/images/saved-queries.png',
] = process.argv.slice(2);
if (link === undefined) {
  console.error("Usage: node scripts/guide-picture.mjs '<link>' [data folder] [file] [file]");
  process.exit(2);
}
const kit = new URL('queries.zip', new URL(link).searchParams.get('arg')).href;

await inNeo4jBrowser(link, dataFolder, async (page) => {
  const frame = (text) => page.getByTestId('frame').filter({ hasText: text });
  const guide = frame(':play ');
  const runFromGuide = async () => {
    await guide.locator('pre.runnable').first().click();
    await page.getByTestId('editor-Run').click();
  };
  await guide.locator('pre.runnable').first().waitFor();
  await runFromGuide();
  await page.getByText('node.IdpDomain').first().waitFor();
  for (const left of [':style ', ':server connect']) {
    await frame(left).getByTitle('Close').first().click();
  }
  await guide.getByTestId('nextSlide').click();
  await runFromGuide();
  await page.locator('g.node').first().waitFor();
  // The drawing moves until its forces are even.
  await page.waitForTimeout(8_000);
  await page.getByTitle('Collapse the node properties display').click();
  await guide.getByTitle('Pin at top').click();
  await page.getByLabel('zoom-to-fit').click();
  await page.mouse.move(0, 0);
  await page.waitForTimeout(2_000);
  await page.screenshot({ path: guideFile });

  await page.getByTestId('navigationFavorites').click();
  const transfer = await page.evaluateHandle(async (address) => {
    const zip = await (await fetch(address)).blob();
    const dropped = new DataTransfer();
    dropped.items.add(new File([zip], 'queries.zip', { type: 'application/zip' }));
    return dropped;
  }, kit);
  for (const event of ['dragenter', 'dragover', 'drop']) {
    await page.dispatchEvent('[data-testid=activeEditor]', event, { dataTransfer: transfer });
    await page.waitForTimeout(500);
  }
  await page.getByText('access', { exact: true }).click();
  await page.waitForTimeout(1_000);
  await page.screenshot({ path: queriesFile });
});
console.log(`Saved ${guideFile} and ${queriesFile}.`);
