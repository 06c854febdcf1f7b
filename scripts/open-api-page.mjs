// Opens the page of the interface in a headless Chromium that reaches no other host. Prints what it
// saw as JSON: {hosts, errors}.
//
// Usage: node scripts/open-api-page.mjs <address of the page> <text to wait for>
import { startChromium } from './chromium.mjs';

const [address, text] = process.argv.slice(2);
if (address === undefined || text === undefined) {
  console.error('Usage: node scripts/open-api-page.mjs <address of the page> <text to wait for>');
  process.exit(2);
}

const browser = await startChromium();
try {
  const page = await (await browser.newContext()).newPage();
  const [hosts, errors] = [new Set(), []];
  await page.route('**', (route) => {
    const { host } = new URL(route.request().url());
    hosts.add(host);
    return host === new URL(address).host ? route.continue() : route.abort();
  });
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(address);
  await page.getByText(text).first().waitFor();
  console.log(JSON.stringify({ hosts: [...hosts], errors }));
} finally {
  await browser.close();
}
