/** @more pages */

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { SESSION_COOKIE } from '../../../src/web/admission/visitor';
import { pushCompany } from '../../demo/service';
import { keyOf } from '../../http/company';
import { signedIn } from '../../http/reviews/signed-in';
import {
  API_KEY,
  listenLocally,
  type ServiceUnderTest,
  serviceUnderTest,
} from '../../http/service-under-test';

const SCRIPT = join(__dirname, '../../../scripts/review-by-keyboard.mjs');
/** Who owns the review, and decides about all items but their own. */
const REVIEWER = 'Ingrid Solberg';

interface Item {
  readonly number: number;
  readonly state: string;
  readonly reason: string | null;
  readonly reviewer: { readonly name: string | null } | null;
}

interface Result {
  readonly kept: number;
  readonly revoked: number;
  readonly keys: number;
  readonly seconds: number;
  readonly returned: readonly string[];
  readonly violations: readonly string[];
  readonly errors: readonly string[];
  readonly wide: readonly string[];
  /** The pixel at which the first row, note or form of a page is, by page and width. */
  readonly firstRows: Readonly<Record<string, number>>;
}

let service: ServiceUnderTest;
let result: Result;
let stored: readonly Item[];
let folder: string;

/** Asks the service about reviews. */
const asked = async <A>(path: string, body?: object): Promise<A> => {
  const method = body === undefined ? 'get' : 'post';
  const answer = await service.send(method, `/api/v1/reviews${path}`, body);
  expect([path, answer.status, answer.text]).toEqual([path, 200, expect.any(String)]);
  return answer.body as A;
};

/** Drafts the review of Forge that the demo does. */
const drafted = async (owner: string): Promise<string> => {
  const { value } = await asked<{ value: { review: { id: string } } }>('', {
    name: 'Forge, by keyboard',
    owner,
    fallback: owner,
    due: '2099-01-01T00:00:00Z',
    scope: { applications: [await keyOf(service, 'Application', 'Forge')] },
  });
  return value.review.id;
};

/** The items of a review. */
const itemsOf = async (id: string): Promise<readonly Item[]> =>
  (await asked<{ values: readonly Item[] }>(`/${id}/items?page_size=100`)).values;

/** Opens that review, and gives one person all items but their own. */
const openedFor = async (reviewer: string): Promise<string> => {
  const id = await drafted(reviewer);
  const { value } = await asked<{ value: { token: string } }>(`/${id}:plan`, {});
  await asked(`/${id}:open`, { token: value.token });
  for (const { number } of await itemsOf(id)) {
    const given = { on_behalf_of: reviewer, to: reviewer, items: [number], reason: 'a trial' };
    const { status } = await service.send('post', `/api/v1/reviews/${id}:reassign`, given);
    expect([200, 403]).toContain(status);
  }
  return id;
};

beforeAll(async () => {
  // Forms count only from `PUBLIC_URL`, so the service must know its port.
  let app: RequestListener = (_req, res) => res.end();
  const { port, close } = await listenLocally((req, res) => app(req, res));
  const address = `http://127.0.0.1:${port}`;
  service = await serviceUnderTest({}, { settings: { http: { publicUrl: address } } });
  app = service.app;
  folder = await mkdtemp(join(tmpdir(), 'grantgraph-keyboard-'));
  await pushCompany({ service: { address, apiKey: API_KEY }, graph: service.graph, folder });
  const reviewer = await keyOf(service, 'IdpUser', REVIEWER);
  const id = await openedFor(reviewer);
  const cookie = `${SESSION_COOKIE}=${(await signedIn(service, reviewer)).cookies.get(SESSION_COOKIE)}`;
  const draft = await drafted(reviewer);
  const admin = await signedIn(service, reviewer, 'administrator');
  const further = {
    cookie: `${SESSION_COOKIE}=${admin.cookies.get(SESSION_COOKIE)}`,
    paths: {
      all: '/console/reviews',
      progress: `/console/reviews/${id}/progress`,
      verified: `/console/reviews/${id}/verified`,
      create: '/console/new-review',
      plan: `/console/reviews/${draft}/plan`,
    },
  };
  const { PICTURES } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, [
    SCRIPT,
    address,
    cookie,
    `/console/reviews/${id}`,
    JSON.stringify(further),
    ...(PICTURES === undefined ? [] : [PICTURES]),
  ]).finally(close);
  result = JSON.parse(stdout) as Result;
  stored = (await itemsOf(id)).filter((item) => item.reviewer?.name === REVIEWER);
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

test('the review of Forge is decided by keyboard: a key keeps, and the next row is chosen', () => {
  process.stderr.write(
    `${stored.length} items by keyboard: ${result.keys} keys, ${result.seconds.toFixed(1)} s\n`,
  );
  expect(stored.length).toBeGreaterThanOrEqual(60);
  expect(result.kept + result.revoked).toBe(stored.length);
  const inState = (state: string): number => stored.filter((item) => item.state === state).length;
  expect([inState('keep'), inState('revoke')]).toEqual([result.kept, result.revoked]);
  expect(result.revoked).toBe(Math.floor(stored.length / 10));
  // Besides the reasons: one key an item, and one for each reason.
  const reasons = stored.filter(({ reason }) => reason !== null);
  const typed = reasons.reduce((sum, { reason }) => sum + (reason?.length ?? 0) + 1, 0);
  expect(result.keys).toBe(1 + stored.length + typed);
});

test('the pages of reviews have no fault that axe finds, and fit a phone', () => {
  expect(result.violations).toEqual([]);
  expect(result.errors).toEqual([]);
  expect(result.wide).toEqual([]);
});

// *My reviews* and the pages of a decision had no pictures: the demo signs in with a key only.
test('what somebody decides about is on the first screen', () => {
  for (const page of ['reviews', 'items', 'item', 'revoke']) {
    for (const [width, most] of [
      [1280, 480],
      [390, 844],
    ] as const) {
      const at = result.firstRows[`${page} ${width}`] ?? Infinity;
      expect([page, width, at <= most]).toEqual([page, width, true]);
    }
  }
});

test('who looks at the evidence of an item comes back to its row', () => {
  const [left] = result.returned;
  expect(left).toMatch(/^item-\d+$/);
  expect(result.returned).toEqual([left, left]);
});
