/** @more restarts */

import { LOCK_REVIEW } from '../../src/features/reviews/stored/statements';
import { application, directory } from '../http/reviews/vault';
import { sized } from '../support/test-size';
import type { Moment } from './bolt-connection';
import { Stage } from './stage';

/*
 * The service is killed at the commit of an act on a review. `test/http/reviews/interrupted.test.ts` ends it at each
 * commit of each act, in one process.
 */

const REVIEWS = '/api/v1/reviews';

type Body = Readonly<Record<string, unknown>>;

interface Item {
  readonly number: number;
  readonly digest: string;
  readonly reviewer: { readonly alias: string; readonly name: string };
}

let stage: Stage;
/** The keys of people, by their names. */
const keys = new Map<string, string>();

const sent = async <A = Body>(path: string, body?: object, status = 200): Promise<A> => {
  const answer = await stage.send(body === undefined ? 'GET' : 'POST', path, body);
  expect([path, answer.status, answer.body]).toEqual([path, status, expect.anything()]);
  return (answer.body.value ?? answer.body) as A;
};

const pushed = async (template: string, payload: object): Promise<void> => {
  const base = '/api/v1/providers/custom';
  const { id } = await sent<{ id: string }>(base, { name: template, custom_template: template });
  const path = `${base}/${id}/datasources`;
  const { id: source } = await sent<{ id: string }>(path, { id, name: 'Main' });
  const body = { id, data_source_id: source, json_data: JSON.stringify(payload) };
  await sent(`${path}/${source}:push`, body);
  for (const name of ['olga', 'fay', 'mia']) {
    if (template === 'identity_provider') keys.set(name, `${source}|IdpUser|${name}`);
  }
};

beforeAll(async () => {
  stage = await Stage.onTestNeo4j({});
  await pushed('identity_provider', directory());
  await pushed('application', application({ reads: ['ann', 'ben'], team: ['ann'] }));
});
afterAll(() => stage.close());

const created = async (): Promise<string> => {
  const { review } = await sent<{ review: { id: string } }>(REVIEWS, {
    name: 'Vault',
    owner: keys.get('olga'),
    fallback: keys.get('fay'),
    due: '2099-01-01T00:00:00Z',
  });
  return review.id;
};

const itemsOf = async (id: string): Promise<readonly Item[]> =>
  (await sent<{ values: readonly Item[] }>(`${REVIEWS}/${id}/items`)).values;

/** The steps of a review, in their order: what each of them sends. */
const STEPS: readonly (readonly [string, (id: string) => Promise<readonly [string, Body]>])[] = [
  [
    'opening',
    async (id) => {
      const { token } = await sent<{ token: string }>(`${REVIEWS}/${id}:plan`, {});
      return [':open', { token }];
    },
  ],
  [
    'decision',
    async (id) => {
      const items = (await itemsOf(id)).filter(({ reviewer }) => reviewer.name === 'mia');
      const wanted = items.map(({ number, digest }) => ({ number, digest }));
      const body = { on_behalf_of: keys.get('mia'), decision: 'revoke', reason: 'left' };
      return [':decide', { ...body, items: wanted }];
    },
  ],
  [
    'closing',
    async (id) => {
      for (const { number, digest, reviewer } of await itemsOf(id)) {
        if (reviewer.name === 'mia') continue;
        const body = { on_behalf_of: keys.get(reviewer.name), decision: 'keep', reason: 'needed' };
        await sent(`${REVIEWS}/${id}:decide`, { ...body, items: [{ number, digest }] });
      }
      return [':close', { on_behalf_of: keys.get('olga'), attestation: 'All is right.' }];
    },
  ],
];

/** The commit of the act: the last transaction that holds the review and stores an entry of its chain. */
const isCommit =
  (side: Moment['side']) =>
  (moment: Moment): boolean =>
    moment.side === side &&
    moment.call.what === 'COMMIT' &&
    moment.call.transaction.includes(LOCK_REVIEW) &&
    moment.call.transaction.some((each) => each.includes('ReviewDecision'));

const told = async (id: string): Promise<Body> => {
  const { numbers, remediation, review } = await sent<{
    numbers: Body;
    remediation: Body;
    review: Body;
  }>(`${REVIEWS}/${id}`);
  return { numbers, remediation, state: review.state, entries: review.entries };
};

/** A review that goes through all steps; at one of them the service is killed, and asked again. */
const reviewed = async (at: string | null, side: Moment['side']): Promise<readonly Body[]> => {
  const id = await created();
  const after: Body[] = [];
  for (const [step, request] of STEPS) {
    const [path, body] = await request(id);
    if (step === at) {
      const reached = stage.proxy.stopAt(isCommit(side));
      const answered = stage.send('POST', `${REVIEWS}/${id}${path}`, body);
      await reached;
      await stage.killService();
      expect((await answered).status).toBe(0);
      await stage.startServiceAgain();
    }
    await sent(`${REVIEWS}/${id}${path}`, body);
    after.push(await told(id));
    expect(await sent(`${REVIEWS}/${id}:verify`, {})).toMatchObject({ findings: [] });
  }
  return after;
};

const kills = (['before', 'after'] as const).flatMap((side) =>
  STEPS.map(([step]) => [step, side] as const),
);

test.each(kills.slice(0, sized(1, kills.length)))(
  'the service killed at the commit of a %s (%s it) loses nothing of the review, and does nothing twice',
  async (step, side) => {
    const expected = await reviewed(null, side);
    expect(await reviewed(step, side)).toEqual(expected);
  },
);
