import { type Review } from '../../src/features/reviews/records';
import { evidencePage, Told } from '../../src/features/reviews/evidence/page';
import type { StoredEntry } from '../../src/features/reviews/stored/snapshot';
import type { StoredItem } from '../../src/features/reviews/stored/store';

/* The page of an evidence is bounded, and no name becomes markup (docs/reviews.md: For auditors). */

const HOSTILE = '<script>"&\u202e';

const revoke = (number: number): StoredItem => ({
  number,
  state: 'revoke',
  reviewer: `P${number}`,
  holder: 'P1',
  entitlement: '',
  digest: '',
  marks: [],
  remediation: 'confirmed',
  fact: null,
  properties: {
    shown: JSON.stringify({
      holder: { label: 'LocalUser', name: HOSTILE, application: HOSTILE },
      holds: HOSTILE,
    }),
    reason: HOSTILE,
  },
  done: { state: 'confirmed', push: HOSTILE },
});

const pageWith = (
  revokes: number,
  more: Partial<Review> = {},
  acts: readonly StoredEntry[] = [],
): string => {
  const told = new Told();
  for (const act of acts) told.addEntry(act);
  for (let number = 1; number <= revokes; number += 1) told.addItem(revoke(number));
  const review = {
    id: HOSTILE,
    name: HOSTILE,
    state: 'closed',
    at: '2026-11-29T15:53:32.178Z',
    items: revokes,
    scope: {
      applications: [HOSTILE],
      resources: [],
      roles: [],
      groups: [],
      people: [],
      marks: ['privileged'],
    },
    owner: HOSTILE,
    fallback: HOSTILE,
    due: '2026-12-29T15:53:32Z',
    on_silence: 'except',
    stale_hours: 48,
    closed_at: null,
    remediated_at: null,
    cancelled_at: null,
    attestation: HOSTILE,
    reason: HOSTILE,
    coverage: {
      pairs: 3,
      reviewed: 1,
      elsewhere: [{ review: HOSTILE, pairs: 1 }],
      not_reviewed: [{ because: HOSTILE, pairs: 1 }],
    },
    sources: [
      {
        data_source: HOSTILE,
        name: HOSTILE,
        provider: HOSTILE,
        push: null,
        at: '2026-11-26T15:53:32.178Z',
        is_stale: true,
        has_failed: false,
        reason: HOSTILE,
      },
    ],
    ...more,
  } as unknown as Review;
  const named = { review, nameOf: (key: string) => key, whyKeys: HOSTILE, before: HOSTILE };
  return evidencePage({
    named,
    review,
    owner: 'P1',
    fallback: '',
    nameOf: (alias) => `${HOSTILE} (${alias})`,
    told,
  });
};

test('the page lists at most 200 revokes and reviewers, and says where the others are', () => {
  const page = pageWith(201);
  expect(page).toContain('These are the first 200 of 201 revokes.');
  expect(page).toContain('These are the first 200 of 201 reviewers.');
  expect(page.match(/<td class="n">200<\/td>/g)).toHaveLength(1);
  expect(page).not.toContain('<tr><td class="n">201</td>');
  expect(pageWith(200)).not.toContain('These are the first');
});

test('no name of somebody becomes markup, or changes how the page looks', () => {
  const page = pageWith(2);
  expect(page).not.toMatch(/<script|\u202e|"&[^qal]/);
  expect(page.match(/&lt;script>&quot;&amp;\\u202e/g)?.length).toBeGreaterThan(20);
});

// Before, a phone broke "Reviewer" and "Kept" into pieces, and axe found no main part.
test('its tables scroll, by the keyboard too, and break no word', () => {
  const page = pageWith(2);
  expect(page).toContain('<main>');
  expect(page).not.toContain('<table>');
  expect(page).toContain('<table tabindex="0">');
  expect(page).toMatch(
    /@media screen and \(max-width: 48rem\) \{ table \{ display: block; overflow-x: auto; \} \}/,
  );
  expect(page.replace(/@media print.*/s, '')).not.toContain('overflow-wrap: anywhere');
});

test('the page says why it has keys in place of names', () => {
  expect(pageWith(1)).toContain('The service did not know the names of that instant: ');
});

test('numbers that do not tie out, a stale source and what nobody reviews are said', () => {
  const page = pageWith(2).replace(/<[^>]*>/g, '');
  expect(page).toContain('0 + 2 + 0 + 0 + 0 + 0 = 2. The numbers tie out.');
  expect(page).toContain('3 days before the instant of the reviewstale: older than 48 hours');
  expect(page).toContain('The scope has 3 pairs of a person or account and something it reaches.');
  expect(page).toMatch(/Not reviewed: \s*1 pair: /);
});

test('who cancelled a draft, which has no aliases, is not said to be nobody', () => {
  const cancelling = {
    seq: 1,
    act: 'cancel',
    item: 0,
    by: '',
    at: '2026-11-29T15:53:32.178Z',
    detail: '',
    properties: { key_name: 'Fay', reason: 'a trial' },
  } as unknown as StoredEntry;
  const [draft, opened] = [pageWith(0, { at: null }, [cancelling]), pageWith(1, {}, [cancelling])];
  expect(draft).toContain('look at the key');
  expect(draft).not.toContain('named nobody');
  expect(opened).toContain('the request named nobody');
});
