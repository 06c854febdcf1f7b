import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from '../client/client';
import { collectAll } from '../client/collect-list';
import { byCodeUnits } from '../model/fold';
import { ask } from '../neo4j/ask';
import type { Graph } from '../neo4j/driver';
import { counted, type Terminal } from './terminal';

const REVIEWS = '/api/v1/reviews';
const OWNER = 'Ingrid Solberg';
const FALLBACK = 'Yuki Tanabe';

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

/** How long the demo waits until the service has looked what a push did to revokes. */
const WAIT_MS = 15_000;
const PAUSE_MS = 200;
const EXCEPTED_DAYS = 180;

interface Review {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly remediated_at: string | null;
}

interface Numbered {
  readonly review: Review;
  readonly numbers: Readonly<Record<string, number>>;
  readonly remediation: { readonly open: number; readonly came_back: number };
}

interface Item {
  readonly number: number;
  readonly state: string;
  readonly digest: string;
  readonly needs_reason: boolean;
  readonly reviewer: { readonly alias: string; readonly name: string };
  readonly holder: { readonly alias: string; readonly name: string } | null;
  readonly shown: {
    readonly holder: { readonly name: string };
    readonly holds: string;
    readonly changes_nothing: boolean;
    readonly also: readonly string[];
    readonly why_reviewer: string | null;
    readonly instead_of: readonly string[];
  };
  readonly remediation: { readonly state: string } | null;
}

interface Plan {
  readonly token: string;
  readonly reviewers: readonly { readonly reviewer: string; readonly name: string }[];
}

/** A review, and its items. */
export interface ReviewOfForge extends Numbered {
  readonly items: readonly Item[];
}

/** Two reviews of Forge, a week apart, as the people of the company do them. */
export class ReviewsOfForge {
  private readonly client: Client;

  constructor(
    private readonly graph: Graph,
    { address, apiKey }: { readonly address: string; readonly apiKey: string },
  ) {
    this.client = new Client({ url: address, key: apiKey });
  }

  /** Does the review of the earlier week that the systems have just pushed. */
  async afterWeek(): Promise<void> {
    const done = await this.reviews();
    const week = WEEKS[done.length];
    if (week === undefined) return;
    const last = done.at(-1);
    const id = await this.review(week, last?.id ?? null);
    // What this week removed must be seen before the next week may bring it back.
    if (last !== undefined) await this.seen(last.id);
    await this.post(`${id}:close`, {
      on_behalf_of: await this.keyOf('IdpUser', OWNER),
      attestation: 'I have seen what each reviewer decided.',
    });
  }

  /** How the reviews ended, once the service has looked at the newest pushes; writes the evidence of the first. */
  async answers(evidence: string): Promise<readonly ReviewOfForge[]> {
    const found: ReviewOfForge[] = [];
    for (const { id } of await this.reviews()) {
      const review = await this.settled(id);
      found.push({ ...review, items: await this.itemsOf(id) });
    }
    const [first] = found;
    if (first !== undefined) {
      const answer = await this.client.open(`${REVIEWS}/${first.review.id}/evidence`, {});
      await writeFile(evidence, Buffer.from(await answer.arrayBuffer()), { mode: 0o600 });
    }
    return found;
  }

  private async reviews(): Promise<readonly Review[]> {
    const all = await collectAll(this.client.list<Review>(REVIEWS, { order_by: 'created_at' }));
    return WEEKS.flatMap(({ name }) => all.find((review) => review.name === name) ?? []);
  }

  private itemsOf(id: string): Promise<readonly Item[]> {
    return collectAll(this.client.list<Item>(`${REVIEWS}/${id}/items`));
  }

  private post<A>(path: string, body?: object): Promise<A> {
    return this.client.post<A>(`${REVIEWS}/${path}`, body);
  }

  private async keyOf(label: 'IdpUser' | 'Application', name: string): Promise<string> {
    const [found] = await ask(this.graph, `MATCH (n:${label} {name: $name}) RETURN n.key AS key`, {
      name,
    });
    return String(found?.key);
  }

  /** Plans, opens and decides a review. */
  private async review(
    { name, revoked, excepted }: (typeof WEEKS)[number],
    before: string | null,
  ): Promise<string> {
    const [owner, fallback, forge] = await Promise.all([
      this.keyOf('IdpUser', OWNER),
      this.keyOf('IdpUser', FALLBACK),
      this.keyOf('Application', 'Forge'),
    ]);
    const { value } = await this.client.post<{ readonly value: Numbered }>(REVIEWS, {
      ...{ name, owner, fallback, scope: { applications: [forge] }, cadence: 'quarterly' },
      due: new Date(Date.now() + 14 * 86_400_000).toISOString(),
      ...(before === null ? {} : { before }),
    });
    const { id } = value.review;
    const { value: plan } = await this.post<{ readonly value: Plan }>(`${id}:plan`);
    await this.post(`${id}:open`, { token: plan.token, on_behalf_of: owner });
    const keys = new Map(plan.reviewers.map((each) => [each.name, each.reviewer]));
    const items = await this.itemsOf(id);
    const isOf = (item: Item, of: { readonly holder: string; readonly holds?: string }): boolean =>
      item.shown.holder.name === of.holder && item.shown.holds.includes(of.holds ?? '');
    const decide = (decision: string, some: readonly Item[], reason?: string): Promise<unknown> =>
      this.post(`${id}:decide`, {
        on_behalf_of: keys.get(some[0]?.reviewer.name ?? ''),
        ...{ decision, reason, items: some.map(({ number, digest }) => ({ number, digest })) },
      });
    const kept = new Map<string, Item[]>();
    for (const item of items.filter(({ state }) => state === 'pending')) {
      const reason = revoked.find((each) => isOf(item, each))?.reason;
      if (reason !== undefined) await decide('revoke', [item], reason);
      else if (item.needs_reason) await decide('keep', [item], 'The work needs it.');
      else {
        const alike = `${item.reviewer.alias} ${item.shown.holds}`;
        kept.set(alike, [...(kept.get(alike) ?? []), item]);
      }
    }
    for (const alike of kept.values()) await decide('keep', alike);
    if (excepted !== null) {
      const numbers = items.filter((item) => isOf(item, excepted) && item.shown.changes_nothing);
      await this.post(`${id}:except`, {
        ...{ on_behalf_of: fallback, items: numbers.map(({ number }) => number) },
        until: new Date(Date.now() + EXCEPTED_DAYS * 86_400_000).toISOString(),
        reason: excepted.reason,
      });
    }
    return id;
  }

  /** Waits until the service has looked what a push did to the revokes of a review. */
  private async seen(id: string): Promise<void> {
    const isOrdered = ({ remediation }: Item): boolean => remediation?.state === 'ordered';
    const end = performance.now() + WAIT_MS;
    while (performance.now() < end && (await this.itemsOf(id)).some(isOrdered)) {
      await sleep(PAUSE_MS);
    }
  }

  /** Waits until no revoke of a review is open, if that comes soon. */
  private async settled(id: string): Promise<Numbered> {
    const end = performance.now() + WAIT_MS;
    for (;;) {
      const { value } = await this.client.get<{ readonly value: Numbered }>(`${REVIEWS}/${id}`);
      if (value.remediation.open === 0 || performance.now() > end) return value;
      await sleep(PAUSE_MS);
    }
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
  { review, numbers, items: unordered }: ReviewOfForge,
): void => {
  // Their numbers follow keys, which have random ids.
  const items = unordered.toSorted((a, b) => byCodeUnits(inWords(a), inWords(b)));
  const reviewers = new Set(items.flatMap(({ reviewer }) => reviewer.alias)).size;
  const { keep = 0, revoke = 0, carried = 0, gone = 0 } = numbers;
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
    const told = changes_nothing ? ` (changes nothing: also ${also.join(', ')})` : '';
    terminal.line(`    revoked  ${inWords(item)}${told}  `, [
      'faint',
      BECAME[item.remediation?.state ?? ''] ?? '',
    ]);
  }
};

/** Prints how the reviews of Forge ended. */
export const printReviews = (
  terminal: Terminal,
  reviews: readonly ReviewOfForge[],
  evidence: string,
): void => {
  if (reviews.length === 0) return;
  terminal.line();
  terminal.line(['title', 'Who still needs what in Forge?'], ['faint', '   grantgraph reviews']);
  for (const review of reviews) printReview(terminal, review);
  terminal.line(['faint', `  Evidence: python3 examples/verify-review.py ${evidence}`]);
};
