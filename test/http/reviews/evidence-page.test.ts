/** @more reviews */
import { parse } from 'csv-parse/sync';
import { strFromU8 } from 'fflate';

import { evidenceOf, saidByScript } from './evidence-files';
import {
  application,
  close,
  decideAll,
  erased,
  followed,
  keyOf,
  opened,
  pushed,
  useVault,
  vault,
} from './vault';

/*
 * People read the evidence of a review: its page and its tables are in words (docs/reviews.md: For auditors).
 */

useVault();

/** A closed review with a revoke that a push confirmed. */
const reviewed = async (name: string): Promise<{ readonly id: string; readonly push: string }> => {
  const id = await opened({
    name,
    scope: { applications: [await keyOf('Application', 'Vault')] },
  });
  await decideAll(id, { ben: 'read' });
  await close(id);
  const push = await pushed(
    vault,
    application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] }),
  );
  await followed();
  return { id, push };
};

const filesOf = async (id: string): Promise<(name: string) => string> => {
  const files = await evidenceOf(id);
  expect(await saidByScript(files)).toMatch(/\nverified\n$/);
  return (name) => strFromU8(files[name] ?? new Uint8Array());
};

const rowsIn = (text: string): readonly Record<string, string>[] =>
  parse(text, { columns: true, bom: true });

/** What a reader of the page sees, without the style. */
const seenOn = (html: string): string =>
  html
    .replace(/<style>[^]*?<\/style>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,:;”])|(?<=“) /g, '');

const TIME = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC`;

test('an auditor reads in words what was reviewed, by whom, and what became of it', async () => {
  const { id, push } = await reviewed('Vault "ž" <b>\u202e');
  const fileOf = await filesOf(id);
  const html = fileOf('review.html');
  const page = seenOn(html);
  for (const words of [
    /All access to application &quot;Vault&quot;, from &quot;.+?&quot;\./,
    new RegExp(`The access as it was at ${TIME}`),
    /Owner olga \(P\d\)/,
    /Fallback fay \(P\d\), who reviews what nobody else may/,
    new RegExp(`“All decisions are right\\.”, by olga \\(P\\d\\), at ${TIME}`),
    /6 items: 5 kept, 1 revoked, 0 carried over/,
    /5 \+ 1 \+ 0 \+ 0 \+ 0 \+ 0 = 6\. The numbers tie out\./,
    /mia \(P\d\) \d \d 1 0 0 0 0 /,
    new RegExp(
      `ben \\(P\\d\\), account &quot;ben&quot; in &quot;Vault&quot; permission &quot;read&quot; on [^.]*mia \\(P\\d\\), ${TIME} as the work demands confirmed by a push ${push}, ${TIME}`,
    ),
    /All belong to items of this review\. Other reviews have: none\. Not reviewed: none\./,
    /\d+ (second|minute)s? before the instant of the review fresh enough needed no reason/,
    /items\.csv each item: who held what/,
    /It is not in the zip file/,
  ]) {
    expect(page).toMatch(words);
  }
  // No record, key or list of the service is left as it is stored.
  for (const stored of [
    /[{}[\]]/.exec(page.replace('[head]', '')),
    /is_stale|_at\b|\|Application\|/.exec(page),
  ]) {
    expect(stored).toBeNull();
  }
  expect(html).not.toMatch(/<script|<b>|\u202e/);
  expect(html).toContain('Vault &quot;ž&quot; &lt;b>\\u202e');
  expect(fileOf('review.json')).toContain('examples/verify-review.py of Grantgraph');
});

test('the tables have words for lists, whole seconds, and from where items were carried over', async () => {
  const { id } = await reviewed('Vault, third quarter');
  const next = await opened({ name: 'Vault, fourth quarter', before: id });
  await decideAll(next, {});
  await close(next);
  const fileOf = await filesOf(next);
  for (const name of ['items.csv', 'remediation.csv', 'decisions.csv']) {
    expect(fileOf(name)).not.toMatch(/\[|\{|T\d\d:\d\d:\d\d\.\d/);
  }
  const items = rowsIn(fileOf('items.csv'));
  const marked = items.filter(({ marks }) => marks !== '');
  expect(marked.map(({ marks }) => marks)).toContain('privileged');
  const carried = items.filter(({ carried_over }) => carried_over !== '');
  expect(carried.length).toBe(4);
  for (const { carried_over, marks } of carried) {
    expect(carried_over).toBe(
      `kept in the review Vault, third quarter (${id}), or in one before it`,
    );
    expect(marks).not.toContain('privileged');
  }
  const closing = rowsIn(fileOf('decisions.csv')).find(({ act }) => act === 'close');
  expect(closing).toMatchObject({
    by: expect.stringMatching(/^olga \(P\d\)$/) as string,
    detail: expect.stringContaining('pending 0; keep ') as string,
  });
});

test('the page names somebody whose data were erased by the alias alone', async () => {
  const { id } = await reviewed('Vault');
  expect(seenOn((await filesOf(id))('review.html'))).toMatch(/ben \(P\d\)/);
  await erased('ben');
  const page = seenOn((await filesOf(id))('review.html'));
  expect(page).not.toMatch(/ben \(P\d\)|as the work demands/);
  expect(page).toMatch(/ P\d, account .*\(erased\) confirmed by a push/);
});
