/** @more reviews */

import { doublingRetries } from '../../../src/background';
import { FAILED_ACTIONS } from '../../../src/features/console/overview/statements';
import { figuresOf } from '../../../src/graph/records/figures';
import { ask } from '../../../src/neo4j/ask';
import { timedPolicies } from '../../../src/scim/policies/running/due-policies';
import { LeaseLost } from '../../../src/scim/policies/graph/lease';
import { Timetable } from '../../../src/scim/timetable';
import { TOKEN } from '../../scim/acting';
import { type MisbehavingServer, misbehavingServer } from '../../scim/misbehaving-server';
import { policyService } from '../policy-stage';
import { signedIn } from './signed-in';
import {
  application as vaultWith,
  type Body,
  changedInNeo4j,
  chainOf,
  close,
  decideAll,
  directory,
  followed,
  itemOf,
  itemsOf,
  keyOf,
  opened,
  people,
  pushed,
  remediationOf,
  REVIEWS,
  sent,
  service,
  useVault,
  vault,
  verified,
} from './vault';

/* What a closed review sends over SCIM, and what stays a task (docs/reviews.md: Sending revokes over SCIM). */

const PROVIDERS = '/api/v1/providers/custom';
const FIRST = { reads: ['ben', 'lee'], writes: ['mia'], team: ['ann'] };

let application: MisbehavingServer;

useVault(async () => {
  application = await misbehavingServer();
  // The first failure is the last try.
  return policyService(application.base, { retries: doublingRetries(30, 1) });
});
afterAll(() => application.close());

const account = (name: string) => ({
  id: `u-${name}`,
  userName: name,
  displayName: `${name} Berg`,
  active: true,
  emails: [{ value: `${name}@vault.example`, type: 'work', primary: true }],
});

/** Changes the provider of the vault. */
const change = async (body: Body): Promise<void> => {
  const answer = await service.send('patch', `${PROVIDERS}/${vault.id}`, body);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
};

const connect = async (): Promise<void> => {
  const authentication = { type: 'bearer', token: TOKEN };
  const connection = { base_url: application.base, authentication };
  const answer = await service.send('put', `${PROVIDERS}/${vault.id}/scim`, connection);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
};

beforeEach(async () => {
  application.reset();
  for (const name of ['ann', 'ben', 'mia']) application.users.set(`u-${name}`, account(name));
  application.groups.set('t', {
    id: 't',
    displayName: 'team',
    members: [{ value: 'u-ann' }, { value: 'u-mia' }],
  });
  await change({ external_lifecycle_management_type: 'SCIM', provisioning: true });
  await connect();
  await pushed(vault, vaultWith(FIRST));
});

/** A review that is closed, in which Ann was revoked from the team, and what else is named. */
const closed = async (revoked: Readonly<Record<string, string>> = { ann: 'group' }) => {
  const id = await opened();
  await decideAll(id, revoked);
  await close(id);
  return id;
};

const numberOf = async (id: string, name = 'ann', holds = 'group'): Promise<number> =>
  itemOf(await itemsOf(id), name, holds).number;

/** What would be sent of the items; or what is, with a token. */
const send = async (id: string, more: Body = {}, status = 200): Promise<Body> =>
  sent(`/${id}:send`, { items: [await numberOf(id)], ...more }, status);

const tokenOf = async (id: string): Promise<string> => {
  const { token, values } = await send(id);
  expect([token, values]).toEqual([expect.any(String), expect.any(Array)]);
  return String(token);
};

/** What the background does about policies each second. */
const round = async (): Promise<void> => {
  const timetable = new Timetable(timedPolicies(service.lifecycle, service.context.log));
  await timetable.round(() => false);
  await timetable.settled();
};

const sendings = async (id: string): Promise<number> =>
  (await chainOf(id)).filter(({ act }) => act === 'send').length;

const actions = (): Promise<readonly Body[]> =>
  ask(
    service.graph,
    `MATCH (a:LifecycleAction {provider: $id})
    RETURN a.status AS status, a.outcome AS outcome, a.attempts AS attempts ORDER BY a.key`,
    { id: vault.id },
  );

test('a closed review says what it would send, sends it once, and only a push confirms it', async () => {
  const id = await opened();
  await decideAll(id, { ann: 'group' });
  await send(id, {}, 409);
  await close(id);
  const look = await send(id);
  expect(look).toMatchObject({
    sent: false,
    values: [
      {
        goes_out: true,
        what: expect.stringMatching(
          /^account "ann" \(ann Berg, u-ann\) out of group "team" of /,
        ) as string,
        why: null,
      },
    ],
  });
  await send(id, { token: 'another' }, 409);
  await round();
  expect([application.writes(), await sendings(id)]).toEqual([[], 0]);

  const on_behalf_of = await keyOf('IdpUser', 'olga');
  const with_token = { token: look.token, on_behalf_of };
  expect(await send(id, with_token)).toMatchObject({ sent: true, values: [{ goes_out: true }] });
  // Twice, and by two requests at once.
  await Promise.all([send(id, with_token), send(id, with_token)]);
  expect(await sendings(id)).toBe(1);
  expect(await remediationOf(id, 'ann', 'group')).toMatchObject({
    state: 'ordered',
    sent: {
      by: { name: 'olga' },
      answer: null,
      to: expect.stringMatching(/^The account of this item out of its group of "/) as string,
    },
  });
  await Promise.all([round(), round()]);
  await round();
  expect(application.writes()).toEqual(['PATCH /Groups/t']);
  expect(application.groups.get('t')?.members).toEqual([{ value: 'u-mia' }]);
  expect(await actions()).toMatchObject([{ status: 'DONE', outcome: 'removed' }]);

  // The application's answer proves nothing.
  await followed();
  expect(await remediationOf(id, 'ann', 'group')).toMatchObject({
    state: 'ordered',
    sent: { answer: 'removed' },
  });
  const push = await pushed(vault, vaultWith({ ...FIRST, team: [] }));
  await followed();
  expect(await remediationOf(id, 'ann', 'group')).toMatchObject({ state: 'confirmed', push });
  expect(await verified(id)).toMatchObject({ verified: true, findings: [] });
  for (const property of ['action', 'answer', 'sent_to', 'sent_by']) {
    const changed = `MATCH (d:ReviewRemediation {review: $id}) WHERE d.action IS NOT NULL
      SET d.was = d.${property}, d.${property} = 'another'`;
    await changedInNeo4j(id, changed);
    expect((await verified(id)).findings).not.toEqual([]);
    await changedInNeo4j(
      id,
      `MATCH (d:ReviewRemediation {review: $id}) WHERE d.action IS NOT NULL
      SET d.${property} = d.was REMOVE d.was`,
    );
  }
  expect((await verified(id)).findings).toEqual([]);
});

test('a process that is killed between sending and noting removes nobody twice', async () => {
  const id = await closed();
  await send(id, { token: await tokenOf(id) });
  const { records } = service.lifecycle;
  const take = records.take.bind(records);
  const killed = jest.spyOn(records, 'take').mockImplementation(async (...of) => {
    const lease = await take(...of);
    if (lease === null) return null;
    return {
      write: async (written) => {
        // What the process had sent has its effect, and nobody hears of it.
        if (application.writes().length > 0) throw new LeaseLost();
        await lease.write(written);
      },
      release: () => lease.release(),
    };
  });
  await round();
  killed.mockRestore();
  expect(await actions()).toMatchObject([{ status: 'PLANNED' }]);
  await round();
  expect(application.writes()).toEqual(['PATCH /Groups/t']);
  expect(await actions()).toMatchObject([{ status: 'DONE', outcome: 'unchanged' }]);
  await followed();
  expect(await remediationOf(id, 'ann', 'group')).toMatchObject({
    state: 'ordered',
    sent: { answer: 'The account was no member by then.' },
  });
});

test('what the application refuses is told, and stays ordered until somebody sends it again', async () => {
  const id = await closed();
  const token = await tokenOf(id);
  await send(id, { token });
  application.misdeed = ({ method }, res, next) => {
    if (method !== 'PATCH') return next();
    res.writeHead(403, { 'content-type': 'application/scim+json' }).end('{}');
  };
  await round();
  await followed();
  expect(await remediationOf(id, 'ann', 'group')).toMatchObject({
    state: 'ordered',
    sent: { answer: expect.stringMatching(/^Given up: REFUSED: /) as string },
  });
  application.misdeed = null;
  // Policies list no actions of reviews, and try none of them again.
  const policies = `${PROVIDERS}/${vault.id}/policies`;
  const retried = await service.send('post', `${policies}:retry`, {});
  expect([retried.status, retried.body]).toMatchObject([200, { retried: 0 }]);
  const listed = await service.send('get', `${policies}:actions`);
  expect([listed.status, (listed.body as Body).values]).toEqual([200, []]);
  // Metrics and the overview count them as little.
  const figures = await figuresOf(service.context)();
  expect(figures?.policies.map(({ open, dead }) => [open, dead])).toEqual([[0, 0]]);
  const [failed] = await ask(service.graph, FAILED_ACTIONS);
  expect(Number(failed?.count ?? 0)).toBe(0);
  // The same token has been used; another look gives another one.
  await send(id, { token });
  await round();
  expect(await sendings(id)).toBe(1);
  await send(id, { token: await tokenOf(id) });
  await round();
  expect([await sendings(id), application.groups.get('t')?.members]).toEqual([
    2,
    [{ value: 'u-mia' }],
  ]);
  await followed();
  expect(await verified(id)).toMatchObject({ findings: [] });
});

test('an account or a group that is another one by the time is not touched', async () => {
  const id = await closed();
  await send(id, { token: await tokenOf(id) });
  application.users.set('u-ann', { ...account('zoe'), id: 'u-ann' });
  await round();
  expect([application.writes(), await actions()]).toMatchObject([[], [{ status: 'DEAD' }]]);
});

test('an exception while a request is under way stops every further try', async () => {
  const id = await closed();
  await send(id, { token: await tokenOf(id) });
  const except = async (): Promise<void> => {
    await sent(`/${id}:except`, {
      on_behalf_of: await keyOf('IdpUser', 'fay'),
      items: [await numberOf(id)],
      until: new Date(Date.now() + 86_400_000).toISOString(),
      reason: 'on call',
    });
  };
  application.misdeed = ({ method }, res, next) => {
    if (method !== 'PATCH') return next();
    void except().finally(() => res.writeHead(403, { 'content-type': 'text/plain' }).end());
  };
  await round();
  expect(await actions()).toMatchObject([{ status: 'DROPPED' }]);
  application.misdeed = null;
  await round();
  expect(application.writes()).toEqual(['PATCH /Groups/t']);
});

test('what is under way when somebody makes an exception is told as it ended', async () => {
  const id = await closed();
  await send(id, { token: await tokenOf(id) });
  const except = async (): Promise<void> => {
    await sent(`/${id}:except`, {
      on_behalf_of: await keyOf('IdpUser', 'fay'),
      items: [await numberOf(id)],
      until: new Date(Date.now() + 86_400_000).toISOString(),
      reason: 'on call',
    });
    await followed();
  };
  application.misdeed = ({ method }, _res, next) => {
    if (method !== 'PATCH') return next();
    void except().finally(next);
  };
  await round();
  application.misdeed = null;
  await followed();
  expect(await actions()).toMatchObject([{ status: 'DONE', outcome: 'removed' }]);
  expect(await remediationOf(id, 'ann', 'group')).toMatchObject({
    state: 'excepted',
    sent: { answer: 'removed' },
  });
  expect(await verified(id)).toMatchObject({ findings: [] });
});

test('a review stores no name that only the application says', async () => {
  application.users.set('u-ann', { ...account('ann'), displayName: 'Annabel Secret' });
  const id = await closed();
  const look = await send(id);
  expect(JSON.stringify(look)).toContain('Annabel Secret');
  await send(id, { token: look.token });
  application.misdeed = ({ method }, res, next) => {
    if (method !== 'PATCH') return next();
    const detail = 'Annabel Secret is protected.';
    res.writeHead(403, { 'content-type': 'application/scim+json' }).end(JSON.stringify({ detail }));
  };
  await round();
  application.misdeed = null;
  await followed();
  expect(await remediationOf(id, 'ann', 'group')).toMatchObject({
    sent: { answer: 'Given up: REFUSED: The application refused the request.' },
  });
  const stored = await ask(
    service.graph,
    `MATCH (n) WHERE any(label IN labels(n) WHERE label STARTS WITH 'Review')
    RETURN properties(n) AS stored`,
  );
  expect(JSON.stringify(stored)).not.toContain('Secret');
});

test('an exception that somebody makes first stops what was not yet sent', async () => {
  const id = await closed();
  await send(id, { token: await tokenOf(id) });
  await sent(`/${id}:except`, {
    on_behalf_of: await keyOf('IdpUser', 'fay'),
    items: [await numberOf(id)],
    until: new Date(Date.now() + 86_400_000).toISOString(),
    reason: 'on call',
  });
  await round();
  await followed();
  expect([application.writes(), await actions()]).toMatchObject([[], [{ status: 'DROPPED' }]]);
  expect(await remediationOf(id, 'ann', 'group')).toMatchObject({
    state: 'excepted',
    sent: { answer: expect.stringMatching(/^Not tried again/) as string },
  });
  await send(id, {}, 409);
  expect(await verified(id)).toMatchObject({ findings: [] });
});

/** Why the revoke of Ann's membership stays a task. */
const taskBecause = async (id: string): Promise<unknown> => {
  const { token, values } = await send(id);
  expect(token).toBeNull();
  return (values as readonly Body[])[0]?.why;
};

test('what no request of SCIM can say stays a task, with the reason', async () => {
  const id = await closed({ ann: 'group', ben: 'read' });
  const items = [await numberOf(id), await numberOf(id, 'ben', 'read')];
  const { values } = await sent(`/${id}:send`, { items });
  const byItem = new Map((values as readonly Body[]).map((each) => [each.item, each]));
  expect(items.map((item) => byItem.get(item))).toMatchObject([
    { goes_out: true, why: null },
    { goes_out: false, why: expect.stringContaining('only removes members') as string },
  ]);
  const member = application.groups.get('t');
  const cases: readonly (readonly [why: RegExp, change: () => unknown])[] = [
    [
      /no member/,
      () => application.groups.set('t', { ...member, id: 't', members: [{ value: 'u-mia' }] }),
    ],
    [/^NO_GROUP/, () => application.groups.delete('t')],
    [
      /^AMBIGUOUS/,
      () => {
        for (const one of ['t', 's']) application.groups.set(one, { ...member, id: one });
      },
    ],
    [
      /^NO_ACCOUNT/,
      () => {
        application.groups.delete('s');
        application.users.delete('u-ann');
      },
    ],
    [
      /^NOT_AS_SHOWN/,
      // Somebody else has Ann's name as their id.
      () => application.users.set('ann', { ...account('zoe'), id: 'ann' }),
    ],
  ];
  for (const [why, done] of cases) {
    done();
    expect(await taskBecause(id)).toMatch(why);
  }
  await change({ provisioning: false });
  expect(await taskBecause(id)).toMatch(/is off/);
  await change({ provisioning: true });
  await service.send('delete', `${PROVIDERS}/${vault.id}/scim`);
  expect(await taskBecause(id)).toMatch(/no connection/);
  expect([application.writes(), await actions()]).toEqual([[], []]);
});

/** The vault, in which Ann's account is as a push says it, and the applications beside it. */
const vaultAs = (ann: Body, ...others: readonly Body[]): object => {
  const payload = vaultWith(FIRST) as { readonly applications: readonly Body[] };
  const [of = {}] = payload.applications;
  const users = (of.local_users as readonly Body[]).map((each) =>
    each.name === 'ann' ? { ...each, ...ann } : each,
  );
  return { ...payload, applications: [{ ...of, local_users: users }, ...others] };
};

test.each<[string, Body]>([
  ['the address', { email: 'mia@vault.example' }],
  ['an identity that nobody is known by', { identities: ['ann', 'E-4711'] }],
  ['the login alone', { name: 'Ann Berg', identities: [], id: 'mia' }],
  ['an identity', { identities: ['ann', 'mia'] }],
])('a push that gives the account of one human %s of another removes neither', async (_, more) => {
  application.users.set('u-mia', { ...account('mia'), externalId: 'E-4711' });
  await pushed(vault, vaultAs({ unique_id: 'u-mia', ...more }));
  const { name = 'ann' } = more as { readonly name?: string };
  const id = await closed({ [name]: 'group' });
  const { token, values } = await sent(`/${id}:send`, {
    items: [await numberOf(id, name)],
  });
  expect([token, values]).toMatchObject([null, [{ why: expect.any(String) as string }]]);
  expect(String((values as readonly Body[])[0]?.why)).toMatch(/^NOT_AS_SHOWN|Several people/);
});

test('a revoke stays a task if its account or its application may be another one by now', async () => {
  const id = await closed();
  await tokenOf(id);
  application.users.set('u-ann', { ...account('ben'), id: 'u-ann' });
  await pushed(vault, vaultAs({ unique_id: 'ann', identities: ['ben'] }));
  expect(await taskBecause(id)).toMatch(/who had it when the review was opened/);
  application.users.set('u-ann', account('ann'));
  await pushed(vault, vaultAs({}, { name: 'Other', application_type: 'vault' }));
  expect(await taskBecause(id)).toMatch(/several applications/);
  await pushed(vault, vaultAs({}));
  await tokenOf(id);
  const imported = `MERGE (i:ScimImport {key: '${vault.id}'}) SET i.data_source = 'another'`;
  await changedInNeo4j(id, imported);
  expect(await taskBecause(id)).toMatch(/Another data source/);
  await changedInNeo4j(id, 'MATCH (i:ScimImport) DETACH DELETE i');
});

test('a group that has the name of the reviewed one, but not its id, is not touched', async () => {
  const payload = vaultAs({}) as { readonly applications: readonly [Body] };
  const [of] = payload.applications;
  const groups = [{ name: 'team', unique_id: 't' }];
  await pushed(vault, { ...payload, applications: [{ ...of, local_groups: groups }] });
  const id = await closed();
  await tokenOf(id);
  const team = application.groups.get('t');
  application.groups.set('t', { ...team, id: 't', displayName: 'crew' });
  application.groups.set('s', { ...team, id: 's' });
  expect(await taskBecause(id)).toMatch(/^NOT_AS_SHOWN: .* group/);
});

test('a membership that a policy gives stays, since the policy would give it again', async () => {
  await pushed(people, directory());
  const policies = `${PROVIDERS}/${vault.id}/policies`;
  const answer = await service.send('post', policies, {
    name: 'Team',
    state: 'active',
    adopt: true,
    groups: ['team'],
    guard: { share: 1 },
    who: [{ filter: 'name eq "ann"', in: [people.data_source_id] }],
  });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  application.users.set('u-ann', { ...account('ann'), userName: 'ann@vault.example' });
  await service.send('post', `${policies}:run`);
  application.users.set('u-ann', account('ann'));
  const id = await closed();
  expect(await taskBecause(id)).toMatch(/^Policy .* change the policy\.$/);
});

test('only an administrator sends; an owner sees what would be sent, and a small key neither', async () => {
  const id = await closed();
  const items = String(await numberOf(id));
  const made = await service.post('/api/preview/teamkeys', {
    name: 'Vault team',
    scopes: ['read', 'push', 'admin'],
    providers: [vault.id],
  });
  expect([made.status, made.text]).toEqual([200, expect.any(String)]);
  const { id: key, access_key } = (made.body as { value: Readonly<Record<string, string>> }).value;
  const small = await service
    .post(`${REVIEWS}/${id}:send`, { items: [Number(items)] })
    .set('authorization', `Bearer ${access_key}`);
  expect(small.status).toBe(403);
  await service.send('delete', `/api/preview/teamkeys/${key}`);
  const at = `/console/reviews/${id}/progress`;
  const post = async (browser: Awaited<ReturnType<typeof signedIn>>, fields: Body) =>
    browser.post(at, { form_token: await browser.formToken(), items, ...fields });
  const owner = await signedIn(service, await keyOf('IdpUser', 'olga'));
  const look = await post(owner, { act: 'look' });
  expect([look.status, look.text]).toEqual([200, expect.stringContaining('Nothing was sent yet')]);
  expect(look.text).not.toContain('value="send"');
  expect((await post(owner, { act: 'send', token: await tokenOf(id) })).status).toBe(403);
  const auditor = await signedIn(service, null, 'auditor');
  expect((await post(auditor, { act: 'look' })).status).toBe(403);
  const admin = await signedIn(service, null, 'administrator');
  const shown = await post(admin, { act: 'look' });
  const token = /name="token" value="([^"]*)"/.exec(shown.text)?.[1] ?? '';
  const done = await post(admin, { act: 'send', token });
  expect([done.status, await sendings(id)]).toEqual([303, 1]);
  await round();
  await followed();
  expect((await owner.get(at)).text).toMatch(/Sent [^]*out of its group [^]*removed/);
});
