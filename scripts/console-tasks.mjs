// Carries out tasks of the console in a headless Chromium, by mouse and by keyboard, and looks at
// every page with axe-core, light and dark. Prints what it saw as JSON: {seen, violations, hosts,
// errors}.
//
// Usage: node scripts/console-tasks.mjs <address of the service> <cookie> <its value>
import chromium from '@sparticuz/chromium';
import axe from 'axe-core';
import playwright from 'playwright-core';

const [address, name, value] = process.argv.slice(2);
if (value === undefined) {
  console.error(
    'Usage: node scripts/console-tasks.mjs <address of the service> <cookie> <its value>',
  );
  process.exit(2);
}

const browser = await playwright.chromium.launch({
  executablePath: await chromium.executablePath(),
  headless: true,
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
const result = { seen: {}, violations: [], hosts: new Set(), errors: [] };

/** A page of somebody who has signed in. The policy of pages holds, unless axe must be loaded. */
const signedIn = async (options = {}) => {
  const context = await browser.newContext(options);
  await context.addCookies([{ name, value, url: address }]);
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && result.errors.push(message.text()));
  page.on('pageerror', (error) => result.errors.push(String(error)));
  page.on('request', (request) => result.hosts.add(new URL(request.url()).host));
  await page.goto(`${address}/console`);
  return page;
};

const pathOf = (page) => new URL(page.url()).pathname + new URL(page.url()).search;
const visited = new Set(['/console']);

/** The tasks; `open` follows a link, `find` searches. */
const carryOut = async (page, { open, find }) => {
  const seen = {};
  await find('amara');
  await open(page.getByRole('link', { name: 'Amara Nwosu' }).first());
  await page.getByRole('heading', { level: 1, name: 'Amara Nwosu' }).waitFor();
  seen.person = await page.getByRole('status').innerText();
  visited.add(pathOf(page));
  await open(page.getByRole('link', { name: 'why Firmware.motor-control', exact: true }));
  await page.getByRole('heading', { level: 1, name: 'Through what' }).waitFor();
  seen.why = await page.getByRole('status').innerText();
  visited.add(pathOf(page));
  await open(page.getByRole('link', { name: /^cut the step from Amara Nwosu to Firmware/ }));
  seen.cut = await page.locator('.note strong').innerText();
  visited.add(pathOf(page));
  await open(page.locator('h1').getByRole('link', { name: 'motor-control' }));
  await page.getByRole('heading', { level: 2, name: 'Through which groups' }).waitFor();
  seen.people = await page.getByRole('status').innerText();
  visited.add(pathOf(page));
  await open(page.getByRole('link', { name: /^who would lose it without Engineering/ }));
  seen.losses = await page.locator('.note strong').innerText();
  visited.add(pathOf(page));
  await open(page.getByRole('link', { name: 'Changes', exact: true }));
  await page.getByRole('heading', { level: 1, name: 'Changes' }).waitFor();
  // Pushes that nobody has counted are no answer, so the list is asked for.
  await open(page.getByRole('link', { name: 'List who gained and who lost what' }));
  await page.waitForURL(/list=true/);
  seen.changed = await page.getByRole('status').innerText();
  visited.add(pathOf(page));
  await open(page.getByRole('link', { name: 'Sources', exact: true }));
  await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
  seen.stale = await page.getByRole('status').innerText();
  visited.add(pathOf(page));
  await open(page.getByRole('link', { name: /push [0-9a-f]{8}$/ }).first());
  await page.getByRole('heading', { level: 2, name: /^Push/ }).waitFor();
  seen.warned = await page.locator('td code').first().innerText();
  visited.add(pathOf(page));
  await open(page.getByRole('link', { name: 'Ask', exact: true }));
  await open(page.getByRole('link', { name: 'Credentials that are unused' }));
  await page.getByRole('textbox', { name: 'days' }).fill('30');
  await page.getByRole('textbox', { name: 'days' }).press('Enter');
  await page.getByRole('link', { name: 'All rows as CSV' }).waitFor();
  visited.add(pathOf(page));
  const file = page.waitForEvent('download');
  await open(page.getByRole('link', { name: 'All rows as CSV' }));
  seen.file = (await file).suggestedFilename();
  return seen;
};

const byMouse = (page) => ({
  open: (link) => link.click(),
  find: async (text) => {
    await page.getByRole('searchbox').fill(text);
    await page.getByRole('button', { name: 'Find' }).click();
  },
});

/** Without a mouse: a short cut to the box, Tab to the link, Enter. */
const byKeyboard = (page) => ({
  open: async (link) => {
    await link.waitFor();
    const wanted = await link.evaluateHandle((one) => one);
    const isThere = () => wanted.evaluate((one) => one === document.activeElement);
    for (let most = 400; most > 0 && !(await isThere()); most -= 1)
      await page.keyboard.press('Tab');
    if (!(await isThere())) throw new Error('Tab does not reach the link.');
    await page.keyboard.press('Enter');
    await page.waitForLoadState();
  },
  find: async (text) => {
    // The box of the first page has the focus already.
    await page.goto(`${address}/console/mine`);
    await page.keyboard.press('/');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    await page.waitForLoadState();
  },
});

try {
  const first = await signedIn();
  result.seen.mouse = await carryOut(first, byMouse(first));
  const second = await signedIn();
  result.seen.keyboard = await carryOut(second, byKeyboard(second));
  for (const colorScheme of ['light', 'dark']) {
    // A style that the page does not have would be another page, so only the script of axe is let in.
    const page = await signedIn({ bypassCSP: true, colorScheme });
    for (const path of [
      ...visited,
      '/console?q=amara',
      '/console/ask',
      '/console/mine',
      '/console/people/nobody',
    ]) {
      await page.goto(address + path);
      await page.addScriptTag({ content: axe.source });
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      for (const { id, nodes } of violations) {
        result.violations.push(`${colorScheme} ${path}: ${id} ${nodes[0]?.html.slice(0, 200)}`);
      }
    }
  }
  console.log(JSON.stringify({ ...result, hosts: [...result.hosts] }));
} finally {
  await browser.close();
}
