/** @more reviews */

import { gzipSync } from 'node:zlib';

import type { Response } from 'supertest';

import { expectPlainPage, HOSTILE } from '../../features/console/page-parts';
import type { Browser } from '../browser-session';
import { signedIn } from './signed-in';
import {
  application,
  directory,
  granted,
  type Item,
  itemOf,
  itemsOf,
  keyOf,
  opened,
  people,
  pushed,
  sent,
  service,
  user,
  useVault,
  vault,
} from './vault';

/*
 * People without a role review in the console: their own items, as themselves (docs/reviews.md: For
 * reviewers).
 */

useVault();

const browserOf = async (name: string): Promise<Browser> =>
  signedIn(service, await keyOf('IdpUser', name));

const reviewPage = (id: string): string => `/console/reviews/${id}`;
const decidePage = (id: string): string => `${reviewPage(id)}/decide`;

const seen = (items: readonly Item[]): string =>
  items.map(({ number, digest }) => `${number}.${digest}`).join(' ');

/** Sends a form of a decision about one item, as the page does. */
const send = async (
  browser: Browser,
  id: string,
  item: Item,
  act: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  browser.post(decidePage(id), {
    form_token: await browser.formToken(),
    act: `${act}.${item.number}`,
    seen: seen([item]),
    ...more,
  });

/** A page without what differs each time. */
const plain = ({ text }: Response): string =>
  text.replace(/Request [0-9a-f]{32}/g, '').replace(/name="form_token" value="[^"]*"/g, '');

/** How many decisions the chain has, after its opening. */
const decisionsOf = async (id: string): Promise<number> => {
  const { body } = (await service.send('get', `/api/v1/reviews/${id}`)) as {
    readonly body: { readonly value: { readonly review: { readonly entries: number } } };
  };
  return body.value.review.entries - 1;
};

const leadsTo = ({ headers }: Response): string =>
  String((headers as Readonly<Record<string, string>>).location);

const alertIn = ({ text }: Response): string => /role="alert">([^<]*)/.exec(text)?.[1] ?? '';

test('somebody without a role sees their own items with the evidence, and no others', async () => {
  const id = await opened();
  const mia = await browserOf('mia');
  const list = await mia.get('/console/reviews');
  expect([list.status, list.text]).toEqual([200, expect.stringContaining(reviewPage(id))]);
  const { status, text } = await mia.get(reviewPage(id));
  expect(status).toBe(200);
  const items = await itemsOf(id);
  const mine = items.filter(({ reviewer }) => reviewer.name === 'mia');
  expect(mine.length).toBeGreaterThan(1);
  for (const { number, reviewer } of items) {
    const isShown = text.includes(`item=${number}"`);
    expect([number, isShown]).toEqual([number, reviewer.name === 'mia']);
  }
  expect(text).toContain('Revoking changes nothing: ');
  expect(text).toContain('You are the manager of &quot;ann&quot;');
  expect(text).toMatch(/from <bdi[^>]*>[^<]+<\/bdi>/);
  expect(text).not.toContain('lee');
  expectPlainPage(text);
});

test('to others a review and its items do not exist', async () => {
  const id = await opened();
  const lees = itemOf(await itemsOf(id), 'lee', 'read');
  const ben = await browserOf('ben');
  expect((await ben.get('/console/reviews')).text).toContain('No open review has an item for you.');
  const other = '00000000-0000-4000-8000-000000000000';
  for (const page of [reviewPage, (each: string) => `${decidePage(each)}?item=1`]) {
    const [known, unknown] = [await ben.get(page(id)), await ben.get(page(other))];
    expect([known.status, plain(known)]).toEqual([404, plain(unknown)]);
  }
  const mia = await browserOf('mia');
  const theirs = await mia.get(`${decidePage(id)}?item=${lees.number}`);
  const none = await mia.get(`${decidePage(id)}?item=99999`);
  expect([theirs.status, plain(theirs)]).toEqual([404, plain(none)]);
  const kept = await send(mia, id, lees, 'keep');
  const nothing = await send(mia, id, { ...lees, number: 99_999 }, 'keep');
  expect([kept.status, plain(kept)]).toEqual([404, plain(nothing)]);
  expect(itemOf(await itemsOf(id), 'lee', 'read').state).toBe('pending');
  const nobody = await signedIn(service, null);
  expect((await nobody.get('/console/reviews')).text).toContain('certainly you');
  expect((await nobody.get(reviewPage(id))).status).toBe(404);
});

test('a keep is of the person who has signed in, once, also if they click twice', async () => {
  const id = await opened();
  const item = itemOf(await itemsOf(id), 'ben', 'read');
  const mia = await browserOf('mia');
  const both = await Promise.all([send(mia, id, item, 'keep'), send(mia, id, item, 'keep')]);
  expect(both.map(({ status }) => status)).toEqual([303, 303]);
  expect(both.map(leadsTo)).toEqual(both.map(() => `${reviewPage(id)}?after=${item.number}#next`));
  expect(await decisionsOf(id)).toBe(1);
  await send(mia, id, item, 'keep');
  expect(await decisionsOf(id)).toBe(1);
  const { decided_by, state } = itemOf(await itemsOf(id), 'ben', 'read') as Item & {
    readonly decided_by: { readonly name: string };
  };
  expect([state, decided_by.name]).toEqual(['keep', 'mia']);
  const next = await mia.get(`${reviewPage(id)}?after=${item.number}`);
  expect(next.text).toContain('id="next"');
  expect(next.text).toMatch(/role="status">[^]*kept/);
});

test('a revoke shows who loses what before it counts', async () => {
  const id = await opened();
  const items = await itemsOf(id);
  const mia = await browserOf('mia');
  const bens = itemOf(items, 'ben', 'read');
  const asked = await send(mia, id, bens, 'revoke');
  const page = leadsTo(asked);
  expect([asked.status, page]).toEqual([303, `${decidePage(id)}?item=${bens.number}&act=revoke`]);
  expect(itemOf(await itemsOf(id), 'ben', 'read').state).toBe('pending');
  const { text } = await mia.get(page);
  expect(text).toMatch(/ben<\/bdi>[^]*loses<\/b> <bdi[^>]*>read<\/bdi>/);
  // Ann may read without the team too.
  const anns = itemOf(items, 'ann', 'group "team"');
  const nothing = await mia.get(`${decidePage(id)}?item=${anns.number}&act=revoke`);
  expect(nothing.text).toContain('A revoke changes nothing now.');
  const done = await send(mia, id, bens, 'revoke', { reason: 'left the project' });
  expect(done.status).toBe(303);
  expect(itemOf(await itemsOf(id), 'ben', 'read')).toMatchObject({
    state: 'revoke',
    reason: 'left the project',
    remediation: { state: 'ordered' },
  });
  await pushed(vault, application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] }));
  const gone = await mia.get(`${decidePage(id)}?item=${bens.number}`);
  expect(gone.text).toContain('The source has removed it already.');
});

test('what the rules refuse is a sentence on the page, and changes nothing', async () => {
  const id = await opened();
  const items = await itemsOf(id);
  const olga = await browserOf('olga');
  const mias = itemOf(items, 'mia', 'administer');
  const noReason = await send(olga, id, mias, 'keep');
  expect([noReason.status, alertIn(noReason)]).toEqual([
    400,
    `Item ${mias.number} is privileged, new or nobody's: a keep needs a reason.`,
  ]);
  expect((await send(olga, id, mias, 'keep', { reason: 'on duty' })).status).toBe(303);
  const mia = await browserOf('mia');
  const bens = itemOf(items, 'ben', 'read');
  const old = await send(mia, id, bens, 'keep', { seen: `${bens.number}.another` });
  expect([old.status, alertIn(old)]).toEqual([409, expect.stringContaining('its digest differs')]);
  const form_token = await mia.formToken();
  const [read, team] = [itemOf(items, 'ann', 'permission'), itemOf(items, 'ann', 'group')];
  const two = await mia.post(decidePage(id), {
    form_token,
    act: `keep.${read.number}.${team.number}`,
    seen: `${read.number}.${read.digest}`,
  });
  expect([two.status, alertIn(two)]).toEqual([
    400,
    'Items that are kept at once must be of one entitlement.',
  ]);
  const none = await mia.post(decidePage(id), { form_token, act: 'keep' });
  expect([none.status, alertIn(none)]).toEqual([400, expect.stringContaining('Mark one item')]);
  expect((await mia.post(decidePage(id), { form_token: '', act: 'keep' })).status).toBe(403);
  expect(itemOf(await itemsOf(id), 'ben', 'read').state).toBe('pending');
  await sent(`/${id}:cancel`, { reason: 'wrong scope' });
  const late = await send(mia, id, bens, 'keep');
  expect([late.status, alertIn(late)]).toEqual([409, 'The review is cancelled.']);
});

test('an item that somebody gives away is no longer theirs', async () => {
  const id = await opened();
  const item = itemOf(await itemsOf(id), 'ben', 'read');
  const mia = await browserOf('mia');
  const asked = await send(mia, id, item, 'reassign');
  expect((await mia.get(leadsTo(asked))).text).toContain('who reviews what nobody else may');
  const given = await send(mia, id, item, 'reassign', { to: 'fallback', reason: 'not my team' });
  expect(given.status).toBe(303);
  expect((await mia.get(leadsTo(given).replace(/#.*/, ''))).status).toBe(200);
  expect((await mia.get(`${decidePage(id)}?item=${item.number}`)).status).toBe(404);
  const fay = await browserOf('fay');
  expect((await fay.get(`${decidePage(id)}?item=${item.number}`)).text).toContain(
    'Somebody gave this item to you.',
  );
});

/** Opens a review in which 60 people may read, all items of Fay. */
const opened60 = async (): Promise<string> => {
  const names = Array.from(
    { length: 60 },
    (_, at) => `user ${at} ${HOSTILE[at % HOSTILE.length]?.slice(0, 60)}`,
  );
  await pushed(people, directory(names.map((_, at) => user(`user${at}`))));
  const { applications, ...rest } = application({}) as {
    readonly applications: readonly object[];
  };
  const local_users = names.map((name, at) => ({ name, identities: [`user${at}`] }));
  await pushed(vault, {
    ...rest,
    applications: applications.map((each) => ({ ...each, local_users })),
    identity_to_permissions: names.map((name) => granted(name, 'read', 'local_user')),
  });
  return opened();
};

test('20 holders of one entitlement are kept at once, and a page has its budget', async () => {
  const id = await opened60();
  const fay = await browserOf('fay');
  const { text } = await fay.get(reviewPage(id));
  expectPlainPage(text);
  expect(gzipSync(text).length).toBeLessThanOrEqual(60 * 1024);
  const form_token = await fay.formToken();
  const act = /value="(keep\.[\d.]+)" class="quieter"/.exec(text)?.[1] ?? '';
  expect(act.split('.')).toHaveLength(21);
  const all = await itemsOf(id);
  const marked = act.split('.').slice(1).map(Number);
  const shown = all.filter(({ number }) => marked.includes(number));
  const kept = await fay.post(decidePage(id), {
    form_token,
    act,
    seen: shown.map(({ number, digest }) => `${number}.${digest}`) as unknown as string,
  });
  expect([kept.status, kept.text]).toEqual([303, expect.any(String)]);
  expect(await decisionsOf(id)).toBe(20);
  expect((await fay.get(reviewPage(id))).text).toContain('20 of 60');
});

/** The numbers of the items that a page lists, in its order. */
const rowsIn = (text: string): readonly number[] =>
  [...text.matchAll(/<tr id="item-(\d+)"/g)].map(([, number]) => Number(number));

/** Keeps the item with a number. */
const keptBy = async (browser: Browser, id: string, wanted: number): Promise<Response> => {
  const items = await itemsOf(id, '?page_size=100');
  const item = items.find(({ number }) => number === wanted) as Item;
  return send(browser, id, item, 'keep', { reason: 'on duty' });
};

test('who comes back from the evidence finds the row, on each page and in each view', async () => {
  const id = await opened60();
  const fay = await browserOf('fay');
  /** The list to which the evidence of an item leads back: its rows, and what it is narrowed to. */
  const backFrom = async (number: number): Promise<readonly [readonly number[], string]> => {
    const { text } = await fay.get(`${decidePage(id)}?item=${number}`);
    const [, href = '', row] = /<a href="([^"#]*)#([^"]*)">Back to the list/.exec(text) ?? [];
    expect(row).toBe(`item-${number}`);
    const list = (await fay.get(href)).text;
    return [rowsIn(list), /aria-current="true">([\w ]+?) </.exec(list)?.[1] ?? ''];
  };
  for (const [page, rows] of [25, 25, 10].entries()) {
    const shown = rowsIn((await fay.get(`${reviewPage(id)}?page=${page + 1}`)).text);
    expect(shown).toHaveLength(rows);
    for (const number of [shown[0], shown.at(-1)])
      expect(await backFrom(number ?? 0)).toEqual([shown, 'to decide']);
  }
  // A decision on the second page leads on there, and the decided item is found with those.
  const [decided = 0, next = 0] = rowsIn((await fay.get(`${reviewPage(id)}?page=2`)).text);
  const kept = await keptBy(fay, id, decided);
  const { text } = await fay.get(leadsTo(kept).replace(/#.*/, ''));
  expect(rowsIn(text)[0]).toBe(next);
  expect(/href="[^"]*item=(\d+)" id="next"/.exec(text)?.[1]).toBe(String(next));
  expect(await backFrom(decided)).toEqual([[decided], 'decided']);
});

// Before, who gave an item away began at the first page again.
test('who gives an item away goes on with the next row, on its page', async () => {
  const id = await opened60();
  const fay = await browserOf('fay');
  const goesOn = async (number: number): Promise<readonly [readonly number[], string]> => {
    const item = (await itemsOf(id, '?page_size=100')).find((each) => each.number === number);
    const more = { to: 'owner', reason: 'not my team' };
    const given = await send(fay, id, item as Item, 'reassign', more);
    const [href = '', row = ''] = leadsTo(given).split('#');
    return [rowsIn((await fay.get(href)).text), row];
  };
  const second = rowsIn((await fay.get(`${reviewPage(id)}?page=2`)).text);
  const third = rowsIn((await fay.get(`${reviewPage(id)}?page=3`)).text);
  const [given = 0, next] = second;
  const shifted = [...second.slice(1), third[0]];
  expect(await goesOn(given)).toEqual([shifted, `item-${next}`]);
  // After the last item of the page the first of the page behind it is next, and after all the first.
  expect(await goesOn(shifted.at(-1) ?? 0)).toEqual([
    [...second.slice(1), third[1]],
    `item-${third[1]}`,
  ]);
  const first = rowsIn((await fay.get(reviewPage(id))).text);
  expect(await goesOn(third.at(-1) ?? 0)).toEqual([first, `item-${first[0]}`]);
});

test('after the last item the first one is next', async () => {
  const id = await opened60();
  const fay = await browserOf('fay');
  const last = rowsIn((await fay.get(`${reviewPage(id)}?page=3`)).text).at(-1) ?? 0;
  const first = rowsIn((await fay.get(reviewPage(id))).text);
  const after = await fay.get(leadsTo(await keptBy(fay, id, last)).replace(/#.*/, ''));
  expect(rowsIn(after.text)).toEqual(first);
});
