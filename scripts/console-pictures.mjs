// Takes the pictures of the console in docs, from the running demo, in a headless Chromium.
//
// Usage: node scripts/console-pictures.mjs <address of the demo> <key> [folder of the pictures]
import { join } from 'node:path';

import { startChromium } from './chromium.mjs';

const [address, key, folder = 'docs/images'] = process.argv.slice(2);
if (key === undefined) {
  console.error('Usage: node scripts/console-pictures.mjs <address of the demo> <key> [folder]');
  process.exit(2);
}

const browser = await startChromium();

const signedIn = async (options) => {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    ...options,
  });
  const page = await context.newPage();
  await page.goto(`${address}/sign-in`);
  await page.getByLabel('Key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${address}/console`);
  return page;
};

const take = async (page, name) => {
  await page.waitForLoadState();
  const path = join(folder, `console-${name}.png`);
  await page.screenshot({ path });
  console.log(`Saved ${path}.`);
};

const link = (page, name) => page.getByRole('link', { name }).first();

try {
  const page = await signedIn({});
  await page.goto(`${address}/console?q=amara`);
  await take(page, 'find');
  await link(page, 'Amara Nwosu').click();
  await take(page, 'person');
  const person = page.url();
  await link(page, 'why Firmware.motor-control').click();
  const why = page.url();
  await page.locator('h1').getByRole('link', { name: 'motor-control' }).click();
  await take(page, 'resource');
  await page.goto(`${address}/console/changes?list=true`);
  await take(page, 'changes');
  await page.goto(`${address}/console/sources`);
  await take(page, 'sources');
  const dark = await signedIn({ colorScheme: 'dark' });
  await dark.goto(why);
  await link(dark, /^cut the step from Amara Nwosu to Firmware/).click();
  await take(dark, 'why-dark');
  const narrow = await signedIn({ viewport: { width: 390, height: 844 } });
  for (const [name, at] of Object.entries({ person, why })) {
    await narrow.goto(at);
    await take(narrow, `${name}-narrow`);
  }
} finally {
  await browser.close();
}
