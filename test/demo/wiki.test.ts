/** @more scim */

import { join } from 'node:path';

import { type DemoService, pushCompany, startDemoService } from './service';
import { type DemoWiki, startDemoWiki } from './wiki';

const QUERIES = join(__dirname, '../../cypher/queries');

let wiki: DemoWiki;
let demo: DemoService;

beforeAll(async () => {
  wiki = await startDemoWiki();
  demo = await startDemoService(wiki.settings);
});
afterAll(async () => {
  await demo.stop();
  await wiki.stop();
});

/** What the application itself holds. */
const held = async (): Promise<unknown> => {
  const read = async (list: string) => {
    const answer = await fetch(`${wiki.base}/${list}`, {
      headers: { authorization: `Bearer ${wiki.token}` },
    });
    const { Resources } = (await answer.json()) as { readonly Resources: readonly Held[] };
    return Resources;
  };
  const users = await read('Users');
  const [editors] = await read('Groups');
  const isEditor = new Set(editors?.members?.map(({ value }) => value));
  return Object.fromEntries(
    users.map(({ id, userName, active }) => [
      userName.split('@', 1).join(),
      `${active === false ? 'disabled' : 'active'}${isEditor.has(id) ? ', editor' : ''}`,
    ]),
  );
};

interface Held {
  readonly id: string;
  readonly userName: string;
  readonly active?: boolean;
  readonly members?: readonly { readonly value: string }[];
}

test('a policy follows joiners, movers and leavers of the demo, and says what it could not do', async () => {
  for (let run = 0; run < 2; run += 1) {
    const handbook = wiki.kept(demo.service);
    await pushCompany(demo, () => handbook.keep());
    expect(await held()).toEqual({
      'priya.raman': 'active, editor',
      'lena.hofmann': 'active',
      'nadia.haddad': 'active, editor',
      'viktor.petrov': 'active, editor',
      'mikkel.aas': 'disabled',
      'amara.nwosu': 'active, editor',
      'samuel.achterberg': 'active, editor',
      'freya.dahl': 'active, editor',
    });
    await handbook.import();
    const { accounts, failed, imported } = await handbook.answers(demo.graph, QUERIES);
    expect(
      accounts.map(({ user_name, state, is_adopted }) => [
        String(user_name).split('@', 1).join(),
        is_adopted === true ? 'adopted' : 'created',
        state,
      ]),
    ).toEqual([
      ['amara.nwosu', 'created', 'ACTIVE'],
      ['freya.dahl', 'created', 'ACTIVE'],
      ['lena.hofmann', 'adopted', 'ACTIVE'],
      ['mikkel.aas', 'created', 'DISABLED'],
      ['nadia.haddad', 'created', 'ACTIVE'],
      ['samuel.achterberg', 'created', 'ACTIVE'],
      ['viktor.petrov', 'created', 'ACTIVE'],
    ]);
    expect(failed).toMatchObject([{ kind: 'disable', status: 'FAILED', people: ['Lena Hofmann'] }]);
    expect(imported).toMatchObject({ problem: null, read: { accounts: 8, groups: 1 } });
  }
});
