import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

import { reviews } from '../../src/features/reviews/feature';
import { followReviews } from '../../src/features/reviews/follow';
import * as population from '../../src/features/reviews/rules/population';
import { ask } from '../../src/neo4j/ask';
import { LATEST, runTransaction } from '../../src/neo4j/transaction';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

/*
 * A review of the vault: of who may read and write what, from its plan to its second seal
 * (docs/rules.md: Access reviews).
 */

let service: ServiceUnderTest;
let people: RegisteredIds;
let vault: RegisteredIds;

const DUE = '2099-01-01T00:00:00Z';
const REVIEWS = '/api/v1/reviews';

type Body = Readonly<Record<string, unknown>>;

const user = (name: string, more: Body = {}): Body => ({
  ...{ name, identity: name, email: `${name}@vault.example`, is_active: true },
  ...more,
});

const pushed = async (to: RegisteredIds, payload: object): Promise<string> => {
  const sent = { id: to.id, data_source_id: to.data_source_id, json_data: JSON.stringify(payload) };
  const answer = await service.post(to.path, sent);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return (answer.body as { push_id: string }).push_id;
};

const directory = (more: readonly Body[] = [], ben: Body = {}): object => ({
  ...{ name: 'People', idp_type: 'x', domains: [{ name: 'vault.example' }] },
  users: [
    user('ann', { manager_id: 'mia' }),
    user('ben', { manager_id: 'mia', ...ben }),
    user('mia', { manager_id: 'olga' }),
    user('olga'),
    user('fay'),
    user('lee', { is_active: false }),
    ...more,
  ],
});

interface Access {
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
  readonly team?: readonly string[];
}

/** Who may do what in the vault; `team` is a group that may read too. */
const application = ({ reads = [], writes = [], team = [] }: Access): object => ({
  applications: [
    {
      ...{ name: 'Vault', application_type: 'vault' },
      local_groups: [{ name: 'team' }],
      local_users: ['ann', 'ben', 'mia', 'lee', 'robot'].map((name) => ({
        name,
        ...(name === 'robot' ? { user_type: 'service_account' } : { identities: [name] }),
        ...(team.includes(name) ? { groups: ['team'] } : {}),
      })),
      resources: [{ name: 'keys', resource_type: 'safe' }],
    },
  ],
  permissions: [
    { name: 'read', permission_type: ['DataRead'] },
    { name: 'administer', permission_type: ['MetadataWrite'] },
  ],
  identity_to_permissions: [
    ...reads.map((identity) => granted(identity, 'read', 'local_user')),
    ...writes.map((identity) => granted(identity, 'administer', 'local_user')),
    granted('team', 'read', 'local_group'),
  ],
});

const granted = (identity: string, permission: string, identity_type: string): Body => ({
  ...{ identity, identity_type },
  application_permissions: [
    { application: 'Vault', permission, resources: ['keys'], apply_to_application: false },
  ],
});

const keyOf = async (label: string, name: string): Promise<string> => {
  const found = await ask(service.graph, `MATCH (n:${label} {name: $name}) RETURN n.key AS key`, {
    name,
  });
  return String(found[0]?.key);
};

interface Item {
  readonly number: number;
  readonly state: string;
  readonly digest: string;
  readonly marks: readonly string[];
  readonly reviewer: { readonly alias: string; readonly name: string | null };
  readonly holder: { readonly name: string | null } | null;
  readonly shown: Readonly<Record<string, unknown>> & {
    readonly holder: { readonly name: string };
    readonly holds: string;
  };
  readonly remediation: Body | null;
}

const sent = async (path: string, body?: Body, status = 200): Promise<Body> => {
  const answer = await service.send('post', `${REVIEWS}${path}`, body);
  expect([path, answer.status, answer.text]).toEqual([path, status, expect.any(String)]);
  return answer.body as Body;
};

const valueOf = (body: Body): Body => body.value as Body;

const created = async (more: Body = {}): Promise<string> => {
  const [owner, fallback] = [await keyOf('IdpUser', 'olga'), await keyOf('IdpUser', 'fay')];
  const body = await sent('', {
    name: 'Vault, fourth quarter',
    owner,
    fallback,
    due: DUE,
    ...more,
  });
  return (valueOf(body).review as { id: string }).id;
};

const opened = async (more: Body = {}): Promise<string> => {
  const id = await created(more);
  const plan = valueOf(await sent(`/${id}:plan`));
  await sent(`/${id}:open`, { token: plan.token });
  return id;
};

const itemsOf = async (id: string, query = ''): Promise<readonly Item[]> => {
  const answer = await service.send('get', `${REVIEWS}/${id}/items${query}`);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return (answer.body as { values: readonly Item[] }).values;
};

/** The item of somebody's, by the name of the account and a part of what it holds. */
const itemOf = (items: readonly Item[], name: string, holds: string): Item => {
  const found = items.find(
    ({ shown }) => shown.holder.name === name && shown.holds.includes(holds),
  );
  if (found === undefined)
    throw new Error(`no item of ${name} with ${holds}: ${JSON.stringify(items)}`);
  return found;
};

const decision = async (
  name: string,
  decided: 'keep' | 'revoke',
  items: readonly Item[],
  reason?: string,
): Promise<Body> => ({
  on_behalf_of: await keyOf('IdpUser', name),
  decision: decided,
  items: items.map(({ number, digest }) => ({ number, digest })),
  ...(reason === undefined ? {} : { reason }),
});

beforeAll(async () => {
  service = await serviceUnderTest();
});
beforeEach(async () => {
  people = await service.register('identity_provider');
  vault = await service.register('application');
  await pushed(people, directory());
  await pushed(
    vault,
    application({ reads: ['ann', 'ben', 'lee'], writes: ['mia'], team: ['ann'] }),
  );
});
afterEach(async () => {
  for (const { id } of [people, vault]) {
    await service.send('delete', `/api/v1/providers/custom/${id}?erase=true`);
  }
});
afterAll(() => service.close());

test('a plan shows items, reviewers and coverage, and changes nothing', async () => {
  const id = await created();
  const plan = valueOf(await sent(`/${id}:plan`));
  expect(plan).toMatchObject({
    ...{ items: 6, without_reviewer: 0, coverage: { not_reviewed: [] } },
    marks: { privileged: 1, inactive: 1 },
    // Ann may read through the team too.
    changes_nothing: 2,
  });
  const { pairs, reviewed } = plan.coverage as { pairs: number; reviewed: number };
  expect(pairs).toBe(reviewed);
  expect(await itemsOf(id)).toEqual([]);
  expect(valueOf(await sent(`/${id}:plan`)).token).toBe(plan.token);
});

test('an opening does what its plan said, once, and no other', async () => {
  const id = await created();
  const { token } = valueOf(await sent(`/${id}:plan`));
  await sent(`/${id}:open`, { token: 'another' }, 409);
  const [first, second] = await Promise.all(
    [0, 1].map(() => service.send('post', `${REVIEWS}/${id}:open`, { token })),
  );
  expect([first?.status, second?.status]).toEqual([200, 200]);
  const items = await itemsOf(id);
  expect(items.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(new Set(items.map(({ state }) => state))).toEqual(new Set(['pending']));
  // The manager decides about their people, and nobody about themselves.
  expect(itemOf(items, 'ann', 'permission "read"').reviewer.name).toBe('mia');
  expect(itemOf(items, 'mia', 'administer').reviewer.name).toBe('olga');
  expect(itemOf(items, 'lee', 'read').reviewer.name).toBe('fay');
  expect(itemOf(items, 'ann', 'group "team"').shown).toMatchObject({
    ...{ changes_nothing: true, also: ['permission "read" on Vault: keys'] },
  });
  await sent(`/${id}:plan`, undefined, 409);
});

test('a plan that changed since is not opened', async () => {
  const id = await created();
  const { token } = valueOf(await sent(`/${id}:plan`));
  await pushed(vault, application({ reads: ['ann', 'ben'] }));
  await sent(`/${id}:open`, { token }, 409);
});

test('sources that are stale or failed stop the opening until somebody acknowledges them', async () => {
  const refused = { id: vault.id, data_source_id: vault.data_source_id, json_data: '{"no": 1}' };
  expect((await service.post(vault.path, refused)).status).toBe(400);
  const id = await created();
  const { token, sources } = valueOf(await sent(`/${id}:plan`));
  const failed = (sources as readonly Body[]).filter(({ has_failed }) => has_failed === true);
  expect(failed.map(({ data_source }) => data_source)).toEqual([vault.data_source_id]);
  await sent(`/${id}:open`, { token }, 409);
  const reason = 'The last good push is an hour old.';
  const acknowledged = [{ data_source: vault.data_source_id, reason }];
  const opening = valueOf(await sent(`/${id}:open`, { token, acknowledged }));
  expect((opening.review as { sources: readonly Body[] }).sources).toContainEqual(
    expect.objectContaining({ data_source: vault.data_source_id, reason }),
  );
});

test('reviewers decide about their own items only, with the reasons that the rules demand', async () => {
  const id = await opened();
  const items = await itemsOf(id);
  const [ann, ben] = ['ann', 'ben'].map((name) => itemOf(items, name, 'permission "read"'));
  const admin = itemOf(items, 'mia', 'administer');
  const team = itemOf(items, 'ann', 'team');
  if (ann === undefined || ben === undefined) throw new Error('no items');
  const decide = `/${id}:decide`;
  await sent(decide, await decision('ben', 'keep', [ann]), 403);
  await sent(decide, await decision('mia', 'keep', [admin], 'mine'), 403);
  await sent(decide, await decision('lee', 'keep', [ann]), 400);
  await sent(decide, await decision('mia', 'revoke', [ann]), 400);
  await sent(decide, await decision('olga', 'keep', [admin]), 400);
  // Two entitlements at once.
  await sent(decide, await decision('mia', 'keep', [ann, team]), 400);
  await sent(decide, await decision('mia', 'keep', [{ ...ann, digest: 'other' }]), 409);
  await sent(
    decide,
    { ...(await decision('mia', 'keep', [ann])), items: [{ number: 99, digest: 'x' }] },
    404,
  );
  expect((await itemsOf(id, '?state=pending')).length).toBe(6);
  await sent(decide, await decision('mia', 'keep', [ann, ben]));
  await sent(decide, await decision('mia', 'keep', [ann, ben]));
  const entries = await ask(
    service.graph,
    'MATCH (e:ReviewDecision {review: $id}) RETURN e.act AS act',
    { id },
  );
  expect(entries.length).toBe(2);
  // A decision may be corrected until the review closes.
  await sent(decide, await decision('mia', 'revoke', [ann], 'left the project'));
  const revoked = (await itemsOf(id, '?state=revoke'))[0];
  expect(revoked).toMatchObject({ number: ann.number, remediation: { state: 'ordered' } });
  await sent(decide, await decision('mia', 'keep', [ann]));
  expect((await itemsOf(id))[ann.number - 1]?.remediation).toMatchObject({ state: 'withdrawn' });
});

test('of two reviewers at once one decides, and the chain has both in order', async () => {
  const id = await opened();
  const items = await itemsOf(id);
  const ann = itemOf(items, 'ann', 'permission "read"');
  const bodies = await Promise.all([
    decision('mia', 'keep', [ann]),
    decision('mia', 'revoke', [ann], 'left'),
  ]);
  const answers = await Promise.all(
    bodies.map((body) => service.send('post', `${REVIEWS}/${id}:decide`, body)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const entries = await ask(
    service.graph,
    'MATCH (e:ReviewDecision {review: $id}) RETURN e.seq AS seq, e.previous AS previous, e.hash AS hash, e.act AS act ORDER BY seq',
    { id },
  );
  expect(entries.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(entries[1]?.previous).toBe(entries[0]?.hash);
  expect((await itemsOf(id))[ann.number - 1]?.state).toBe(entries[1]?.act);
});

test('a reviewer gives an item to somebody else, who is not its holder', async () => {
  const id = await opened();
  const ann = itemOf(await itemsOf(id), 'ann', 'permission "read"');
  const give = async (by: string, to: string): Promise<Body> => ({
    ...{ on_behalf_of: await keyOf('IdpUser', by), to: await keyOf('IdpUser', to) },
    ...{ items: [ann.number], reason: 'on leave' },
  });
  await sent(`/${id}:reassign`, await give('ben', 'fay'), 403);
  await sent(`/${id}:reassign`, await give('mia', 'ann'), 403);
  await sent(`/${id}:reassign`, await give('mia', 'lee'), 400);
  await sent(`/${id}:reassign`, await give('mia', 'ben'));
  await sent(`/${id}:decide`, await decision('mia', 'keep', [ann]), 403);
  await sent(`/${id}:decide`, await decision('ben', 'keep', [ann]));
  await sent(`/${id}:reassign`, await give('olga', 'fay'), 409);
});

test('only the owner closes, once nothing is pending, and an illegal step changes nothing', async () => {
  const id = await opened();
  const items = await itemsOf(id);
  const close = async (name: string): Promise<Body> => ({
    ...{ on_behalf_of: await keyOf('IdpUser', name), attestation: 'I attest it.' },
  });
  await sent(`/${id}:close`, await close('olga'), 409);
  for (const item of items) {
    const reviewer = String(item.reviewer.name);
    await sent(`/${id}:decide`, await decision(reviewer, 'keep', [item], 'needed'));
  }
  await sent(`/${id}:close`, await close('mia'), 403);
  const closed = valueOf(await sent(`/${id}:close`, await close('olga')));
  expect(closed).toMatchObject({
    review: { state: 'closed', remediated_at: expect.any(String) as string },
    numbers: { items: 6, keep: 6, pending: 0 },
  });
  expect(valueOf(await sent(`/${id}:close`, await close('olga')))).toEqual(closed);
  await sent(`/${id}:decide`, await decision('mia', 'revoke', items.slice(0, 1), 'late'), 409);
  await sent(`/${id}:cancel`, { reason: 'late' }, 409);
  expect(valueOf((await service.send('get', `${REVIEWS}/${id}`)).body as Body)).toEqual(closed);
  // The next review carries over what did not change, and shows what did.
  await pushed(
    vault,
    application({ reads: ['ann', 'ben', 'lee', 'mia'], writes: ['mia'], team: ['ann'] }),
  );
  await pushed(people, directory([], { is_active: false }));
  const next = await opened({ before: id });
  const [carried, pending] = [
    await itemsOf(next, '?state=carried'),
    await itemsOf(next, '?state=pending'),
  ];
  expect(carried.length).toBe(4);
  expect(pending.map(({ marks }) => marks.join())).toEqual(
    expect.arrayContaining(['privileged', 'new', 'inactive']),
  );
  expect(pending.length).toBe(3);
});

/** What the background does after pushes. */
const followed = (): Promise<void> => followReviews(service.context)(() => false);

const decideAll = async (id: string, revoked: Readonly<Record<string, string>>): Promise<void> => {
  for (const item of await itemsOf(id)) {
    const isRevoked =
      revoked[item.shown.holder.name] !== undefined &&
      item.shown.holds.includes(revoked[item.shown.holder.name] ?? '');
    const by = String(item.reviewer.name);
    await sent(
      `/${id}:decide`,
      await decision(by, isRevoked ? 'revoke' : 'keep', [item], 'as the work demands'),
    );
  }
};

const close = async (id: string): Promise<Body> =>
  valueOf(
    await sent(`/${id}:close`, {
      on_behalf_of: await keyOf('IdpUser', 'olga'),
      attestation: 'All decisions are right.',
    }),
  );

const remediationOf = async (id: string, name: string, holds: string): Promise<Body | null> =>
  itemOf(await itemsOf(id), name, holds).remediation;

const verified = async (id: string): Promise<Body> => sent(`/${id}:verify`);

test('the push after which the fact and the access are gone confirms a revoke, and its return is reported', async () => {
  const id = await opened();
  await decideAll(id, { ben: 'read' });
  expect(await close(id)).toMatchObject({
    review: { state: 'closed', remediated_at: null },
    remediation: { open: 1, confirmed: 0 },
  });
  await followed();
  expect(await remediationOf(id, 'ben', 'read')).toMatchObject({ state: 'ordered' });
  const push = await pushed(
    vault,
    application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] }),
  );
  await followed();
  await followed();
  expect(await remediationOf(id, 'ben', 'read')).toMatchObject({ state: 'confirmed', push });
  const sealed = valueOf((await service.send('get', `${REVIEWS}/${id}`)).body as Body);
  expect(sealed).toMatchObject({ review: { remediated_at: expect.any(String) as string } });
  expect(await verified(id)).toMatchObject({ verified: true, findings: [] });
  const back = await pushed(
    vault,
    application({ reads: ['ann', 'ben', 'lee'], writes: ['mia'], team: ['ann'] }),
  );
  // The push of somebody else brought nothing back.
  await pushed(people, directory([user('new')]));
  await followed();
  await followed();
  expect(await remediationOf(id, 'ben', 'read')).toMatchObject({ state: 'came_back', push: back });
  const events = await ask(
    service.graph,
    "MATCH (e:Event {event_type: 'REVIEW_ACCESS_RETURNED'}) WHERE e.metadata CONTAINS $id RETURN e.message AS message",
    { id },
  );
  expect(events.length).toBe(1);
  expect(await verified(id)).toMatchObject({ verified: true, findings: [] });
  // What confirms it then is the push that removed it again, and not the first one.
  const again = await pushed(
    vault,
    application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] }),
  );
  await followed();
  expect(await remediationOf(id, 'ben', 'read')).toMatchObject({ state: 'confirmed', push: again });
  expect(await verified(id)).toMatchObject({ verified: true, findings: [] });
});

test('no push confirms a revoke once the history does not reach back to the review', async () => {
  const id = await opened();
  await decideAll(id, { ben: 'read' });
  const [store] = await ask(
    service.graph,
    "MATCH (s:Store {key: 'store'}) RETURN toString(s.history_since) AS since",
    {},
  );
  const historySince = (since: unknown): Promise<unknown> =>
    runTransaction(service.graph, LATEST, (tx) =>
      tx.run("MATCH (s:Store {key: 'store'}) SET s.history_since = datetime($since)", { since }),
    );
  await historySince(new Date().toISOString());
  try {
    await pushed(vault, application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] }));
    await followed();
    expect(await remediationOf(id, 'ben', 'read')).toMatchObject({
      ...{ state: 'blocked', through: [expect.stringContaining('no push shows')] },
    });
  } finally {
    await historySince(store?.since);
  }
});

test('a revoke whose access is left says through what, until somebody who did not review it excepts it', async () => {
  const id = await opened();
  await decideAll(id, { ann: 'permission "read"' });
  await close(id);
  await pushed(vault, application({ reads: ['ben', 'lee'], writes: ['mia'], team: ['ann'] }));
  await followed();
  expect(await remediationOf(id, 'ann', 'permission "read"')).toMatchObject({
    ...{ state: 'blocked', through: ['group "team"'] },
  });
  const { number } = itemOf(await itemsOf(id), 'ann', 'permission "read"');
  const exception = async (name: string, until = '2027-01-01T00:00:00Z'): Promise<Body> => ({
    ...{
      on_behalf_of: await keyOf('IdpUser', name),
      items: [number],
      until,
      reason: 'the team reads',
    },
  });
  await sent(`/${id}:except`, await exception('mia'), 403);
  await sent(`/${id}:except`, await exception('ann'), 403);
  await sent(`/${id}:except`, await exception('fay', '2099-01-01T00:00:00Z'), 400);
  await sent(`/${id}:except`, await exception('fay'));
  const sealed = valueOf((await service.send('get', `${REVIEWS}/${id}`)).body as Body);
  expect(sealed).toMatchObject({
    review: { remediated_at: expect.any(String) as string },
    remediation: { open: 0, excepted: 1 },
  });
  expect(await verified(id)).toMatchObject({ verified: true, findings: [] });
});

test('an exception that has ended orders the revoke again', async () => {
  const id = await opened();
  const items = await itemsOf(id);
  const ben = itemOf(items, 'ben', 'read');
  await sent(`/${id}:decide`, await decision('mia', 'revoke', [ben], 'left'));
  const until = new Date(Date.now() + 86_400_000).toISOString();
  const exception = {
    on_behalf_of: await keyOf('IdpUser', 'fay'),
    items: [ben.number],
    until,
    reason: 'a month more',
  };
  await sent(`/${id}:except`, exception);
  await followed();
  expect(await remediationOf(id, 'ben', 'read')).toMatchObject({ state: 'excepted' });
  await runTransaction(service.graph, LATEST, (tx) =>
    tx.run(
      "MATCH (d:ReviewRemediation {review: $id}) SET d.excepted_until = datetime('2020-01-01T00:00:00Z')",
      { id },
    ),
  );
  await followed();
  expect(await remediationOf(id, 'ben', 'read')).toMatchObject({
    state: 'ordered',
    excepted_until: null,
  });
  expect(await verified(id)).toMatchObject({ verified: true, findings: [] });
});

test('the deletion of a source proves no revoke, and the item says so', async () => {
  const id = await opened();
  await decideAll(id, { ben: 'read' });
  await close(id);
  await service.send('delete', `/api/v1/providers/custom/${vault.id}?erase=true`);
  await followed();
  const open = valueOf((await service.send('get', `${REVIEWS}/${id}`)).body as Body);
  expect(open).toMatchObject({
    review: { remediated_at: null },
    remediation: { open: 1, confirmed: 0 },
  });
});

test('a pending fact that a push removes is gone, and nobody decides about it', async () => {
  const id = await opened();
  const ben = itemOf(await itemsOf(id), 'ben', 'read');
  await pushed(vault, application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] }));
  await followed();
  expect((await itemsOf(id))[ben.number - 1]?.state).toBe('gone');
  await sent(`/${id}:decide`, await decision('mia', 'keep', [ben]), 409);
  expect(await verified(id)).toMatchObject({ verified: true, findings: [] });
});

test('a fact that comes back before the review closes is pending again', async () => {
  const id = await opened();
  const ben = itemOf(await itemsOf(id), 'ben', 'read');
  await pushed(vault, application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] }));
  await followed();
  expect((await itemsOf(id))[ben.number - 1]?.state).toBe('gone');
  await pushed(
    vault,
    application({ reads: ['ann', 'ben', 'lee'], writes: ['mia'], team: ['ann'] }),
  );
  await followed();
  expect((await itemsOf(id))[ben.number - 1]).toMatchObject({
    state: 'pending',
    remediation: null,
  });
  await sent(`/${id}:decide`, await decision('mia', 'keep', [ben]));
  expect(await verified(id)).toMatchObject({ verified: true, findings: [] });
});

/** How many accounts are more than the service changes at once. */
const MANY = 520;

test('of too many silent items none is revoked, however many are left', async () => {
  const names = Array.from({ length: MANY }, (_, number) => `u${number}`);
  const { applications, ...more } = application({}) as { readonly applications: readonly Body[] };
  // All of Ann, whose manager has them first.
  const local_users = names.map((name) => ({ name, identities: ['ann'], groups: ['team'] }));
  await pushed(vault, { ...more, applications: [{ ...applications[0], local_users }] });
  const id = await opened({ on_silence: 'revoke', grace_days: 1 });
  const states = async (): Promise<readonly Body[]> =>
    ask(
      service.graph,
      'MATCH (i:ReviewItem) WHERE i.review STARTS WITH $id MATCH (p:ReviewPerson {review: i.review, alias: i.reviewer}) RETURN DISTINCT i.state AS state, p.name AS reviewer',
      { id },
    );
  for (const [days, state] of [
    [0.5, 'pending'],
    [2, 'excepted'],
  ] as const) {
    const at = new Date(Date.now() - days * 86_400_000).toISOString();
    await runTransaction(service.graph, LATEST, (tx) =>
      tx.run('MATCH (r:Review {key: $id}) SET r.due = datetime($at)', { id, at }),
    );
    await followed();
    expect(await states()).toEqual([{ state, reviewer: 'fay' }]);
  }
}, 120_000);

test('a key reads one whole review at a time', async () => {
  const id = await opened();
  const read = (): Promise<{ readonly status: number }> =>
    service
      .send('get', `${REVIEWS}/${id}/evidence`)
      .responseType('blob')
      .then((answer) => answer);
  let end = (): void => undefined;
  const isEnded = new Promise<void>((resolve) => {
    end = resolve;
  });
  let holds = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => {
    holds = resolve;
  });
  const holding = runTransaction(service.graph, LATEST, async (tx) => {
    await tx.run('MATCH (r:Review {key: $id}) SET r.lock = true REMOVE r.lock', { id });
    holds();
    await isEnded;
  });
  await isHeld;
  const answers = [read(), read()];
  expect((await Promise.race(answers)).status).toBe(429);
  end();
  await holding;
  expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 429]);
});

test.each([
  ['except', { excepted: 5, keep: 1 }],
  ['revoke', { revoke: 5, keep: 1 }],
])(
  'silence is never a keep: after the due date it is an exception or a revoke (%s)',
  async (on_silence, numbers) => {
    const id = await opened({ on_silence, grace_days: 1 });
    const ben = itemOf(await itemsOf(id), 'ben', 'read');
    await sent(`/${id}:decide`, await decision('mia', 'keep', [ben]));
    const due = async (days: number): Promise<void> => {
      const at = new Date(Date.now() - days * 86_400_000).toISOString();
      await runTransaction(service.graph, LATEST, (tx) =>
        tx.run('MATCH (r:Review {key: $id}) SET r.due = datetime($at)', { id, at }),
      );
      await followed();
    };
    await due(0.5);
    expect((await itemsOf(id, '?state=pending')).map(({ reviewer }) => reviewer.name)).toEqual([
      'fay',
      'fay',
      'fay',
      'fay',
      'fay',
    ]);
    await due(2);
    expect(valueOf((await service.send('get', `${REVIEWS}/${id}`)).body as Body)).toMatchObject({
      numbers: { ...numbers, items: 6, pending: 0 },
    });
    const { findings } = await verified(id);
    expect(findings).toEqual(['The review has another due than when it was opened.']);
  },
);

test('what an opening that was killed left is never seen, and goes', async () => {
  const id = await created();
  const run = `${id}/killed`;
  await runTransaction(service.graph, LATEST, (tx) =>
    tx.run(
      "MATCH (r:Review {key: $id}) SET r.openings = [$run], r.opening_since = datetime('2020-01-01T00:00:00Z') CREATE (:ReviewItem {key: $run + '|1', review: $run, number: 1, state: 'pending'})",
      { id, run },
    ),
  );
  expect(await itemsOf(id)).toEqual([]);
  const { token } = valueOf(await sent(`/${id}:plan`));
  await sent(`/${id}:open`, { token });
  expect((await itemsOf(id)).length).toBe(6);
  await runTransaction(service.graph, LATEST, (tx) =>
    tx.run("MATCH (r:Review {key: $id}) SET r.opening_since = datetime('2020-01-01T00:00:00Z')", {
      id,
    }),
  );
  await followed();
  const left = await ask(service.graph, 'MATCH (i:ReviewItem {review: $run}) RETURN i.key AS key', {
    run,
  });
  expect(left).toEqual([]);
  expect(await verified(id)).toMatchObject({ verified: true });
});

test.each([
  [
    'the state of an item',
    'MATCH (i:ReviewItem) WHERE i.review STARTS WITH $id AND i.number = 1 SET i.state = "keep"',
    'Item 1',
  ],
  [
    'what an item showed',
    `MATCH (i:ReviewItem) WHERE i.review STARTS WITH $id AND i.number = 2 SET i.shown = '{}'`,
    'Item 2',
  ],
  [
    'the marks of an item',
    'MATCH (i:ReviewItem) WHERE i.review STARTS WITH $id AND i.number = 3 SET i.marks = ["guest"]',
    'Item 3',
  ],
  [
    'an item that is gone',
    'MATCH (i:ReviewItem) WHERE i.review STARTS WITH $id AND i.number = 4 DELETE i',
    'Item 4 is missing',
  ],
  [
    'the reviewer of an item',
    'MATCH (i:ReviewItem) WHERE i.review STARTS WITH $id AND i.number = 5 SET i.reviewer = "P1"',
    'Item 5',
  ],
  [
    'what a decision says',
    'MATCH (e:ReviewDecision {review: $id, seq: 1}) SET e.reason = "better"',
    'Entry 1',
  ],
  ['who decided', 'MATCH (e:ReviewDecision {review: $id, seq: 1}) SET e.by = "P9"', 'Entry 1'],
  [
    'a decision that is gone',
    'MATCH (e:ReviewDecision {review: $id, seq: 1}) DELETE e',
    'Entry 1 is missing',
  ],
  [
    'the hash of a decision',
    'MATCH (e:ReviewDecision {review: $id, seq: 2}) SET e.hash = "0"',
    'Entry 2',
  ],
  ['the head', 'MATCH (r:Review {key: $id}) SET r.head = "0"', 'The head'],
  [
    'the digest of the population',
    'MATCH (r:Review {key: $id}) SET r.digest = "0"',
    'The digest of the population',
  ],
  ['the owner', 'MATCH (r:Review {key: $id}) SET r.owner_alias = "P9"', 'another owner_alias'],
  ['the name', 'MATCH (r:Review {key: $id}) SET r.name = "Other"', 'another name'],
  ['the state', 'MATCH (r:Review {key: $id}) SET r.state = "closed"', 'another state'],
  [
    'the first seal',
    'MATCH (r:Review {key: $id}) SET r.closed_at = datetime()',
    'another closed_at',
  ],
  [
    'the second seal',
    'MATCH (r:Review {key: $id}) SET r.remediated_at = datetime()',
    'another remediated_at',
  ],
  [
    'the attestation',
    'MATCH (r:Review {key: $id}) SET r.attestation = "so"',
    'another attestation',
  ],
  ['the settings', 'MATCH (r:Review {key: $id}) SET r.grace_days = 90.0', 'another grace_days'],
])('who changes %s in Neo4j is found', async (_, statement, finding) => {
  const id = await opened();
  const items = await itemsOf(id);
  for (const [name, holds] of [
    ['ann', 'permission "read"'],
    ['ben', 'read'],
  ] as const) {
    await sent(
      `/${id}:decide`,
      await decision('mia', 'revoke', [itemOf(items, name, holds)], 'left'),
    );
  }
  expect(await verified(id)).toMatchObject({ verified: true, findings: [] });
  await runTransaction(service.graph, LATEST, (tx) => tx.run(statement, { id }));
  const { verified: isVerified, findings } = await verified(id);
  expect(isVerified).toBe(false);
  expect(findings).toContainEqual(expect.stringContaining(finding));
});

test('a verification says that it compares no population with more facts than a review has', async () => {
  const id = await opened();
  const tooMany = jest.spyOn(population, 'populationOf').mockImplementation(function* () {
    yield;
    throw new population.TooManyItems();
  });
  try {
    const { verified: isVerified, checked } = await verified(id);
    expect(isVerified).toBe(true);
    expect(checked).toContainEqual(expect.stringContaining('not the population: '));
  } finally {
    tooMany.mockRestore();
  }
});

test('an erased person stays in a review as an alias, and the review is still verified', async () => {
  const id = await opened();
  const ben = itemOf(await itemsOf(id), 'ben', 'read');
  await sent(`/${id}:decide`, await decision('mia', 'keep', [ben]));
  const principal = await keyOf('IdpUser', 'ben');
  const plan = await service.post('/api/v1/erase', { principal });
  expect(plan.status).toBe(200);
  const { confirmation } = (plan.body as { value: { confirmation: string } }).value;
  const erased = await service
    .post('/api/v1/erase', { principal })
    .set('Grantgraph-Confirm-Removal', confirmation);
  expect([erased.status, erased.text]).toEqual([200, expect.any(String)]);
  const after = (await itemsOf(id))[ben.number - 1];
  expect(after?.holder).toEqual({ alias: expect.any(String) as string, name: null });
  expect(await verified(id)).toMatchObject({ findings: [] });
  const { erased: changed } = await verified(id);
  expect(changed).toBeGreaterThan(0);
});

test('all of a review is in a backup, and reminders are events', async () => {
  const id = await opened();
  const { values } = await sent(`/${id}:remind`);
  expect(values).toEqual(
    expect.arrayContaining([
      { alias: expect.any(String) as string, name: 'mia', pending: 3 },
      { alias: expect.any(String) as string, name: 'olga', pending: 1 },
    ]),
  );
  const labels = new Set(reviews.records.map(({ label }) => label));
  expect([...labels].sort()).toEqual([
    'Review',
    'ReviewDecision',
    'ReviewItem',
    'ReviewPerson',
    'ReviewRemediation',
  ]);
  expect(reviews.records.every(({ holds }) => holds?.isLeftOutOfBackups !== true)).toBe(true);
});

type Files = Record<string, Uint8Array>;

const evidenceOf = async (id: string): Promise<Files> => {
  const answer = await service.send('get', `${REVIEWS}/${id}/evidence`).responseType('blob');
  expect(answer.status).toBe(200);
  return unzipSync(answer.body as Buffer);
};

/** What the script says about some files, in a zip file with a manifest of them. */
const saidByScript = async (files: Files, ...more: readonly string[]): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'evidence-'));
  const file = join(folder, 'evidence.zip');
  await writeFile(file, zipSync(files));
  const script = join(__dirname, '../../examples/verify-review.py');
  try {
    return (await promisify(execFile)('python3', [script, file, ...more])).stdout;
  } catch (error) {
    return (error as { stdout: string }).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** Files that somebody changed, together with the manifest. */
const changedBy = (files: Files, name: string, change: (text: string) => string): Files => {
  const changed = { ...files, [name]: strToU8(change(strFromU8(files[name] ?? new Uint8Array()))) };
  const manifest = JSON.parse(strFromU8(changed['manifest.json'] ?? new Uint8Array())) as {
    sha256: Record<string, string>;
  };
  manifest.sha256[name] = createHash('sha256')
    .update(changed[name] ?? '')
    .digest('hex');
  return { ...changed, 'manifest.json': strToU8(JSON.stringify(manifest)) };
};

test('the script verifies the evidence without the service, and names what somebody changed', async () => {
  const id = await opened({ name: 'Vault "ž" <b>' });
  await decideAll(id, { ben: 'read' });
  const { review } = await close(id);
  await pushed(vault, application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] }));
  await followed();
  const files = await evidenceOf(id);
  expect(Object.keys(files).sort()).toEqual([
    ...['decisions.csv', 'decisions.jsonl', 'items.csv', 'items.jsonl', 'manifest.json'],
    ...['people.jsonl', 'remediation.csv', 'review.html', 'review.json'],
  ]);
  const said = await saidByScript(files, String((review as Body).head));
  expect(said).toContain('pending 0, keep 5, revoke 1, gone 0, carried 0, excepted 0');
  expect(said).toMatch(/\nverified\n$/);
  expect(strFromU8(files['review.html'] ?? new Uint8Array())).toContain(
    'Vault &quot;ž&quot; &lt;b&gt;',
  );
  expect(await saidByScript(files, '0'.repeat(64))).toContain('does not have the head');
  for (const [name, change, finding] of [
    [
      'items.jsonl',
      (text: string) => text.replace('"state":"revoke"', '"state":"keep"'),
      'its state',
    ],
    ['items.jsonl', (text: string) => text.replace('group', 'groop'), 'its texts'],
    ['items.jsonl', (text: string) => text.replace('"privileged"', '"guest"'), 'its digest'],
    ['items.jsonl', (text: string) => text.split('\n').slice(1).join('\n'), 'item 1 is missing'],
    ['decisions.jsonl', (text: string) => text.replace('as the work demands', 'so'), 'its texts'],
    [
      'decisions.jsonl',
      (text: string) => text.replace('"act":"revoke"', '"act":"keep"'),
      'its hash',
    ],
    ['decisions.jsonl', (text: string) => text.split('\n').slice(1).join('\n'), 'the one before'],
    [
      'decisions.jsonl',
      (text: string) => text.split('\n').slice(0, -2).join('\n'),
      'the head of the chain',
    ],
    ['review.json', (text: string) => text.replace(/"digest": "../, '"digest": "00'), 'the digest'],
    [
      'review.json',
      (text: string) => text.replace('grace_days\\":7', 'grace_days\\":9'),
      'settings',
    ],
  ] as const) {
    expect([name, await saidByScript(changedBy(files, name, change))]).toEqual([
      name,
      expect.stringContaining(finding),
    ]);
  }
  for (const [name, change, finding] of [
    [
      'items.jsonl',
      (text: string) => text.replace('"remediation":"confirmed"', '"remediation":"excepted"'),
      'remediation is another one',
    ],
    [
      'review.json',
      (text: string) => text.replace('All decisions are right.', 'None is wrong.'),
      'the attestation',
    ],
    ['review.json', (text: string) => text.replace('"pairs": ', '"pairs": 1'), 'another coverage'],
  ] as const) {
    expect([name, await saidByScript(changedBy(files, name, change))]).toEqual([
      name,
      expect.stringContaining(finding),
    ]);
  }
  // A chain that was cut off before the closing, with the head and the number of what is left.
  const entries = strFromU8(files['decisions.jsonl'] ?? new Uint8Array())
    .trim()
    .split('\n');
  const left = entries.slice(0, 6);
  const { hash } = JSON.parse(left.at(-1) ?? '') as { hash: string };
  const cut = changedBy(
    changedBy(files, 'decisions.jsonl', () => `${left.join('\n')}\n`),
    'review.json',
    (text) =>
      text
        .replace(
          `"head": "${String((JSON.parse(text) as { review: Body }).review.head)}"`,
          `"head": "${hash}"`,
        )
        .replace(`"entries": ${entries.length}`, '"entries": 6'),
  );
  const saidOfCut = await saidByScript(cut, hash);
  expect(saidOfCut).not.toContain('the head');
  expect(saidOfCut).toContain('a seal is not what the chain says');
  const bare = { ...files, 'items.csv': strToU8('number\n') };
  expect(await saidByScript(bare)).toContain('items.csv');
});
