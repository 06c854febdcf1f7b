// Opens the page of the interface in a headless Chromium that reaches no other host. Prints what it
// saw as JSON: {hosts, errors, violations, grounds}; `violations` are what axe-core finds in its frame, and
// `grounds` the backgrounds of the page and of its viewer, both in the light and in the dark.
//
// Usage: node scripts/open-api-page.mjs <address of the page> <text to wait for>
import axe from 'axe-core';

import { startChromium } from './chromium.mjs';

const [address, text] = process.argv.slice(2);
if (address === undefined || text === undefined) {
  console.error('Usage: node scripts/open-api-page.mjs <address of the page> <text to wait for>');
  process.exit(2);
}

const browser = await startChromium();
const [hosts, errors] = [new Set(), []];

const opened = async (options) => {
  const page = await (await browser.newContext(options)).newPage();
  await page.route('**', (route) => {
    const { host } = new URL(route.request().url());
    hosts.add(host);
    return host === new URL(address).host ? route.continue() : route.abort();
  });
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(address);
  return page;
};

const groundsOf = (page) =>
  page.evaluate(() =>
    ['html', 'rapi-doc'].map(
      (name) => getComputedStyle(document.querySelector(name)).backgroundColor,
    ),
  );

try {
  // The policy of the page holds.
  const page = await opened({});
  await page.getByText(text).first().waitFor();
  const light = await groundsOf(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await groundsOf(page);
  await page.close();
  // Axe needs minutes for all that the viewer shows, so it looks at the frame.
  const framed = await opened({ bypassCSP: true });
  await framed.addScriptTag({ content: axe.source });
  const found = await framed.evaluate(() => globalThis.axe.run({ exclude: ['rapi-doc'] }));
  console.log(
    JSON.stringify({
      hosts: [...hosts],
      errors,
      violations: found.violations.map(({ id }) => id),
      grounds: { light, dark },
    }),
  );
} finally {
  await browser.close();
}
