/** @more reviews */
import { ask } from '../../../src/neo4j/ask';
import { sized } from '../../support/test-size';
import { type Strike, struck } from './struck';
import {
  application,
  type Body,
  changedInNeo4j,
  created,
  decision,
  followed,
  itemOf,
  itemsOf,
  keyOf,
  pushed,
  REVIEWS,
  sent,
  service,
  useVault,
  valueOf,
  vault,
  verified,
} from './vault';

/*
 * The service ends at each commit of each act on a review, before it or after it. What it does when it is asked again
 * makes the review what it would have been: nothing is lost, and nothing is there twice (docs/rules.md: Access reviews).
 */

useVault();

const DAY = 86_400_000;

/** A review that goes from its draft to both seals, and how often the service ended on the way. */
class Story {
  ends = 0;
  private id = '';

  constructor(private readonly strike: Strike) {}

  /** The review once all is done, by names. */
  async told(): Promise<object> {
    await this.open();
    const items = await itemsOf(this.id);
    const [ann, ben, lee] = ['ann', 'ben', 'lee'].map((name) =>
      itemOf(items, name, 'permission "read"'),
    );
    const admin = itemOf(items, 'mia', 'administer');
    if (ann === undefined || ben === undefined || lee === undefined) throw new Error('no items');
    const decided = [ann, ben, lee, admin];
    const others = items.filter((item) => !decided.includes(item));
    await this.sent(':decide', await decision('mia', 'keep', [ann, ben]));
    await this.sent(':decide', await decision('mia', 'revoke', [ann], 'left'));
    await this.sent(':decide', await decision('mia', 'revoke', [ben], 'left'));
    await this.sent(':decide', await decision('fay', 'revoke', [lee], 'has left'));
    await this.sent(':reassign', {
      on_behalf_of: await keyOf('IdpUser', 'olga'),
      to: await keyOf('IdpUser', 'fay'),
      items: [admin.number],
      reason: 'on leave',
    });
    await this.sent(':decide', await decision('fay', 'keep', [admin], 'is needed'));
    await this.sent(':except', {
      on_behalf_of: await keyOf('IdpUser', 'olga'),
      items: [lee.number],
      until: new Date(Date.now() + DAY).toISOString(),
      reason: 'until spring',
    });
    for (const item of others) {
      const by = String(item.reviewer.name);
      await this.sent(':decide', await decision(by, 'keep', [item], 'is needed'));
    }
    await this.sent(':appoint', { fallback: await keyOf('IdpUser', 'olga'), reason: 'Fay left' });
    await pushed(vault, application({ writes: ['mia'], team: ['ann'] }));
    await this.round();
    // The exception ends, and what it was about is gone.
    await this.round(2 * DAY);
    await this.round();
    await this.sent(':close', {
      on_behalf_of: await keyOf('IdpUser', 'olga'),
      attestation: 'All is right.',
    });
    await pushed(vault, application({ writes: ['mia'] }));
    await this.round();
    await pushed(vault, application({ reads: ['ben'], writes: ['mia'] }));
    await this.round();
    return this.summary();
  }

  /** The same for a review about which nobody decides. */
  async toldOfSilence(on_silence: string): Promise<object> {
    await this.open({ on_silence, grace_days: 1, due: new Date(Date.now() + DAY).toISOString() });
    await pushed(vault, application({ reads: ['ben', 'lee'], writes: ['mia'], team: ['ann'] }));
    await this.round();
    await this.round(1.5 * DAY);
    await this.round(3 * DAY);
    await this.sent(':close', {
      on_behalf_of: await keyOf('IdpUser', 'olga'),
      attestation: 'All is right.',
    });
    return this.summary();
  }

  private async open(more: Body = {}): Promise<void> {
    this.id = await created(more);
    const { token } = valueOf(await sent(`/${this.id}:plan`));
    await this.sent(':open', { token });
    // What an opening left that did not end goes after a while.
    await changedInNeo4j(
      this.id,
      "MATCH (r:Review {key: $id}) SET r.opening_since = datetime('2020-01-01T00:00:00Z')",
    );
    await followed();
  }

  private async sent(path: string, body: Body): Promise<void> {
    await this.done(() => service.send('post', `${REVIEWS}/${this.id}${path}`, body));
    await sent(`/${this.id}${path}`, body);
  }

  /** A round of the background, so much later. */
  private async round(later = 0): Promise<void> {
    const now = Date.now() + later;
    const time = later === 0 ? null : jest.spyOn(Date, 'now').mockReturnValue(now);
    await this.done(followed);
    await followed();
    time?.mockRestore();
  }

  /** Does something that the service may not survive. What it leaves verifies, and its numbers tie out. */
  private async done(work: () => PromiseLike<unknown>): Promise<void> {
    if (await struck(this.strike, work)) this.ends += 1;
    const answer = await service.send('get', `${REVIEWS}/${this.id}`);
    const { review, numbers } = (
      answer.body as { value: { review: Body; numbers: Readonly<Record<string, number>> | null } }
    ).value;
    if (numbers === null) return;
    const { items, ...states } = numbers;
    expect(Object.values(states).reduce((sum, each) => sum + each, 0)).toBe(items);
    expect(review.items).toBe(items);
    expect(await verified(this.id)).toMatchObject({ verified: true, findings: [] });
  }

  private async summary(): Promise<object> {
    const asked = (statement: string): Promise<readonly Body[]> =>
      ask(service.graph, statement, { id: this.id });
    const answer = await service.send('get', `${REVIEWS}/${this.id}`);
    const { review, numbers, remediation } = (answer.body as { value: Record<string, Body> }).value;
    return {
      numbers,
      remediation,
      state: review?.state,
      isRemediated: review?.remediated_at !== null,
      items: (await itemsOf(this.id)).map(({ number, state, reviewer, remediation: done }) => ({
        number,
        state,
        reviewer: reviewer.name,
        done: done?.state,
        through: done?.through,
      })),
      chain: await asked(
        `MATCH (e:ReviewDecision {review: $id})
        OPTIONAL MATCH (p:ReviewPerson {alias: e.by}) WHERE p.review STARTS WITH $id
        RETURN e.seq AS seq, e.act AS act, e.item AS item, p.name AS by, e.reason AS reason ORDER BY e.seq`,
      ),
      records: await asked(
        `MATCH (n:ReviewItem|ReviewPerson) WHERE n.review STARTS WITH $id
        RETURN labels(n)[0] AS label, count(*) AS records ORDER BY label`,
      ),
      events: await asked(
        `MATCH (e:Event) WHERE e.metadata CONTAINS $id OR e.message CONTAINS 'Vault, fourth quarter'
        RETURN e.event_type AS type, count(*) AS events ORDER BY type`,
      ),
    };
  }
}

const afresh = async (): Promise<void> => {
  await changedInNeo4j(
    '',
    'MATCH (n:Review|ReviewItem|ReviewPerson|ReviewDecision|ReviewRemediation|Event) DETACH DELETE n',
  );
};

const NEVER: Strike = { commit: 0, side: 'before' };
const STRIKES: readonly Strike[] = [1, 2, 3, 4].flatMap((commit) => [
  { commit, side: 'before' as const },
  { commit, side: 'after' as const },
]);

/** Of each commit one side, in turn. */
const BY_DAY = STRIKES.filter(({ commit, side }) => (side === 'before') === (commit % 2 === 0));

/** What the review is if nothing ends, told once for each way. */
const undisturbed = new Map<string, object>();

test.each(
  [null, 'except', 'revoke'].flatMap((silence) =>
    [NEVER, ...sized(BY_DAY.slice(0, silence === null ? 4 : 2), STRIKES)].map(
      ({ commit, side }) => [silence ?? 'none', side, commit] as const,
    ),
  ),
)(
  'a review (silence: %s) of a service that ends %s its commit %i of each act is what it would have been',
  async (silence, side, commit) => {
    await afresh();
    const story = new Story({ commit, side });
    const told = await (silence === 'none' ? story.told() : story.toldOfSilence(silence));
    if (commit === 0) undisturbed.set(silence, told);
    expect(told).toEqual(undisturbed.get(silence));
    if (commit > 0) expect(story.ends).toBeGreaterThan(0);
  },
);
