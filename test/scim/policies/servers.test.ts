/** @more scim */

import { deleteAccount, disableAccount, readAccount } from '../../../src/scim/client/accounts';
import type { Application as Acting } from '../../../src/scim/client/application';
import { fieldOf, idIn, type Json, objectsOf, textOf } from '../../../src/scim/client/json';
import { changeMembers } from '../../../src/scim/client/members';
import { listResources } from '../../../src/scim/client/paging';
import { type PolicyStage, policyService, policyStage, user } from '../../http/policy-stage';
import type { ServiceUnderTest } from '../../http/service-under-test';
import { act } from '../acting';
import { type Application, scim2Server } from '../scim2-server';
import { scimmyServer } from '../scimmy-server';

/** The same with servers that others have written, as they are. */
describe.each([
  ['scim2-server of PyPI', scim2Server],
  ['scimmy-routers of npm', scimmyServer],
])('%s', (_name, start) => {
  let application: Application;
  let service: ServiceUnderTest;
  let stage: PolicyStage;

  beforeAll(async () => {
    application = await start();
    service = await policyService(application.base);
    stage = await policyStage(service, application.base);
    await there(async ({ exchange }) => {
      for (const displayName of ['Writers', 'Admins']) {
        const schemas = ['urn:ietf:params:scim:schemas:core:2.0:Group'];
        await exchange.write('POST', '/Groups', { schemas, displayName });
      }
    });
  });
  afterAll(async () => {
    await service.close();
    await application.stop();
  });

  const there = async <A>(work: (to: Acting) => Promise<A>): Promise<A> => {
    const { result, fault } = await act(application.base, work);
    if (fault !== null) throw fault;
    return result as A;
  };

  const all = async (endpoint: string): Promise<readonly Json[]> =>
    there(async ({ exchange, can }) => {
      const found: Json[] = [];
      for await (const one of listResources(exchange, can, { endpoint })) found.push(one);
      return found;
    });

  /** Accounts as the application shows them: `name` or `(name)` if disabled, by group too. */
  const shown = async () => {
    const accounts = new Map((await all('/Users')).map((one) => [idIn(one, 'id'), one]));
    const nameOf = (one: Json | undefined): string => {
      const name = textOf(one ?? {}, 'displayName') ?? '?';
      return fieldOf(one ?? {}, 'active') === false ? `(${name})` : name;
    };
    const groups = (await all('/Groups')).map((group) => [
      textOf(group, 'displayName'),
      (objectsOf(group, 'members') ?? [])
        // Some servers leave deleted accounts in groups.
        .flatMap((member): readonly Json[] => {
          const one = accounts.get(idIn(member, 'value'));
          return one === undefined ? [] : [one];
        })
        .map(nameOf)
        .sort(),
    ]);
    return {
      accounts: [...accounts.values()].map(nameOf).sort(),
      groups: Object.fromEntries(groups) as Record<string, readonly string[]>,
    };
  };

  const idNamed = async (name: string): Promise<string> => {
    const found = (await all('/Users')).find((one) => textOf(one, 'displayName') === name);
    return idIn(found ?? {}, 'id') ?? '';
  };

  test('joiners, movers, leavers and changes by hand end as the policy says', async () => {
    const group = (name: string) => ({ name, identity: `g-${name}` });
    const groups = ['staff', 'editors'].map(group);
    const inGroup = (name: string) => ({ groups: [{ identity: `g-${name}` }] });
    await stage.push({
      groups,
      users: [user('ann', inGroup('editors')), user('bob'), user('carl')],
    });
    const answer = await stage.policy({
      who: [stage.everybody],
      drift: 'correct',
      guard: { share: 1 },
      groups: ['Writers', { name: 'Admins', who: { group: 'nobody', in: stage.everybody.in } }],
    });
    expect(answer.status).toBe(400);
    const set = await stage.policy({
      who: [stage.everybody],
      drift: 'correct',
      guard: { share: 1 },
      groups: ['Writers', { name: 'Admins', who: { group: 'editors', in: stage.everybody.in } }],
    });
    expect([set.status, set.text]).toEqual([200, expect.any(String)]);
    expect(await stage.run(true)).toMatchObject({ outcome: 'DONE', problem: null });
    expect(await shown()).toEqual({
      accounts: ['ann Berg', 'bob Berg', 'carl Berg'],
      groups: { Writers: ['ann Berg', 'bob Berg', 'carl Berg'], Admins: ['ann Berg'] },
    });

    await stage.push({
      groups,
      users: [
        user('ann', { full_name: 'Ann Holm' }),
        user('bob', { ...inGroup('editors'), email: 'robert@halden.example' }),
        user('dora'),
      ],
    });
    await stage.round();
    const moved = {
      accounts: ['(carl Berg)', 'Ann Holm', 'bob Berg', 'dora Berg'],
      groups: { Writers: ['Ann Holm', 'bob Berg', 'dora Berg'], Admins: ['bob Berg'] },
    };
    expect(await shown()).toEqual(moved);
    const bob = await there(async (to) => readAccount(to, await idNamed('bob Berg')));
    expect(fieldOf(bob?.resource ?? {}, 'userName')).toMatch(/^robert@/i);

    // A second run finds nothing to do.
    expect(await stage.plan(true)).toMatchObject({ actions: [], drift: [] });

    // Somebody changes things by hand.
    const [dora, ann] = [await idNamed('dora Berg'), await idNamed('Ann Holm')];
    await there((to) => deleteAccount(to, { account: dora }));
    await there((to) => disableAccount(to, { account: ann }));
    const bobs = { id: bob?.id ?? '', resource: {}, etag: null };
    await there((to) => changeMembers(to, 'Admins', 'remove', [bobs]));
    const { drift } = (await stage.plan(true)) as { drift: readonly { readonly what: string }[] };
    expect(drift.map(({ what }) => what).sort()).toEqual([
      'account_gone',
      'attributes',
      'member_missing',
    ]);
    await stage.run(true);
    expect(await shown()).toEqual(moved);
    expect(await stage.plan(true)).toMatchObject({ actions: [], drift: [] });

    // Somebody comes back.
    await stage.push({ groups, users: [user('ann'), user('bob'), user('carl'), user('dora')] });
    await stage.round();
    expect((await shown()).accounts).toEqual(['ann Berg', 'bob Berg', 'carl Berg', 'dora Berg']);
  });
});
