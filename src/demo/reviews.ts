import { writeFile } from 'node:fs/promises';

import { endpoints } from '../features/reviews/endpoints';
import { byCodeUnits } from '../model/fold';
import { isOf, type Item, type ReviewOfDemo, Reviewing } from './reviewing';
import { counted, type Terminal } from './terminal';

/** What reviewers revoke in each of the two reviews, by who holds it and a part of what is held. */
const WEEKS = [
  {
    name: 'Forge, first week',
    revoked: [
      { holder: 'maas', holds: 'role "Maintainer"', reason: 'Mikkel leaves on Friday.' },
      { holder: 'dwhitlock', holds: 'role "Developer"', reason: 'The contract ends.' },
      { holder: 'Daniel Okafor', holds: 'group "On-Call Engineers"', reason: 'No longer on call.' },
    ],
    excepted: { holder: 'Daniel Okafor', reason: 'The on-call plan changes in summer.' },
  },
  {
    name: 'Forge, second week',
    revoked: [
      { holder: 'fdahl', holds: 'permission "Bypass protection"', reason: 'It was for one day.' },
    ],
    excepted: null,
  },
] as const;

const EXCEPTED_DAYS = 180;

/** Two reviews of Forge, a week apart, as the people of the company do them. */
export class ReviewsOfForge extends Reviewing {
  /** Does the review of the earlier week that the systems have just pushed. */
  async afterWeek(): Promise<void> {
    const done = await this.reviews();
    const week = WEEKS[done.length];
    if (week === undefined) return;
    const last = done.at(-1);
    const { name, revoked, excepted } = week;
    const before = last === undefined ? {} : { before: last.id };
    const more = { cadence: 'quarterly', ...before } as const;
    const { id, items } = await this.review('Forge', name, revoked, more);
    if (excepted !== null) {
      const numbers = items.filter((item) => isOf(item, excepted) && item.shown.changes_nothing);
      const body = {
        on_behalf_of: await this.fallback(),
        items: numbers.map(({ number }) => number),
        until: new Date(Date.now() + EXCEPTED_DAYS * 86_400_000).toISOString(),
        reason: excepted.reason,
      };
      await this.client.call(endpoints.except, { reviewId: id }, { body });
    }
    // What this week removed must be seen before the next week may bring it back.
    if (last !== undefined) await this.seen(last.id);
    await this.close(id);
  }

  /** How the reviews ended, once the service has looked at the newest pushes; writes the evidence of the first. */
  async answers(evidence: string): Promise<readonly ReviewOfDemo[]> {
    const found: ReviewOfDemo[] = [];
    for (const { id } of await this.reviews()) found.push(await this.settled(id));
    const [first] = found;
    if (first !== undefined) {
      const answer = await this.evidenceOf(first.review.id);
      await writeFile(evidence, Buffer.from(await answer.arrayBuffer()), { mode: 0o600 });
    }
    return found;
  }

  private reviews() {
    return this.reviewsNamed(WEEKS.map(({ name }) => name));
  }
}

const inWords = ({ shown: { holder, holds } }: Item): string => `${holder.name}: ${holds}`;

/** What became of a revoke. */
const BECAME: Readonly<Record<string, string>> = {
  confirmed: 'gone, as a push proved',
  came_back: 'gone, and a later push brought it back',
  excepted: 'an exception',
  ordered: 'not gone yet',
  blocked: 'gone, and the access is left in another way',
};

const printReview = (
  terminal: Terminal,
  { review, numbers, items: unordered }: ReviewOfDemo,
): void => {
  // Their numbers follow keys, which have random ids.
  const items = unordered.toSorted((a, b) => byCodeUnits(inWords(a), inWords(b)));
  const reviewers = new Set(items.flatMap(({ reviewer }) => reviewer.alias)).size;
  const { keep = 0, revoke = 0, carried = 0, gone = 0 } = numbers ?? {};
  const parts = [
    `${counted(items.length, 'item')} of ${counted(reviewers, 'reviewer')}`,
    `${keep} kept`,
    `${revoke} revoked`,
    ...(carried > 0 ? [`${carried} carried over`] : []),
    ...(gone > 0 ? [`${gone} gone before`] : []),
  ];
  const seals = review.remediated_at === null ? 'first seal' : 'both seals';
  terminal.line(`  ${review.name}: ${parts.join(', ')}; `, ['good', `${review.state}, ${seals}`]);
  const [avoided] = items.filter(
    ({ shown, holder }) => shown.instead_of.length > 0 && holder !== null,
  );
  if (avoided !== undefined) {
    terminal.line(`    nobody reviews themselves: `, [
      'faint',
      `${inWords(avoided)} → ${avoided.reviewer.name}, who ${avoided.shown.why_reviewer ?? ''}`,
    ]);
  }
  for (const item of items.filter(({ remediation }) => remediation !== null)) {
    const { changes_nothing, also } = item.shown;
    const note = changes_nothing ? ` (changes nothing: also ${also.join(', ')})` : '';
    const { state = '', sent = null } = item.remediation ?? {};
    terminal.line(`    revoked  ${inWords(item)}${note}  `, ['faint', BECAME[state] ?? '']);
    if (sent !== null) {
      terminal.line(`      sent   ${sent.to}  `, ['faint', `${sent.answer ?? 'no answer yet'}`]);
    }
  }
};

/** Prints how the reviews ended. */
export const printReviews = (
  terminal: Terminal,
  reviews: readonly ReviewOfDemo[],
  evidence: string,
): void => {
  if (reviews.length === 0) return;
  terminal.line();
  terminal.line(['title', 'Who still needs what?'], ['faint', '   grantgraph reviews']);
  for (const review of reviews) printReview(terminal, review);
  terminal.line(['faint', `  Evidence: python3 examples/verify-review.py ${evidence}`]);
};
