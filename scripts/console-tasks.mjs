// Carries out tasks of the console in a headless Chromium, by mouse and by keyboard, and looks at
// every page with axe-core, light and dark. Counts the clicks of the questions of strangers. Prints
// what it saw as JSON: {seen, clicks, sending, violations, hosts, errors, phone, firstRows}.
// `sending` says how often forms with a chosen file were sent. A question has {clicks, seconds}, a
// page the pixel of its first row.
//
// Usage: node scripts/console-tasks.mjs <address of the service> <key> <what to do>
//
// The third is JSON: {firstWeek, pushes: {mouse: {source, file}, keyboard: …, clicks: …, mended: …,
// first}, wrong, pages}. `firstWeek` is an instant, `source` the id of a data source, `file`, `first`
// and `wrong` are files that are pushed, `first` that of a new system, `pages` are paths of further
// pages to look at.
import axe from 'axe-core';

import { startChromium } from './chromium.mjs';

const [address, key, wanted] = process.argv.slice(2);
if (wanted === undefined) {
  console.error(
    'Usage: node scripts/console-tasks.mjs <address of the service> <key> <what to do>',
  );
  process.exit(2);
}
const { firstWeek, pushes, wrong, pages } = JSON.parse(wanted);

const browser = await startChromium();
const result = {
  seen: {},
  clicks: {},
  sending: {},
  violations: [],
  hosts: new Set(),
  errors: [],
  phone: [],
  firstRows: { wide: {}, phone: {} },
};

/** A page of somebody who has not signed in. The policy of pages holds, unless axe must be loaded. */
const newcomer = async (options = {}) => {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && result.errors.push(message.text()));
  page.on('pageerror', (error) => result.errors.push(String(error)));
  page.on('request', (request) => result.hosts.add(new URL(request.url()).host));
  await page.goto(`${address}/console`);
  return page;
};

const pathOf = (page) => new URL(page.url()).pathname + new URL(page.url()).search;
const visited = new Set(['/console']);

/** Signs in by the page to which the service leads. */
const signIn = async (page, { press }) => {
  await page.getByLabel('Sign in with a key').fill(key);
  await press(page.getByRole('button', { name: 'Sign in' }));
  await page.waitForURL((url) => url.pathname === '/console');
};

/** At which pixel the first row of the first table of a page is; `null` if it has no table. */
const firstRow = (page) =>
  page.evaluate(() => {
    const rows = [...document.querySelectorAll('main table tbody tr:has(td)')];
    const first = rows.find((row) => row.checkVisibility());
    return first === undefined ? null : Math.round(first.getBoundingClientRect().top + scrollY);
  });

/** The tasks; `open` follows a link, `press` a button, `find` searches, `choose` chooses a file. */
const carryOut = async (page, { source, file }, hands) => {
  const { open, press, find, write, choose } = hands;
  const seen = {};
  await signIn(page, hands);
  seen.signedIn = await page.locator('.reader bdi').innerText();
  await find('amara');
  await open(page.getByRole('link', { name: 'Amara Nwosu' }).first());
  await page.getByRole('heading', { level: 1, name: /^Amara Nwosu/ }).waitFor();
  seen.person = await page.getByRole('status').innerText();
  visited.add(pathOf(page));
  const now = page.url();
  seen.has = await page.locator('tbody tr').allInnerTexts();
  await write(page.getByLabel('Show it as of'), firstWeek);
  await page.getByRole('link', { name: 'back to now' }).waitFor();
  seen.firstWeek = await page.getByRole('status').innerText();
  seen.had = await page.locator('tbody tr').allInnerTexts();
  visited.add(pathOf(page));
  await open(page.getByRole('link', { name: 'back to now' }));
  await page.waitForURL(now);
  await open(page.getByRole('link', { name: 'why Firmware.motor-control', exact: true }));
  await page.getByRole('heading', { level: 1, name: 'Through what' }).waitFor();
  seen.why = await page.getByRole('status').innerText();
  visited.add(pathOf(page));
  const cut = page.getByRole('link', { name: /^cut the step from Amara Nwosu to Firmware/ });
  await open(cut.first());
  seen.cut = await page.locator('.note strong').innerText();
  visited.add(pathOf(page));
  await open(page.locator('h1').getByRole('link', { name: 'motor-control' }));
  await page.getByRole('heading', { level: 1, name: /^motor-control/ }).waitFor();
  seen.people = await page.getByRole('status').innerText();
  visited.add(pathOf(page));
  await open(page.getByRole('link', { name: /^Through which groups/ }));
  await page.getByRole('heading', { level: 2, name: 'Through which groups' }).waitFor();
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
  const waiting = page.locator('tbody tr').filter({ hasText: 'never' });
  seen.waiting = await waiting.first().innerText();
  visited.add(pathOf(page));
  await open(page.getByRole('link', { name: /push [0-9a-f]{8}$/ }).first());
  await page.getByRole('heading', { level: 2, name: /^Push/ }).waitFor();
  seen.warned = await page.locator('td[data-name="Place"] code').first().innerText();
  visited.add(pathOf(page));
  await open(page.getByRole('link', { name: 'Ask', exact: true }));
  await open(page.getByRole('link', { name: 'Credentials that are unused' }));
  await page.getByRole('textbox', { name: 'days' }).fill('30');
  await page.getByRole('textbox', { name: 'days' }).press('Enter');
  await page.getByRole('link', { name: 'All rows as CSV' }).waitFor();
  visited.add(pathOf(page));
  const download = page.waitForEvent('download');
  await open(page.getByRole('link', { name: 'All rows as CSV' }));
  seen.file = (await download).suggestedFilename();
  await open(page.getByRole('link', { name: 'Sources', exact: true }));
  await open(page.locator(`a[href="/console/sources/${source}"]`));
  await page.getByRole('heading', { level: 2, name: 'Push a file' }).waitFor();
  visited.add(pathOf(page));
  await choose(page.locator('input[type=file]'), file);
  await page.getByRole('heading', { level: 2, name: /^Plan of/ }).waitFor();
  seen.plan = await page.getByRole('status').innerText();
  seen.gains = await page.locator('td[data-name="Would gain"]').allInnerTexts();
  visited.add(pathOf(page));
  // The browser still has the file of the plan.
  await press(page.getByRole('button', { name: 'Push it' }));
  await page.getByRole('heading', { level: 2, name: /^Push [0-9a-f-]{36}$/ }).waitFor();
  visited.add(pathOf(page));
  await page.getByRole('status').filter({ hasText: 'by this push' }).waitFor();
  await open(page.getByRole('link', { name: 'The same in Changes' }));
  await page.getByRole('heading', { level: 1, name: 'Changes' }).waitFor();
  seen.gained = await page.locator('td[data-name="What"] .words').allInnerTexts();
  await press(page.getByRole('button', { name: 'Sign out' }));
  await page.waitForURL((url) => url.pathname === '/sign-in');
  await page.goBack();
  await page.getByLabel('Sign in with a key').waitFor();
  seen.back = await page.locator('main').innerText();
  return seen;
};

/**
 * What strangers ask, each from the overview, or from the page that `from` opens. `click` follows a
 * link or presses a button, `choose` chooses a file, and `ask` sends a sentence; each counts as one
 * click. What somebody writes or marks in a form counts with its button. `sees` waits for the answer.
 */
const questionsOf = (page, { from, click, ask, choose, sees }) => {
  const link = (name) => page.getByRole('link', { name, exact: typeof name === 'string' }).first();
  const button = (name) => page.getByRole('button', { name });
  const chip = (name) => page.locator('.chips a').filter({ hasText: name }).first();
  const hasRows = () => page.locator('tbody th[scope="row"]').first().waitFor();
  const heading = (level, name) => page.getByRole('heading', { level, name }).waitFor();
  const send = async (file, { source } = pushes.clicks) => {
    await page.getByLabel('Data source', { exact: true }).selectOption(source);
    await choose(page.locator('#file'), file);
  };
  const register = async (name, file) => {
    await page.getByLabel('Name of the system').fill(name);
    await page.getByRole('radio', { name: /^Application/ }).check();
    if (file === undefined) await click(button(/^Register it/));
    else await choose(page.locator('#first-file'), file);
  };
  return {
    'what can Amara do': async () => {
      await ask('what can Amara do');
      await sees(/^Amara Nwosu can reach \d+/);
    },
    'who can write motor-control, and who of them no directory knows': async () => {
      await ask('who can write motor-control');
      await sees(/can write/);
      // No HR system is connected here: with one, a chip says who is no employee.
      await click(chip(/guest|nobody/i));
      await hasRows();
    },
    'who gained access this week': async () => {
      await click(link('Changes'));
      const list = link('List who gained and who lost what');
      if ((await list.count()) > 0) await click(list);
      await sees(/gained/);
    },
    'what could Amara do in the first week, and what differs': async () => {
      await ask('what can Amara do');
      await page.getByLabel('Show it as of').fill(firstWeek);
      await click(button('Show').first());
      await page.locator('.note').filter({ hasText: 'differ' }).first().waitFor();
    },
    'who could write motor-control at an instant that is offered': async () => {
      await ask('who can write motor-control');
      // The earliest of these may be older than motor-control.
      const offered = await page.locator('datalist option').first().getAttribute('value');
      await page.getByLabel('Show it as of').fill(offered);
      await click(button('Show').first());
      await link('back to now').waitFor();
    },
    'who would lose what if nobody were in a group': async () => {
      await ask('Firmware Maintainers');
      await click(link('Firmware Maintainers'));
      await click(link('If nobody were in it'));
      await sees(/^If nobody were in it/);
    },
    'who is inactive and has access to Forge': async () => {
      await ask('who has access to Forge');
      await click(chip('inactive'));
      await hasRows();
    },
    'who is privileged on Forge': async () => {
      await ask('who has access to Forge');
      await click(chip('privileged'));
      await hasRows();
    },
    'who can write motor-control, as a file for an auditor': async () => {
      await ask('who can write motor-control');
      const download = page.waitForEvent('download');
      await click(page.getByRole('link', { name: /words|for people/i }).first());
      await download;
    },
    'what is wrong with a file': async () => {
      await click(link('Sources'));
      await send(wrong);
      await page.getByRole('alert').first().waitFor();
    },
    'plan a file, push it, and see who gained what': async () => {
      await click(link('Sources'));
      await send(pushes.clicks.file);
      await heading(2, /^Plan of/);
      await click(button('Push it'));
      await sees(/gained.*by this push/);
    },
    'a mistake in a file, the mended file, its push, and who gained what': async () => {
      await from('/console/sources');
      await send(wrong, pushes.mended);
      await page.getByRole('alert').first().waitFor();
      await choose(page.locator('#file'), pushes.mended.file);
      await heading(2, /^Plan of/);
      await click(button('Push it'));
      await sees(/gained.*by this push/);
    },
    'register a system, and get a key with the lines that push': async () => {
      await click(link('Sources'));
      await register('Wiki of strangers');
      await page.locator('pre').filter({ hasText: 'curl' }).first().waitFor();
    },
    'register a system, push its first file, and see who gained what': async () => {
      await click(link('Sources'));
      await register('Wiki of others', pushes.first);
      await heading(2, /^Plan of/);
      await click(button('Push it'));
      await sees(/gained.*by this push/);
    },
  };
};

/** Asks all questions of strangers, and counts their clicks. */
const countClicks = async () => {
  const page = await newcomer();
  await signIn(page, byMouse(page));
  let clicks = 0;
  const click = async (element) => {
    clicks += 1;
    await element.click();
    await page.waitForLoadState();
  };
  const ask = async (sentence) => {
    clicks += 1;
    // With suggestions the box has another role.
    const box = page.locator('input[name="q"]').first();
    await box.fill(sentence);
    const before = page.url();
    await Promise.all([page.waitForURL((url) => url.href !== before), box.press('Enter')]);
    await page.waitForLoadState();
  };
  const choose = async (field, file) => {
    clicks += 1;
    await byMouse(page).choose(field, file);
  };
  const from = (path) => page.goto(address + path);
  const sees = (text) => page.getByRole('status').filter({ hasText: text }).first().waitFor();
  const questions = Object.entries(questionsOf(page, { from, click, ask, choose, sees }));
  for (const [name, run] of questions) {
    await page.goto(`${address}/console`);
    clicks = 0;
    const since = performance.now();
    try {
      await run();
    } catch (error) {
      throw new Error(`${name}: ${pathOf(page)}: ${error}`);
    }
    result.clicks[name] = { clicks, seconds: (performance.now() - since) / 1_000 };
  }
};

/** What becomes of a chosen file: in a form that lacks something, and beside a second attempt. */
const chooseFiles = async () => {
  const page = await newcomer();
  await signIn(page, byMouse(page));
  const { choose } = byMouse(page);
  let sent = 0;
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route('**/*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    sent += 1;
    await held;
    await route.continue();
  });
  await page.goto(`${address}/console/sources`);
  await choose(page.locator('#file'), wrong);
  // Chromium moves to the field that lacks something, once it has refused to send the form.
  await page.locator('#source:focus').waitFor();
  result.sending.incomplete = sent;
  await page.getByLabel('Data source', { exact: true }).selectOption(pushes.clicks.source);
  await page.getByRole('button', { name: 'Show the plan' }).click();
  await page.getByText('The service reads the file').waitFor();
  await page.locator('form[inert] button').dispatchEvent('click');
  release();
  await page.getByRole('heading', { level: 2, name: 'Nothing was pushed' }).waitFor();
  result.sending.complete = sent;
  // The first answer is no page of the service. The browser then sends the form itself.
  await page.unroute('**/*');
  const ways = [];
  await page.route('**/*', (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const way = route.request().resourceType();
    ways.push(way);
    return way === 'fetch'
      ? route.fulfill({ contentType: 'text/plain', body: 'Please wait' })
      : route.continue();
  });
  await page.goto(`${address}/console/sources`);
  await page.getByLabel('Data source', { exact: true }).selectOption(pushes.clicks.source);
  await choose(page.locator('#file'), wrong);
  await page.getByRole('heading', { level: 2, name: 'Nothing was pushed' }).waitFor();
  result.sending.withoutPage = ways;
};

const byMouse = (page) => ({
  open: (link) => link.click(),
  press: (button) => button.click(),
  write: async (field, text) => {
    await field.fill(text);
    await page.getByRole('button', { name: 'Show' }).first().click();
  },
  choose: async (field, file) => {
    const chooser = page.waitForEvent('filechooser');
    await field.click();
    await (await chooser).setFiles(file);
  },
  find: async (text) => {
    await page.getByRole('searchbox').fill(text);
    await page.getByRole('button', { name: 'Find' }).click();
  },
});

/** Presses Tab until something has the focus. */
const reach = async (page, element) => {
  await element.waitFor();
  const wanted = await element.evaluateHandle((one) => one);
  const isThere = () => wanted.evaluate((one) => one === document.activeElement);
  for (let most = 400; most > 0 && !(await isThere()); most -= 1) await page.keyboard.press('Tab');
  if (!(await isThere())) throw new Error('Tab does not reach it.');
};

const enter = async (page, element) => {
  await reach(page, element);
  await page.keyboard.press('Enter');
  await page.waitForLoadState();
};

/** Without a mouse: a short cut to the box, Tab to the link, Enter. */
const byKeyboard = (page) => ({
  open: (link) => enter(page, link),
  press: (button) => enter(page, button),
  write: async (field, text) => {
    await reach(page, field);
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    await page.waitForLoadState();
  },
  choose: async (field, file) => {
    await reach(page, field);
    const chooser = page.waitForEvent('filechooser');
    await page.keyboard.press('Space');
    await (await chooser).setFiles(file);
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
  const first = await newcomer();
  result.seen.mouse = await carryOut(first, pushes.mouse, byMouse(first));
  const second = await newcomer();
  result.seen.keyboard = await carryOut(second, pushes.keyboard, byKeyboard(second));
  await countClicks();
  await chooseFiles();
  for (const colorScheme of ['light', 'dark']) {
    // A style that the page does not have would be another page, so only the script of axe is let in.
    const page = await newcomer({ bypassCSP: true, colorScheme });
    const look = async (what) => {
      await page.addScriptTag({ content: axe.source });
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      for (const { id, nodes } of violations) {
        result.violations.push(`${colorScheme} ${what}: ${id} ${nodes[0]?.html.slice(0, 200)}`);
      }
    };
    for (const path of ['/sign-in/code?code=x', '/sign-in?to=/console']) {
      await page.goto(address + path);
      await look(path);
    }
    await signIn(page, byMouse(page));
    const { source, file } = pushes.mouse;
    for (const one of [file, wrong]) {
      await page.goto(`${address}/console/sources/${source}/push`);
      await byMouse(page).choose(page.locator('input[type=file]'), one);
      await page.getByRole('heading', { level: 2, name: /^(Plan of|Nothing was)/ }).waitFor();
      await look(`the answer to ${one}`);
    }
    for (const path of [
      ...visited,
      ...pages,
      '/console?q=amara',
      '/console/ask',
      '/console/mine',
      '/console/people/nobody',
    ]) {
      await page.goto(address + path);
      await look(path);
      result.firstRows.wide[path] = await firstRow(page);
    }
    await page.setViewportSize({ width: 390, height: 800 });
    for (const path of Object.keys(result.firstRows.wide)) {
      await page.goto(address + path);
      result.firstRows.phone[path] = await firstRow(page);
    }
    for (const path of [...visited].filter((each) => each.startsWith('/console/why'))) {
      await page.goto(address + path);
      await look(`${path} on a phone`);
      const [width, height, map, cuts] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.scrollHeight,
        document.querySelector('.map')?.offsetHeight,
        document.querySelectorAll('.route a.cut').length,
      ]);
      result.phone.push({ path, width, height, map, cuts });
    }
  }
  console.log(JSON.stringify({ ...result, hosts: [...result.hosts] }));
} finally {
  await browser.close();
}
