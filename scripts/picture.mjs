// Takes the picture in README: opens the link that the demo prints, signs in, runs the query that stands ready, and
// saves what Neo4j Browser draws.
//   node scripts/picture.mjs '<link>' [data folder] [file]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import playwright from 'playwright-core';

const [link, dataFolder = 'data', file = 'docs/images/neo4j-browser.png'] = process.argv.slice(2);
if (link === undefined) {
  console.error("Usage: node scripts/picture.mjs '<link>' [data folder] [file]");
  process.exit(2);
}

const profile = mkdtempSync(join(tmpdir(), 'grantgraph-picture-'));
const context = await playwright.chromium.launchPersistentContext(profile, {
  executablePath: await chromium.executablePath(),
  headless: true,
  viewport: { width: 1600, height: 1000 },
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
try {
  // It would ask outside hosts for news; the picture needs this machine alone.
  await context.route(
    ({ hostname }) => hostname !== '127.0.0.1',
    (route) => route.abort(),
  );
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(90_000);
  await page.goto(link);
  const password = page.locator('input[type=password]');
  await password.fill(readFileSync(join(dataFolder, 'neo4j-password'), 'utf8').trim());
  await password.press('Enter');
  await page.getByText('You are connected as user').waitFor();
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
} finally {
  await context.close();
  rmSync(profile, { recursive: true, force: true });
}
