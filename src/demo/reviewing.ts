import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from '../client/client';
import { collectAll } from '../client/collect-list';
import { pathOf } from '../contract/parameters/path-of';
import {
  type CreateReviewRequest,
  type DecideRequest,
  endpoints,
  type ItemAnswer,
  type ReviewAnswer,
} from '../features/reviews/endpoints';
import { ask } from '../neo4j/ask';
import type { Graph } from '../neo4j/driver';

const OWNER = 'Ingrid Solberg';
const FALLBACK = 'Yuki Tanabe';

/** How long the demo waits until the service has looked what a push did to revokes. */
const WAIT_MS = 150_000;
const PAUSE_MS = 200;

type Review = ReviewAnswer['review'];

/** An item that shows what it is about, and has a reviewer. No erasure has changed those of the demo. */
export type Item = ItemAnswer & {
  readonly reviewer: NonNullable<ItemAnswer['reviewer']>;
  readonly shown: NonNullable<ItemAnswer['shown']>;
};

/** A review, and its items. */
export interface ReviewOfDemo extends ReviewAnswer {
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
    const all = await collectAll(
      this.client.entries(endpoints.list, {}, { order_by: 'created_at' }),
    );
    return names.flatMap((name) => all.find((review) => review.name === name) ?? []);
  }

  protected async itemsOf(reviewId: string): Promise<readonly Item[]> {
    const all = await collectAll(this.client.entries(endpoints.items, { reviewId }));
    return all.filter((item): item is Item => item.reviewer !== null && item.shown !== null);
  }

  protected evidenceOf(reviewId: string): Promise<Response> {
    return this.client.open(pathOf(endpoints.evidence, { reviewId }), {});
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
    more: Partial<CreateReviewRequest> = {},
  ): Promise<{ readonly id: string; readonly items: readonly Item[] }> {
    const [owner, fallback, reviewed] = await Promise.all([
      this.owner(),
      this.fallback(),
      this.keyOf('Application', application),
    ]);
    const body = {
      name,
      owner,
      fallback,
      scope: { applications: [reviewed] },
      due: new Date(Date.now() + 14 * 86_400_000).toISOString(),
      ...more,
    };
    const { value } = await this.client.call(endpoints.create, {}, { body });
    const { id } = value.review;
    const ids = { reviewId: id };
    const { value: plan } = await this.client.call(endpoints.plan, ids);
    const opened = { token: plan.token, on_behalf_of: owner };
    await this.client.call(endpoints.open, ids, { body: opened });
    const keys = new Map(plan.reviewers.map((each) => [each.name, each.reviewer]));
    const items = await this.itemsOf(id);
    const decide = (
      decision: DecideRequest['decision'],
      some: readonly Item[],
      reason?: string,
    ): Promise<unknown> => {
      const decided = {
        on_behalf_of: keys.get(some[0]?.reviewer.name ?? '') ?? '',
        decision,
        reason,
        items: some.map(({ number, digest }) => ({ number, digest })),
      };
      return this.client.call(endpoints.decide, ids, { body: decided });
    };
    const alikeItems = new Map<string, Item[]>();
    for (const item of items.filter(({ state }) => state === 'pending')) {
      const reason = revoked.find((each) => isOf(item, each))?.reason;
      if (reason !== undefined) await decide('revoke', [item], reason);
      else if (item.needs_reason) await decide('keep', [item], 'The work needs it.');
      else {
        const alike = `${item.reviewer.alias} ${item.shown.holds}`;
        alikeItems.set(alike, [...(alikeItems.get(alike) ?? []), item]);
      }
    }
    for (const alike of alikeItems.values()) await decide('keep', alike);
    return { id, items };
  }

  protected async close(id: string): Promise<void> {
    const body = {
      on_behalf_of: await this.owner(),
      attestation: 'I have seen what each reviewer decided.',
    };
    await this.client.call(endpoints.close, { reviewId: id }, { body });
  }

  /** Waits until the service has looked what a push did to the revokes of a review. */
  protected async seen(id: string): Promise<void> {
    const isOrdered = ({ remediation }: Item): boolean => remediation?.state === 'ordered';
    const end = performance.now() + WAIT_MS;
    while (performance.now() < end && (await this.itemsOf(id)).some(isOrdered)) {
      await sleep(PAUSE_MS);
    }
  }

  /**
   * The review with its items, once what was sent has its answer, no revoke is open, and the second
   * seal is there if all are carried out; later it is given as it is.
   */
  protected async settled(id: string): Promise<ReviewOfDemo> {
    const end = performance.now() + WAIT_MS;
    const isAwaited = ({ remediation }: Item): boolean => remediation?.sent?.answer === null;
    const isDone = ({ remediation }: Item): boolean =>
      remediation === null || ['confirmed', 'excepted'].includes(remediation.state);
    for (;;) {
      const { value } = await this.client.call(endpoints.read, { reviewId: id });
      const items = await this.itemsOf(id);
      const isSealed = value.review.remediated_at !== null || !items.every(isDone);
      const isSettled = value.remediation?.open === 0 && isSealed && !items.some(isAwaited);
      if (isSettled || performance.now() > end) return { ...value, items };
      await sleep(PAUSE_MS);
    }
  }
}
