/** @more reviews */
import type { Response } from 'supertest';

import {
  COUNT_BY_REVIEWER,
  COUNT_MARKED,
  READ_PACE,
} from '../../../src/features/reviews/stored/statements';
import { LATEST, runTransaction } from '../../../src/neo4j/transaction';
import { expectPlainPage } from '../../features/console/page-parts';
import type { Browser } from '../browser-session';
import { signedIn } from './signed-in';
import {
  application,
  close,
  created,
  decideAll,
  decision,
  followed,
  itemOf,
  itemsOf,
  keyOf,
  opened,
  people,
  pushed,
  sent,
  service,
  useVault,
  vault,
} from './vault';

/*
 * The pages of a review for its owner, administrators and auditors (docs/reviews.md: For owners).
 */

useVault();

const browserOf = async (name: string): Promise<Browser> =>
  signedIn(service, await keyOf('IdpUser', name));

const at = (id: string, page: string): string => `/console/reviews/${id}/${page}`;
const PAGES = ['progress', 'items', 'plan', 'verified', 'evidence'] as const;

const plain = ({ text }: Response): string =>
  text.replace(/Request [0-9a-f]{32}/g, '').replace(/name="form_token" value="[^"]*"/g, '');

const alertIn = ({ text }: Response): string => /role="alert">([^<]*)/.exec(text)?.[1] ?? '';

const leadsTo = ({ headers }: Response): string =>
  String((headers as Readonly<Record<string, string>>).location);

const post = async (
  browser: Browser,
  path: string,
  fields: Parameters<Browser['post']>[1],
): Promise<Response> => browser.post(path, { form_token: await browser.formToken(), ...fields });

const stateOf = async (id: string): Promise<string> => {
  const { body } = (await service.send('get', `/api/v1/reviews/${id}`)) as {
    readonly body: { readonly value: { readonly review: { readonly state: string } } };
  };
  return body.value.review.state;
};

test('the owner, administrators and auditors see a review; to others it does not exist', async () => {
  const id = await opened();
  const other = '00000000-0000-4000-8000-000000000000';
  const admitted = [
    await browserOf('olga'),
    await signedIn(service, null, 'administrator'),
    await signedIn(service, null, 'auditor'),
  ];
  for (const browser of admitted) {
    expect((await browser.get('/console/reviews')).text).toContain(at(id, 'progress'));
    const { status, text } = await browser.get(at(id, 'progress'));
    expect([status, text]).toEqual([200, expect.stringContaining('Vault, fourth quarter')]);
    expectPlainPage(text);
  }
  // Mia reviews, and an analyst has a role.
  for (const browser of [
    await browserOf('mia'),
    await browserOf('ben'),
    await signedIn(service, null, 'analyst'),
  ]) {
    for (const page of PAGES) {
      const [known, unknown] = [
        await browser.get(at(id, page)),
        await browser.get(at(other, page)),
      ];
      expect([page, known.status, plain(known)]).toEqual([page, 404, plain(unknown)]);
    }
    const acted = await post(browser, at(id, 'progress'), { act: 'cancel', reason: 'x' });
    expect(acted.status).toBe(404);
  }
  expect(await stateOf(id)).toBe('open');
});

test('an auditor reads, downloads and verifies, and acts on nothing', async () => {
  const id = await opened();
  const auditor = await signedIn(service, null, 'auditor');
  const { text } = await auditor.get(at(id, 'progress'));
  expect(text).not.toContain('Cancel the review');
  for (const act of ['remind', 'cancel', 'close', 'except']) {
    const acted = await post(auditor, at(id, 'progress'), { act, reason: 'x' });
    expect([act, acted.status, alertIn(acted)]).toEqual([
      act,
      403,
      'Only the owner of the review or an administrator does this.',
    ]);
  }
  const zip = await auditor.get(at(id, 'evidence'));
  expect([zip.status, zip.type]).toEqual([200, 'application/zip']);
  // Before, the evidence of each review was called evidence.zip.
  expect(zip.get('content-disposition')).toMatch(
    /filename="?[a-z0-9-]+-evidence-\d{4}-\d{2}-\d{2}\.zip"?$/,
  );
  const verified = await auditor.get(at(id, 'verified'));
  expect(verified.text).toContain('Nothing differs.');
  expect((await post(auditor, '/console/new-review', { name: 'x' })).status).toBe(403);
});

test('each state but a draft has evidence, for who oversees a review and for nobody else', async () => {
  const reviews = {
    draft: await created(),
    'cancelled draft': await created(),
    open: await opened(),
    cancelled: await opened(),
    closed: await opened(),
  };
  for (const id of [reviews['cancelled draft'], reviews.cancelled]) {
    await sent(`/${id}:cancel`, { reason: 'a trial' });
  }
  await decideAll(reviews.closed, {});
  await close(reviews.closed);
  const overseers = [
    await browserOf('olga'),
    await signedIn(service, null, 'administrator'),
    await signedIn(service, null, 'auditor'),
  ];
  // Mia reviews in each of them: the evidence names what others hold and decided.
  const others = [await browserOf('mia'), await signedIn(service, null, 'analyst')];
  for (const [state, id] of Object.entries(reviews)) {
    const isDraft = state === 'draft';
    for (const browser of overseers) {
      const { status } = await browser.get(at(id, 'evidence'));
      expect([state, status]).toEqual([state, isDraft ? 404 : 200]);
      const { text: progress } = await browser.get(at(id, 'progress'));
      expect([state, progress.includes(at(id, 'evidence'))]).toEqual([state, !isDraft]);
    }
    for (const browser of others) {
      expect([state, (await browser.get(at(id, 'evidence'))).status]).toEqual([state, 404]);
    }
  }
});

test('the page of an application says when it was reviewed, when it is due again, and who owns the review', async () => {
  const analyst = await signedIn(service, null, 'analyst');
  const application = encodeURIComponent(await keyOf('Application', 'Vault'));
  const reviewed = async (query = ''): Promise<string | undefined> =>
    /<dt>Reviewed<\/dt><dd>(.*?)<\/dd>/
      .exec((await analyst.get(`/console/resources/${application}${query}`)).text)?.[1]
      ?.replace(/<[^>]*>/g, '');
  const id = await opened();
  expect(await reviewed()).toMatch(/^red, never; olga owns the review: nobody has reviewed/);
  await decideAll(id, {});
  await close(id);
  expect(await reviewed()).toMatch(/^green, .*; due again .*; olga owns the review$/);
  // A page about an instant says nothing about reviews, which are as of now.
  expect(await reviewed(`?at=${new Date().toISOString()}`)).toBeUndefined();
});

test('an administrator creates, plans and opens a review with a browser', async () => {
  const admin = await signedIn(service, null, 'administrator');
  const form = await admin.get('/console/new-review');
  const draft = /name="draft" value="([^"]*)"/.exec(form.text)?.[1] ?? '';
  const fields = {
    name: 'Vault by browser',
    owner: 'olga',
    fallback: 'fay',
    due: '2099-01-01',
    applications: 'Vault',
    draft,
  };
  const unknown = await post(admin, '/console/new-review', { ...fields, owner: 'nobody at all' });
  expect([unknown.status, alertIn(unknown)]).toEqual([400, expect.stringContaining('nobody')]);
  expect(unknown.text).toContain('value="Vault by browser"');
  const made = await post(admin, '/console/new-review', fields);
  expect([made.status, leadsTo(made)]).toEqual([303, at(draft, 'plan')]);
  const plan = await admin.get(at(draft, 'plan'));
  expect(plan.status).toBe(200);
  expectPlainPage(plan.text);
  expect(plan.text).toMatch(/mia<\/bdi><\/th><td data-name="Items" class="number">\d/);
  const token = /name="token" value="([^"]*)"/.exec(plan.text)?.[1] ?? '';
  const stale = await post(admin, at(draft, 'plan'), { token: 'another' });
  expect([stale.status, alertIn(stale)]).toEqual([409, expect.stringContaining('has changed')]);
  const open = await post(admin, at(draft, 'plan'), { token });
  expect([open.status, leadsTo(open)]).toEqual([303, at(draft, 'progress')]);
  expect(await stateOf(draft)).toBe('open');
  expect((await admin.get(at(draft, 'plan'))).text).toContain('there is nothing to plan');
});

test('the marks that the form of a new review offers may all be in a scope', async () => {
  const admin = await signedIn(service, null, 'administrator');
  const { text } = await admin.get('/console/new-review');
  const draft = /name="draft" value="([^"]*)"/.exec(text)?.[1] ?? '';
  const marks = [...text.matchAll(/name="marks" value="([^"]*)"/g)].map(([, mark]) => mark ?? '');
  expect(marks).toContain('privileged');
  const fields = { name: 'Marked', owner: 'olga', fallback: 'fay', due: '2099-01-01', draft };
  const made = await post(admin, '/console/new-review', { ...fields, marks });
  expect([made.status, alertIn(made), leadsTo(made)]).toEqual([303, '', at(draft, 'plan')]);
});

test('a name of several people chooses no owner, and that of one human their user', async () => {
  const admin = await signedIn(service, null, 'administrator');
  const drafts = async (): Promise<number> =>
    ((await service.send('get', '/api/v1/reviews')).body as { values: readonly object[] }).values
      .length;
  const before = await drafts();
  const { applications, ...rest } = application({}) as {
    readonly applications: readonly { readonly local_users: readonly object[] }[];
  };
  // Who pushes an application calls an account of Ben like the owner that somebody means.
  const named = [{ name: 'a olga', identities: ['ben'] }];
  await pushed(vault, {
    ...rest,
    applications: applications.map((each) => ({
      ...each,
      local_users: [...each.local_users, ...named],
    })),
  });
  const create = async (owner: string): Promise<Response> => {
    const form = await admin.get('/console/new-review');
    const draft = /name="draft" value="([^"]*)"/.exec(form.text)?.[1] ?? '';
    const fields = { name: 'Vault', owner, fallback: 'fay', due: '2099-01-01', draft };
    return post(admin, '/console/new-review', fields);
  };
  const several = await create('olga');
  expect([several.status, alertIn(several)]).toEqual([
    400,
    expect.stringMatching(/^Owner names several people. Write the key of one/),
  ]);
  expect(await drafts()).toBe(before);
  const mia = leadsTo(await create('mia')).split('/')[3] ?? '';
  const { body } = (await service.send('get', `/api/v1/reviews/${mia}`)) as {
    readonly body: object;
  };
  expect(body).toMatchObject({ value: { review: { owner: await keyOf('IdpUser', 'mia') } } });
});

test('a stale source asks for a reason before the review opens', async () => {
  const id = await created();
  await runTransaction(service.graph, LATEST, (tx) =>
    tx.run(
      "MATCH (source:DataSource {key: $id}) SET source.last_push_at = datetime() - duration('P9D')",
      { id: people.data_source_id },
    ),
  );
  const olga = await browserOf('olga');
  const { text } = await olga.get(at(id, 'plan'));
  const token = /name="token" value="([^"]*)"/.exec(text)?.[1] ?? '';
  const sources = /name="sources" value="([^"]*)"/.exec(text)?.[1] ?? '';
  expect(sources).toBe(people.data_source_id);
  const without = await post(olga, at(id, 'plan'), { token, sources, reasons: ' ' });
  expect([without.status, alertIn(without)]).toEqual([409, expect.stringContaining('is stale')]);
  const open = await post(olga, at(id, 'plan'), { token, sources, reasons: 'pushed by hand' });
  expect([open.status, alertIn(open)]).toEqual([303, '']);
  expect((await olga.get(at(id, 'progress'))).text).toMatch(/was stale[^]*pushed by hand/);
});

test('the owner sees who is how far and what is left of revokes, and closes with an attestation', async () => {
  const id = await opened();
  const items = await itemsOf(id);
  const olga = await browserOf('olga');
  const bens = itemOf(items, 'ben', 'read');
  await sent(`/${id}:decide`, await decision('mia', 'revoke', [bens], 'left the project'));
  const early = await post(olga, at(id, 'progress'), { act: 'close', reason: 'all is well' });
  expect([early.status, alertIn(early)]).toEqual([409, expect.stringContaining('are pending')]);
  for (const { number, digest, reviewer, marks } of await itemsOf(id, '?state=pending')) {
    const item = { number, digest };
    const reason = marks.length > 0 ? 'on duty' : undefined;
    await sent(`/${id}:decide`, {
      on_behalf_of: await keyOf('IdpUser', reviewer.name ?? ''),
      decision: 'keep',
      items: [item],
      ...(reason === undefined ? {} : { reason }),
    });
  }
  const { text } = await olga.get(at(id, 'progress'));
  expect(text).toMatch(/mia<\/bdi>[^]*data-name="Revoked" class="number">1</);
  expect(text).toContain('ordered, and not yet gone');
  const admin = await signedIn(service, null, 'administrator');
  const wrong = await post(admin, at(id, 'progress'), { act: 'close', reason: 'all is well' });
  expect([wrong.status, alertIn(wrong)]).toEqual([400, expect.any(String)]);
  const done = await post(olga, at(id, 'progress'), { act: 'close', reason: 'all is well' });
  expect([done.status, await stateOf(id)]).toEqual([303, 'closed']);
  const fay = await browserOf('fay');
  expect((await fay.get(at(id, 'progress'))).status).toBe(404);
  const except = (items: string | readonly string[]): Promise<Response> =>
    post(olga, at(id, 'progress'), {
      act: 'except',
      items,
      until: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
      reason: 'until May',
    });
  const many = await except(Array.from({ length: 101 }, (_, index) => String(index + 1)));
  expect([many.status, alertIn(many)]).toEqual([400, expect.stringContaining('at most 100')]);
  const excepted = await except(String(bens.number));
  expect([excepted.status, alertIn(excepted)]).toEqual([303, '']);
  const after = await olga.get(at(id, 'progress'));
  expect(after.text).toMatch(/1 left by an exception[^]*until May/);
  await pushed(vault, application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] }));
});

test('the page lists revokes that a push confirmed, and explains its words where they stand', async () => {
  const id = await opened();
  await decideAll(id, { ben: 'read' });
  await close(id);
  const push = await pushed(
    vault,
    application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] }),
  );
  await followed();
  const auditor = await signedIn(service, null, 'auditor');
  const { text } = await auditor.get(at(id, 'progress'));
  expectPlainPage(text);
  expect(text).toMatch(
    new RegExp(
      `Revokes that a push confirmed[^]*ben<[^]*permission [^]*read[^]*${push.slice(0, 8)}[^]*mia<[^]*as the work demands`,
    ),
  );
  for (const words of [
    '5 kept, 1 revoked, 0 carried over from the last review, 0 gone before anybody decided, 0 not decided in time',
    'each revoke is confirmed by a push or left by an exception',
    'Carried over: kept in a review before',
    'data-name="Carried over" class="number">0<',
    '<span class="quiet">nothing</span>',
  ]) {
    expect(text).toContain(words);
  }
});

/** How often Neo4j looks into its store for a statement. */
const looksOf = async (statement: string, parameters: object): Promise<number> => {
  const { summary } = await runTransaction(service.graph, LATEST, (tx) =>
    tx.run(`PROFILE ${statement}`, { ...parameters }),
  );
  const sumOf = (plan: typeof summary.profile): number =>
    plan === false ? 0 : plan.children.reduce((sum, each) => sum + sumOf(each), plan.dbHits);
  return sumOf(summary.profile);
};

// Before, the page read each item and each decision: 100,000 items needed 2 s.
test('the page of a review and its list count items and decisions by an index alone', async () => {
  const id = await opened();
  await decideAll(id, { ben: 'read' });
  const { run, items } = await runTransaction(service.graph, LATEST, async (tx) => {
    const found = await tx.run<{ run: string; items: number }>(
      'MATCH (review:Review {key: $id}) RETURN review.run AS run, toFloat(review.items) AS items',
      { id },
    );
    return found.records[0]?.toObject() ?? { run: '', items: 0 };
  });
  // One for each entry of the index, and one for each of the two acts and for the end.
  expect(await looksOf(COUNT_BY_REVIEWER, { run })).toBeLessThanOrEqual(items + 1);
  expect(await looksOf(READ_PACE, { id })).toBeLessThanOrEqual(items + 3);
  // One for each list of marks too.
  const marks = [[['new'], ['privileged', 'new']]];
  expect(await looksOf(COUNT_MARKED, { run, marks })).toBeLessThanOrEqual(items + 2);
});

test('the list of all items has those of the interface, by state, reviewer and mark, in pages', async () => {
  const id = await opened();
  await decideAll(id, { ben: 'read' });
  // More items than a page has. The first ones are of somebody else.
  await runTransaction(service.graph, LATEST, (tx) =>
    tx.run(
      `MATCH (review:Review {key: $id})
      MATCH (item:ReviewItem {review: review.run, number: 1})
      UNWIND range(101, 220) AS number
      CREATE (more:ReviewItem)
      SET more = item {.*, key: review.run + '|' + toString(number), number: number,
        state: CASE number % 3 WHEN 0 THEN 'pending' ELSE 'keep' END,
        marks: CASE number % 7 WHEN 0 THEN ['privileged', 'new'] ELSE ['changed'] END}`,
      { id },
    ),
  );
  const olga = await browserOf('olga');
  const alias = (await itemsOf(id, '?page_size=1')).map(({ reviewer }) => reviewer.alias).join();
  const listed = async (query: string): Promise<readonly (readonly number[])[]> => {
    const pages: number[][] = [];
    for (let address: string | null = `${at(id, 'items')}?${query}`; address !== null;) {
      const { status, text } = await olga.get(address);
      expect(status).toBe(200);
      expectPlainPage(text);
      const numbers = [...text.matchAll(/data-name="Item" class="number">(\d+)</g)];
      pages.push(numbers.map(([, number]) => Number(number)));
      const total = /class="subtitle">([\d,]+) items? in this list/.exec(text)?.[1];
      expect(Number(total)).toBe(numbersOf(await itemsOf(id, `?page_size=1000&${query}`)).length);
      address = /href="([^"]*)">Further items</.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? null;
    }
    return pages;
  };
  const numbersOf = (items: readonly { readonly number: number }[]) =>
    items.map(({ number }) => number);
  const all = await itemsOf(id, '?page_size=1000');
  for (const [query, pages] of [
    ['', 3],
    ['state=pending', 1],
    ['state=keep', 2],
    ['state=revoke', 1],
    ['state=gone', 1],
    ['mark=privileged', 1],
    ['mark=changed', 3],
    ['mark=new&state=keep', 1],
    [`reviewer=${alias}`, 3],
    [`reviewer=${alias}&state=pending&mark=changed`, 1],
    ['reviewer=nobody', 1],
  ] as const) {
    const found = await listed(query);
    expect([query, found.length]).toEqual([query, pages]);
    const asked = new URLSearchParams(query);
    const isMeant = (name: string, values: readonly string[]): boolean =>
      asked.get(name) === null || values.includes(asked.get(name) ?? '');
    const meant = all.filter(
      ({ state, marks, reviewer }) =>
        isMeant('state', [state]) &&
        isMeant('mark', marks) &&
        isMeant('reviewer', [reviewer.alias]),
    );
    expect([query, found.flat()]).toEqual([query, numbersOf(meant)]);
  }
  // Before, the marks had no counts.
  for (const state of ['', 'keep']) {
    const { text: list } = await olga.get(`${at(id, 'items')}?state=${state}`);
    const [, nav = ''] =
      /aria-label="Show only items with the mark">(.*?)<\/nav>/s.exec(list) ?? [];
    const counts = [...nav.matchAll(/[?&;]mark=(\w+)[^>]*>[^<]+<span class="count">([\d,]+)</g)];
    const marked = all.filter((item) => state === '' || item.state === state);
    const marks = new Set(marked.flatMap((item) => item.marks));
    expect(new Map(counts.map(([, mark = '', count]) => [mark, Number(count)]))).toEqual(
      new Map(
        [...marks].map((mark) => [mark, marked.filter((item) => item.marks.includes(mark)).length]),
      ),
    );
    expect(marks.size).toBeGreaterThan(2);
  }
  // Before, nothing led from an item to the pages of who holds it and of what is held.
  const shown = (await (await signedIn(service, null, 'auditor')).get(at(id, 'items'))).text;
  expect(shown).toMatch(/<th scope="row"><span class="entity"><a href="\/console\/people\/[^"]+"/);
  expect(shown).toMatch(/data-name="Held"><a href="\/console\/(?:resources|people)\/[^"]+"/);
  const { text } = await olga.get(at(id, 'items'));
  expect(text).not.toContain('href="/console/people/');
  expect(text).toMatch(/ben<[^]*permission [^]*read[^]*revoked[^]*mia<[^]*as the work demands/);
  expect((await olga.get(at(id, 'progress'))).text).toContain(`${at(id, 'items')}?reviewer=`);
});
