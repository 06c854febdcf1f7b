import { pushPayload } from '../client/push-payload';
import { findTarget } from '../client/registered';
import { endpoints as reviews } from '../features/reviews/endpoints';
import type { Graph } from '../neo4j/driver';
import { endpoints as connections } from '../scim/connections/endpoints';
import { registered } from './registered';
import { type ReviewOfDemo, Reviewing } from './reviewing';
import { runPolicies } from './run-policies';
import type { Wiki } from './wiki';

const REVIEW = 'Handbook, this week';
const PAGES = 'Handbook pages';
const REVOKED = [
  { holder: 'Priya Raman', holds: 'group "Editors"', reason: 'Firmware writes it now.' },
] as const;

interface Account {
  readonly id: string;
  readonly userName: string;
  readonly displayName?: string;
  readonly active?: boolean;
}

interface Group {
  readonly id: string;
  readonly displayName: string;
  readonly members?: readonly { readonly value: string }[];
}

/** Who may edit pages of the handbook, as a connector reads it there. */
const rightsOf = (accounts: readonly Account[], groups: readonly Group[]): object => ({
  applications: [
    {
      name: PAGES,
      application_type: 'wiki',
      local_groups: groups.map(({ id, displayName: name }) => ({ unique_id: id, name })),
      local_users: accounts.map(({ id, userName, displayName, active }) => ({
        unique_id: id,
        id: userName,
        name: displayName ?? userName,
        email: userName,
        is_active: active !== false,
        identities: [userName],
        groups: groups.flatMap((group) =>
          (group.members ?? []).some(({ value }) => value === id) ? [group.id] : [],
        ),
      })),
    },
  ],
  permissions: [{ name: 'Edit pages', permission_type: ['DataWrite'] }],
  identity_to_permissions: groups.map(({ id: identity }) => ({
    identity,
    identity_type: 'local_group',
    application_permissions: [
      { application: PAGES, permission: 'Edit pages', apply_to_application: true },
    ],
  })),
});

/** A review of the handbook, whose revoke the service sends over SCIM, and the next push confirms. */
export class ReviewOfHandbook extends Reviewing {
  constructor(
    private readonly wiki: Wiki,
    graph: Graph,
    service: ConstructorParameters<typeof Reviewing>[1],
  ) {
    super(graph, service);
  }

  /** Pushes who may edit pages, before the review; afterwards nothing. */
  async begin(): Promise<void> {
    if ((await this.reviewsNamed([REVIEW])).length === 0) await this.pushRights();
  }

  /**
   * Does the review once, and says how it ended. `run` runs what is due in the application. A run that
   * was stopped after the closing goes on in the next one.
   */
  async answers(run: () => Promise<void>): Promise<readonly ReviewOfDemo[]> {
    if ((await this.reviewsNamed([REVIEW])).length === 0) {
      const { id } = await this.review(PAGES, REVIEW, REVOKED);
      await this.close(id);
    }
    const reviews = await this.reviewsNamed([REVIEW]);
    for (const { id, state, remediated_at } of reviews) {
      if (state === 'closed' && remediated_at === null) await this.carryOut(id, run);
    }
    return Promise.all(reviews.map(({ id }) => this.settled(id)));
  }

  /** Sends the revokes of the review, and pushes what the application holds then. */
  private async carryOut(id: string, run: () => Promise<void>): Promise<void> {
    const providerId = await this.provider();
    const ids = { reviewId: id };
    const revoked = (await this.itemsOf(id)).filter(({ state }) => state === 'revoke');
    const items = revoked.map(({ number }) => number);
    const { token } = await this.client.call(reviews.send, ids, { body: { items } });
    if (token !== null) {
      const body = { items, token, on_behalf_of: await this.owner() };
      await this.client.call(reviews.send, ids, { body });
    }
    await runPolicies(this.client, providerId);
    await run();
    await this.pushRights();
  }

  /** The id of the provider that describes the handbook, and over which the service may change it. */
  private async provider(): Promise<string> {
    const providerId = await registered(this.client, PAGES);
    const authentication = { type: 'bearer', token: this.wiki.token } as const;
    const body = { base_url: this.wiki.base, authentication };
    await this.client.call(connections.set, { providerId }, { body });
    return providerId;
  }

  private async pushRights(): Promise<void> {
    const read = async <A>(list: string): Promise<readonly A[]> => {
      const authorization = `Bearer ${this.wiki.token}`;
      const answer = await fetch(`${this.wiki.base}/${list}`, { headers: { authorization } });
      return ((await answer.json()) as { readonly Resources: readonly A[] }).Resources;
    };
    const payload = rightsOf(await read<Account>('Users'), await read<Group>('Groups'));
    await this.provider();
    const names = {
      provider: PAGES,
      dataSource: PAGES,
      create: { template: 'application' },
    } as const;
    await pushPayload(this.client, await findTarget(this.client, names), payload);
  }
}
