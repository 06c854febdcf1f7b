// Neo4j Browser in a headless Chromium, for the pictures in docs.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import playwright from 'playwright-core';

/**
 * Opens a link of the demo, signs in with the password of its data folder, and runs `work` on the
 * page.
 */
export async function inNeo4jBrowser(link, dataFolder, work) {
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
      // Browser would ask hosts on the internet for news, and needs only this machine. Routes of
      // Playwright would do too, but with them Chromium asks no server what CORS allows.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  });
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    page.setDefaultTimeout(90_000);
    await page.goto(link);
    const password = page.locator('input[type=password]');
    await password.fill(readFileSync(join(dataFolder, 'neo4j-password'), 'utf8').trim());
    await password.press('Enter');
    await page.getByText('You are connected as user').waitFor();
    await work(page);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

/** Drops the archive of saved queries on the editor, as a user drops the file. */
export async function dropQueries(page, address) {
  const transfer = await page.evaluateHandle(async (zipAddress) => {
    const zip = await (await fetch(zipAddress)).blob();
    const dropped = new DataTransfer();
    dropped.items.add(new File([zip], 'queries.zip', { type: 'application/zip' }));
    return dropped;
  }, address);
  for (const event of ['dragenter', 'dragover', 'drop']) {
    await page.dispatchEvent('[data-testid=activeEditor]', event, { dataTransfer: transfer });
    await page.waitForTimeout(500);
  }
}
