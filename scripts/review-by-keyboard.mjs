// Decides about all items of a review by keyboard in a headless Chromium, and looks at its pages with
// axe-core, light and dark. Prints what it saw as JSON: {kept, revoked, keys, seconds, returned,
// violations, errors, wide, firstRows}; `returned`: the row that it left for the evidence, and that of
// its return; `firstRows`: by page and width the pixel at which the first row of a table is, or a
// note, or the form.
//
// Usage: node scripts/review-by-keyboard.mjs <address of the service> <cookie> <path> <further> [<folder>]
//
// The cookie is `name=value`, `path` that of the reviewer's page. `further` is JSON: {cookie, paths} of
// other pages to look at. With a folder it stores pictures there.
import axe from 'axe-core';

import { startChromium } from './chromium.mjs';

const [address, cookie, path, wanted, folder] = process.argv.slice(2);
if (wanted === undefined) {
  console.error(
    'Usage: node scripts/review-by-keyboard.mjs <address> <cookie> <path> <further> [<folder>]',
  );
  process.exit(2);
}
const further = JSON.parse(wanted);

const browser = await startChromium();
const result = {
  kept: 0,
  revoked: 0,
  keys: 0,
  seconds: 0,
  returned: [],
  violations: [],
  errors: [],
  wide: [],
  firstRows: {},
};

const newPage = async (options = {}, as = cookie) => {
  const [name, value] = as.split('=');
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  await context.addCookies([{ name, value, url: address }]);
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && result.errors.push(message.text()));
  page.on('pageerror', (error) => result.errors.push(String(error)));
  return page;
};

const shoot = async (page, what) => {
  if (folder !== undefined)
    await page.screenshot({ path: `${folder}/${what}.png`, fullPage: true });
};

/** Looks at pages of somebody, each with a name of its own. */
const look = async (colorScheme, width, as, pagesOf) => {
  const page = await newPage(
    { bypassCSP: true, colorScheme, viewport: { width, height: 900 } },
    as,
  );
  for (const [what, to] of await pagesOf(page)) {
    await page.goto(address + to);
    await page.addScriptTag({ content: axe.source });
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    for (const { id, nodes } of violations) {
      result.violations.push(`${colorScheme} ${what}: ${id} ${nodes[0]?.html.slice(0, 200)}`);
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) result.wide.push(`${what} ${width}: ${wide}`);
    const first = page.locator('main tbody tr:has(td), main .note, main form').first();
    if ((await first.count()) > 0) {
      result.firstRows[`${what} ${width}`] = await first.evaluate((one) =>
        Math.round(one.getBoundingClientRect().top + scrollY),
      );
    }
    await shoot(page, `${what}-${width}-${colorScheme}`);
  }
  await page.context().close();
};

/** The list, an item, and the question of a revoke. */
const ofReviewer = async (page) => {
  await page.goto(address + path);
  const item = await page.locator('tbody th[scope=row] a').first().getAttribute('href');
  return Object.entries({
    reviews: '/console/reviews',
    items: path,
    item,
    revoke: `${item}&act=revoke`,
  });
};

const LOOKS = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
];

try {
  for (const [colorScheme, width] of LOOKS) await look(colorScheme, width, cookie, ofReviewer);
  const page = await newPage();
  const press = async (key) => {
    result.keys += 1;
    await page.keyboard.press(key);
  };
  /** Presses a key that leads to another page. */
  const lead = async (key) => {
    const loaded = page.waitForEvent('load');
    await press(key);
    await loaded;
  };
  await page.goto(address + path);
  // Who looks at the evidence of the second row comes back to it.
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  const rowOf = () => page.evaluate(() => document.activeElement.closest('tr')?.id ?? '');
  const left = await rowOf();
  const opened = page.waitForEvent('load');
  await page.keyboard.press('Enter');
  await opened;
  await page.getByText('Back to the list').focus();
  const back = page.waitForEvent('load');
  await page.keyboard.press('Enter');
  await back;
  result.returned = [left, await rowOf()];
  await page.goto(address + path);
  await press('j');
  const begun = performance.now();
  while ((await page.locator('[data-press=n]').count()) > 0) {
    // Every tenth is revoked.
    const isRevoked = (result.kept + result.revoked) % 10 === 9;
    await lead(isRevoked ? 'n' : 'y');
    if (new URL(page.url()).pathname.endsWith('/decide')) {
      await page.locator('[name=reason]:focus').waitFor();
      await page.keyboard.type('not needed any more');
      result.keys += 'not needed any more'.length;
      await lead('Enter');
    }
    result[isRevoked ? 'revoked' : 'kept'] += 1;
    if (result.kept + result.revoked > 500) throw new Error(`nothing is decided: ${page.url()}`);
  }
  result.seconds = (performance.now() - begun) / 1000;
  await shoot(page, 'done-1280-light');
  for (const [colorScheme, width] of LOOKS) {
    await look(colorScheme, width, further.cookie, () => Object.entries(further.paths));
  }
} finally {
  await browser.close();
}
console.log(JSON.stringify(result));
