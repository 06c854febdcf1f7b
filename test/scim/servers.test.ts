/** @more scim */

import {
  deleteAccount,
  disableAccount,
  needAccount,
  readAccount,
} from '../../src/scim/client/accounts';
import { ensureAccount } from '../../src/scim/client/ensure-account';
import type { Application as Acting } from '../../src/scim/client/application';
import type { AttributeValue } from '../../src/scim/client/attribute';
import { describeApplication } from '../../src/scim/client/capabilities';
import { readGroup } from '../../src/scim/client/groups';
import { changeMembers } from '../../src/scim/client/members';
import type { Profile } from '../../src/scim/client/profile';
import { act as actOn } from './acting';
import { type Application, scim2Server } from './scim2-server';
import { scimmyServer } from './scimmy-server';

const DEPARTMENT = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department';

/** The same with servers that others have written, as they are, and with each way of writing. */
describe.each([
  ['scim2-server of PyPI', scim2Server],
  ['scimmy-routers of npm', scimmyServer],
])('%s', (_name, start) => {
  let application: Application;

  beforeAll(async () => {
    application = await start();
  });
  afterAll(() => application.stop());

  test('tells what it can do', async () => {
    const { result } = await actOn(application.base, ({ exchange }) =>
      describeApplication(exchange),
    );
    expect(result?.announces).toBe(true);
    expect(result?.resourceTypes.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['User', 'Group']),
    );
    expect(result?.userAttributes).toEqual(
      expect.objectContaining({ size: expect.any(Number) as number }),
    );
    expect(result?.userAttributes?.has('name.givenname')).toBe(true);
  });

  test.each<[string, Partial<Profile>]>([
    ['as it announces', {}],
    ['by PUT', { patch: false }],
    ['by PATCH without paths', { patch_paths: false }],
    ['without filters', { filter: false, page_size: 2 }],
    ['without externalId', { external_id: false }],
  ])('joiner, mover, leaver, %s', async (way, profile) => {
    const act = <A>(work: (to: Acting) => Promise<A>) => actOn(application.base, work, { profile });
    const userName = `Ann.${way.replaceAll(' ', '-')}@Halden.example`;
    const who = { externalId: profile.external_id === false ? null : `p ${way}`, userName };
    const ensure = async (more: Readonly<Record<string, AttributeValue>> = {}) => {
      const attributes = new Map<string, AttributeValue>(
        Object.entries({
          userName,
          displayName: 'Ann "the one" Berg',
          active: true,
          ...(who.externalId === null ? {} : { externalId: who.externalId }),
          'name.formatted': 'Ann Berg',
          'emails[type eq "work"].value': userName,
          ...more,
        }),
      );
      const { result, fault } = await act((to) =>
        ensureAccount(to, { who, attributes, mayCreate: true, adopt: false }),
      );
      expect(fault).toBeNull();
      return result;
    };
    const made = await ensure();
    expect(made).toMatchObject({ outcome: 'created', confirmed: true, ignored: [] });
    expect((await ensure())?.outcome).toBe('unchanged');

    // scimmy adds to a list what an operation without a path replaces.
    const email = profile.patch_paths === false ? userName : 'holm@halden.example';
    const moved = { displayName: 'Ann Holm', 'emails[type eq "work"].value': email };
    expect(await ensure(moved)).toMatchObject({ outcome: 'updated', ignored: [] });
    expect((await ensure(moved))?.outcome).toBe('unchanged');
    const { result: read } = await act((to) => readAccount(to, made?.account ?? ''));
    expect(read?.resource).toMatchObject({
      displayName: 'Ann Holm',
      emails: [expect.objectContaining({ value: email, type: 'work' })],
    });

    const which = { who, adopt: false };
    expect((await act((to) => disableAccount(to, which))).result?.outcome).toBe('disabled');
    expect((await act((to) => disableAccount(to, which))).result?.outcome).toBe('unchanged');
    expect((await ensure(moved))?.outcome).toBe('updated');
    expect((await act((to) => deleteAccount(to, which))).result?.outcome).toBe('deleted');
    expect((await act((to) => deleteAccount(to, which))).result?.outcome).toBe('absent');
  });

  test('the enterprise extension', async () => {
    const who = { externalId: 'dep', userName: 'dep@halden.example' };
    const ensure = async (department: string) => {
      const attributes = new Map([...Object.entries({ ...who, [DEPARTMENT]: department })]);
      const { result, fault } = await actOn(application.base, (to) =>
        ensureAccount(to, { who, attributes, mayCreate: true, adopt: false }),
      );
      return fault?.message ?? result?.outcome;
    };
    expect(await ensure('IT')).toBe('created');
    expect(await ensure('IT')).toBe('unchanged');
    expect(await ensure('HR')).toBe('updated');
    expect(await ensure('HR')).toBe('unchanged');
  });

  test.each<[string, Partial<Profile>]>([
    ['as it announces', {}],
    ['by PUT', { patch: false, shows_all_members: true }],
    ['without filters', { filter: false }],
  ])('members of a group, %s', async (way, profile) => {
    const act = <A>(work: (to: Acting) => Promise<A>) => actOn(application.base, work, { profile });
    const people = ['a', 'b', 'c'].map((name) => ({
      externalId: null,
      userName: `${name} ${way}`,
    }));
    const accounts: { readonly account: string }[] = [];
    // One after the other: the server lists what it is just creating in another order.
    for (const who of people) {
      const attributes = new Map([['userName', who.userName]]);
      const { result } = await act((to) =>
        ensureAccount(to, { who, attributes, mayCreate: true, adopt: false }),
      );
      accounts.push({ account: result?.account ?? '' });
    }
    const name = `Writers ${way}`;
    const group = await act(async ({ exchange }) => {
      const body = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: name };
      return String((await exchange.write('POST', '/Groups', body))?.body?.id);
    });
    const id = group.result ?? '';
    const change = async (how: 'add' | 'remove', of: typeof accounts) => {
      const { result, fault } = await act(async (to) => {
        const found = await Promise.all(of.map((which) => needAccount(to, which)));
        return changeMembers(to, name, how, found);
      });
      expect(fault).toBeNull();
      return result?.map((one) => ('fault' in one ? one.fault.message : one.outcome));
    };
    const members = async () =>
      [...((await act((to) => readGroup(to, id))).result?.members ?? [])].sort();
    const [a = accounts[0], b, c] = accounts as [
      { account: string },
      { account: string },
      { account: string },
    ];
    expect(await change('add', [a as { account: string }, b])).toEqual(['added', 'added']);
    expect(await change('add', [b, c])).toEqual(['unchanged', 'added']);
    expect(await change('remove', [b])).toEqual(['removed']);
    expect(await change('remove', [b])).toEqual(['unchanged']);
    expect(await members()).toEqual([a?.account, c.account].sort());
  });
});
