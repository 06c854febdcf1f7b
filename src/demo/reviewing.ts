import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from '../client/client';
import { collectAll } from '../client/collect-list';
import { ask } from '../neo4j/ask';
import type { Graph } from '../neo4j/driver';

const REVIEWS = '/api/v1/reviews';
const OWNER = 'Ingrid Solberg';
const FALLBACK = 'Yuki Tanabe';

/** How long the demo waits until the service has looked what a push did to revokes. */
const WAIT_MS = 15_000;
const PAUSE_MS = 200;

interface Review {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly remediated_at: string | null;
}

/** A review with its numbers. */
export interface Numbered {
  readonly review: Review;
  readonly numbers: Readonly<Record<string, number>>;
  readonly remediation: { readonly open: number; readonly came_back: number };
}

/** An item of a review. */
export interface Item {
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
  readonly remediation: {
    readonly state: string;
    readonly sent: { readonly to: string; readonly answer: string | null } | null;
  } | null;
}

interface Plan {
  readonly token: string;
  readonly reviewers: readonly { readonly reviewer: string; readonly name: string }[];
}

/** A review, and its items. */
export interface ReviewOfDemo extends Numbered {
  readonly items: readonly Item[];
}

/** What a reviewer revokes: by who holds it and a part of what is held. */
export interface Revoked {
  readonly holder: string;
  readonly holds: string;
  readonly reason: string;
}

/** Whether an item is that of a holder, and of what is held if that is named. */
export const isOf = (
  { shown }: Item,
  { holder, holds = '' }: { readonly holder: string; readonly holds?: string },
): boolean => shown.holder.name === holder && shown.holds.includes(holds);

/** What people of the company do in reviews, over HTTP. */
export class Reviewing {
  protected readonly client: Client;

  constructor(
    private readonly graph: Graph,
    { address, apiKey }: { readonly address: string; readonly apiKey: string },
  ) {
    this.client = new Client({ url: address, key: apiKey });
  }

  /** All reviews of some names, in the order of the names. */
  protected async reviewsNamed(names: readonly string[]): Promise<readonly Review[]> {
    const all = await collectAll(this.client.list<Review>(REVIEWS, { order_by: 'created_at' }));
    return names.flatMap((name) => all.find((review) => review.name === name) ?? []);
  }

  protected itemsOf(id: string): Promise<readonly Item[]> {
    return collectAll(this.client.list<Item>(`${REVIEWS}/${id}/items`));
  }

  protected post<A>(path: string, body?: object): Promise<A> {
    return this.client.post<A>(`${REVIEWS}/${path}`, body);
  }

  protected evidenceOf(id: string): Promise<Response> {
    return this.client.open(`${REVIEWS}/${id}/evidence`, {});
  }

  private async keyOf(label: 'IdpUser' | 'Application', name: string): Promise<string> {
    const [found] = await ask(this.graph, `MATCH (n:${label} {name: $name}) RETURN n.key AS key`, {
      name,
    });
    return String(found?.key);
  }

  protected owner(): Promise<string> {
    return this.keyOf('IdpUser', OWNER);
  }

  protected fallback(): Promise<string> {
    return this.keyOf('IdpUser', FALLBACK);
  }

  /** Plans and opens a review of an application, and decides all of its items. */
  protected async review(
    application: string,
    name: string,
    revoked: readonly Revoked[],
    more: object = {},
  ): Promise<{ readonly id: string; readonly items: readonly Item[] }> {
    const [owner, fallback, reviewed] = await Promise.all([
      this.owner(),
      this.fallback(),
      this.keyOf('Application', application),
    ]);
    const { value } = await this.client.post<{ readonly value: Numbered }>(REVIEWS, {
      ...{ name, owner, fallback, scope: { applications: [reviewed] } },
      due: new Date(Date.now() + 14 * 86_400_000).toISOString(),
      ...more,
    });
    const { id } = value.review;
    const { value: plan } = await this.post<{ readonly value: Plan }>(`${id}:plan`);
    await this.post(`${id}:open`, { token: plan.token, on_behalf_of: owner });
    const keys = new Map(plan.reviewers.map((each) => [each.name, each.reviewer]));
    const items = await this.itemsOf(id);
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
    return { id, items };
  }

  protected async close(id: string): Promise<void> {
    await this.post(`${id}:close`, {
      on_behalf_of: await this.owner(),
      attestation: 'I have seen what each reviewer decided.',
    });
  }

  /** Waits until the service has looked what a push did to the revokes of a review. */
  protected async seen(id: string): Promise<void> {
    const isOrdered = ({ remediation }: Item): boolean => remediation?.state === 'ordered';
    const end = performance.now() + WAIT_MS;
    while (performance.now() < end && (await this.itemsOf(id)).some(isOrdered)) {
      await sleep(PAUSE_MS);
    }
  }

  /** The review with its items, once no revoke of it is open, if that comes soon. */
  protected async settled(id: string): Promise<ReviewOfDemo> {
    const end = performance.now() + WAIT_MS;
    for (;;) {
      const { value } = await this.client.get<{ readonly value: Numbered }>(`${REVIEWS}/${id}`);
      if (value.remediation.open === 0 || performance.now() > end) {
        return { ...value, items: await this.itemsOf(id) };
      }
      await sleep(PAUSE_MS);
    }
  }
}
