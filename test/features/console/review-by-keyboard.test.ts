/** @more pages */

import { execFile } from 'node:child_process';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { SESSION_COOKIE } from '../../../src/web/admission/visitor';
import { keyOf } from '../../http/company';
import { draftAbout, reviewedBy } from '../../http/reviews/reviewed-by';
import { signedIn } from '../../http/reviews/signed-in';
import {
  listenLocally,
  type ServiceUnderTest,
  serviceUnderTest,
} from '../../http/service-under-test';

const SCRIPT = join(__dirname, '../../../scripts/review-by-keyboard.mjs');
const ITEMS = 60;

interface Result {
  readonly kept: number;
  readonly revoked: number;
  readonly keys: number;
  readonly seconds: number;
  readonly violations: readonly string[];
  readonly errors: readonly string[];
  readonly wide: readonly string[];
}

let service: ServiceUnderTest;
let result: Result;
let stored: readonly { readonly state: string; readonly reason: string | null }[];

/** One person with so many accounts, in several applications, some of which may administer. */
const pushAccounts = async (): Promise<void> => {
  const people = await service.register('identity_provider');
  const users = ['holder', 'reviewer'].map((name) => ({
    name,
    identity: name,
    email: `${name}@vault.example`,
    is_active: true,
  }));
  const push = async (to: typeof people, payload: object): Promise<void> => {
    const { id, data_source_id } = to;
    const sent = { id, data_source_id, json_data: JSON.stringify(payload) };
    const answer = await service.post(to.path, sent);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  };
  const domains = [{ name: 'vault.example' }];
  await push(people, { name: 'People', idp_type: 'x', domains, users });
  const names = Array.from({ length: ITEMS }, (_, at) => `holder-${at}`);
  await push(await service.register('application'), {
    applications: [
      {
        name: 'Vault',
        application_type: 'vault',
        local_users: names.map((name) => ({ name, identities: ['holder'] })),
        resources: ['keys', 'seals', 'plans'].map((name) => ({ name, resource_type: 'safe' })),
      },
    ],
    permissions: [
      { name: 'read', permission_type: ['DataRead'] },
      { name: 'administer', permission_type: ['MetadataWrite'] },
    ],
    identity_to_permissions: names.map((identity, at) => ({
      identity,
      identity_type: 'local_user',
      application_permissions: [
        {
          application: 'Vault',
          apply_to_application: false,
          permission: at % 12 === 0 ? 'administer' : 'read',
          resources: [['keys', 'seals', 'plans'][at % 3]],
        },
      ],
    })),
  });
};

beforeAll(async () => {
  // Forms count only from `PUBLIC_URL`, so the service must know its port.
  let app: RequestListener = (_req, res) => res.end();
  const { port, close } = await listenLocally((req, res) => app(req, res));
  const address = `http://127.0.0.1:${port}`;
  service = await serviceUnderTest({}, { settings: { http: { publicUrl: address } } });
  app = service.app;
  await pushAccounts();
  const reviewer = await keyOf(service, 'IdpUser', 'reviewer');
  const { id } = await reviewedBy(service, reviewer, await keyOf(service, 'IdpUser', 'holder'));
  const cookie = `${SESSION_COOKIE}=${(await signedIn(service, reviewer)).cookies.get(SESSION_COOKIE)}`;
  const draft = await draftAbout(service, reviewer, await keyOf(service, 'IdpUser', 'holder'));
  const admin = await signedIn(service, reviewer, 'administrator');
  const further = {
    cookie: `${SESSION_COOKIE}=${admin.cookies.get(SESSION_COOKIE)}`,
    paths: {
      all: '/console/reviews',
      progress: `/console/reviews/${id}/progress`,
      verified: `/console/reviews/${id}/verified`,
      create: '/console/new-review',
      plan: `/console/reviews/${draft.id}/plan`,
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
  const items = await service.send('get', `/api/v1/reviews/${id}/items?page_size=100`);
  stored = (items.body as { values: typeof stored }).values;
}, 240_000);
afterAll(() => service.close());

test('60 items are decided by keyboard: a key keeps, and the next row is chosen', () => {
  expect([result.kept, result.revoked]).toEqual([54, 6]);
  const states = stored.map(({ state }) => state);
  expect(states.filter((state) => state === 'keep')).toHaveLength(54);
  expect(states.filter((state) => state === 'revoke')).toHaveLength(6);
  // Besides the reasons: one key an item, and one for each reason.
  const reasons = stored.filter(({ reason }) => reason !== null);
  const typed = reasons.reduce((sum, { reason }) => sum + (reason?.length ?? 0) + 1, 0);
  expect(result.keys).toBe(1 + ITEMS + typed);
});

test('the pages of reviews have no fault that axe finds, and fit a phone', () => {
  expect(result.violations).toEqual([]);
  expect(result.errors).toEqual([]);
  expect(result.wide).toEqual([]);
});
