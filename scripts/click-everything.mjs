// Opens every link that the demo prints: the sign-in, the interface, its documentation, the guide and
// the picture. Clicks the style, every block of the guide and saved queries in Neo4j Browser. Prints
// what it saw as JSON: {signedIn, start, docs, style, blocks: [{text, records}], queries: [{name,
// records}], picture}. `records` is null where Browser shows no rows.
//
// Usage: node scripts/click-everything.mjs '<links>' <data folder> [folder of pictures]
//
// The links are JSON: what the demo prints, by the words before each link.
import { join } from 'node:path';

import { dropQueries, inNeo4jBrowser } from './neo4j-browser.mjs';

const [given, dataFolder, pictures] = process.argv.slice(2);
if (given === undefined || dataFolder === undefined) {
  console.error("Usage: node scripts/click-everything.mjs '<links>' <data folder> [pictures]");
  process.exit(2);
}
const links = JSON.parse(given);
const kit = new URL('queries.zip', new URL(links.Guide).searchParams.get('arg')).href;

/** Takes a picture, if somebody wants to look at it. */
const take = async (page, name) =>
  pictures === undefined ? undefined : page.screenshot({ path: join(pictures, name) });

const frames = (page) => page.getByTestId('frame');

/** Resolves when the editor holds a text. Browser fills the editor a while after a click. */
const filled = (page) =>
  page.waitForFunction(() =>
    /[a-z]/i.test(document.querySelector('[data-testid=activeEditor]')?.innerText ?? ''),
  );

/** Clicks Run until a new frame opens. A page that is busy can lose a click. */
const openFrame = async (page, before) => {
  for (let tries = 3; ; tries -= 1) {
    await page.getByTestId('editor-Run').click();
    const opened = page.waitForFunction(
      (count) => document.querySelectorAll('[data-testid=frame]').length > count,
      before,
      tries > 1 ? { timeout: 15_000 } : {},
    );
    try {
      return await opened;
    } catch (error) {
      if (tries === 1) throw error;
    }
  }
};

/** Runs the text in the editor. Gives the number of records that the new frame reports. */
const run = async (page, picture) => {
  const before = await frames(page).count();
  await filled(page);
  await openFrame(page, before);
  const newest = frames(page).filter({ hasNotText: ':play ' }).first();
  const told = newest.getByText(/Started streaming \d+ record/);
  const failed = newest.getByText('ERROR', { exact: true });
  const table = newest.getByTestId('cypherFrameSidebarTable');
  await told.or(failed).or(table).first().waitFor();
  if (await table.isVisible()) await table.click();
  await told.or(failed).first().waitFor();
  const [text] = await told.allInnerTexts();
  const records = text === undefined ? null : Number(/streaming (\d+)/.exec(text)[1]);
  if (picture !== undefined) await take(page, picture);
  // Each open frame makes the page slower.
  await newest.getByTitle('Close').first().click();
  await page.waitForFunction(
    (count) => document.querySelectorAll('[data-testid=frame]').length <= count,
    before,
  );
  return records;
};

/** The text in the editor, without the line numbers. */
const textOfEditor = async (page) =>
  (await page.getByTestId('activeEditor').innerText())
    .replaceAll('\u00a0', ' ')
    .replace(/^(\$|\d+)\n/gm, '');

/**
 * Runs the command in the editor. Gives the first rule of the style that Browser has afterwards.
 */
const styleAfter = async (page) => {
  const rule = page.getByText('node.IdpDomain').first();
  await page.getByTestId('editor-Run').click();
  await rule.waitFor();
  const [title] = /node\.\w+/.exec(await rule.innerText());
  await take(page, 'style.png');
  await frames(page).filter({ hasNotText: ':play ' }).first().getByTitle('Close').first().click();
  return title;
};

const clickBlocks = async (page, seen) => {
  const guide = frames(page).filter({ hasText: ':play ' }).first();
  await guide.locator('pre.runnable').first().waitFor();
  await take(page, 'guide.png');
  for (;;) {
    const blocks = guide.locator('.slide:visible pre.runnable, slide:visible pre.runnable');
    const visible = (await blocks.count()) > 0 ? blocks : guide.locator('pre.runnable:visible');
    for (let at = 0; at < (await visible.count()); at += 1) {
      await visible.nth(at).click();
      const text = await textOfEditor(page);
      if (!text.startsWith(':')) seen.blocks.push({ text, records: await run(page) });
      else {
        seen.style = await styleAfter(page);
      }
    }
    const next = guide.getByTestId('nextSlide');
    if ((await next.count()) === 0 || (await next.isDisabled())) return;
    await next.click();
  }
};

/** The saved queries to run; all if unset. */
const wanted =
  process.env.CLICK_QUERIES === undefined ? undefined : JSON.parse(process.env.CLICK_QUERIES);

const namesOf = (all) => all.evaluateAll((each) => each.map((one) => one.dataset.testid));

const openSavedQueries = async (page, seen) => {
  await page.getByTestId('navigationFavorites').click();
  const folders = page.locator('[data-testid^=savedScriptsFolder-]');
  await folders.first().waitFor();
  // Neo4j Browser has example folders of its own.
  const own = await namesOf(folders);
  await dropQueries(page, kit);
  await page.waitForFunction(
    (before) => document.querySelectorAll('[data-testid^=savedScriptsFolder-]').length > before,
    own.length,
  );
  for (const name of await namesOf(folders)) {
    if (!own.includes(name)) await page.getByTestId(name).click();
  }
  const titles = page.locator('[data-testid^=scriptTitle-]');
  await titles.first().waitFor();
  for (let at = 0; at < (await titles.count()); at += 1) {
    const title = titles.nth(at);
    const name = (await title.getAttribute('data-testid')).replace('scriptTitle-', '');
    if (wanted !== undefined && !wanted.includes(name)) continue;
    await title.click();
    seen.push({ name, records: await run(page, `query-${seen.length + 1}.png`) });
  }
};

/** Runs the query behind the link of the picture. Gives how many people it draws. */
const openPicture = async (page) => {
  await page.goto(links.Picture);
  await page.getByTestId('editor-Run').waitFor();
  await filled(page);
  await page.getByTestId('editor-Run').click();
  const drawing = frames(page).first().locator('g.node');
  await drawing.first().waitFor();
  await take(page, 'picture.png');
  return drawing.count();
};

/** Signs in with the link of the demo, and opens the links to the interface. */
const openService = async (page, seen) => {
  await page.goto(links['Sign in']);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(({ pathname }) => pathname === '/console');
  seen.signedIn = await page.getByRole('heading', { level: 1 }).innerText();
  await take(page, 'console.png');
  await page.goto(links.API);
  seen.start = await page.getByRole('link', { name: '/docs' }).count();
  await page.goto(links['API docs']);
  await page.getByText('Who can do what').first().waitFor();
  seen.docs = await page.title();
  await take(page, 'docs.png');
};

const seen = { style: null, blocks: [], queries: [] };
try {
  await inNeo4jBrowser(links.Guide, dataFolder, async (page) => {
    page.setDefaultTimeout(Number(process.env.CLICK_TIMEOUT ?? 60_000));
    await clickBlocks(page, seen);
    await openSavedQueries(page, seen.queries);
    seen.picture = await openPicture(page);
    await openService(page, seen);
  });
} catch (error) {
  process.exitCode = 1;
  console.error(error);
} finally {
  console.log(JSON.stringify(seen));
}
