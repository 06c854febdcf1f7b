import { finishDeletions } from '../../../src/registry/deletion';
import { followReviews } from '../../../src/features/reviews/follow';
import { ask } from '../../../src/neo4j/ask';
import { LATEST, runTransaction } from '../../../src/neo4j/transaction';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from '../service-under-test';

/*
 * A vault, the people who use it, and what tests do with reviews of it (docs/rules.md: Access reviews).
 */

export let service: ServiceUnderTest;
/** The directory of the people. */
export let people: RegisteredIds;
/** The application. */
export let vault: RegisteredIds;

/** When the reviews of the tests are due. */
export const DUE = '2099-01-01T00:00:00Z';
/** Where reviews are. */
export const REVIEWS = '/api/v1/reviews';

/** What is sent or answered. */
export type Body = Readonly<Record<string, unknown>>;

/** A user of the directory. */
export const user = (name: string, more: Body = {}): Body => ({
  name,
  identity: name,
  email: `${name}@vault.example`,
  is_active: true,
  ...more,
});

/** Pushes a payload, and gives the id of the push. */
export const pushed = async (to: RegisteredIds, payload: object): Promise<string> => {
  const sent = { id: to.id, data_source_id: to.data_source_id, json_data: JSON.stringify(payload) };
  const answer = await service.post(to.path, sent);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return (answer.body as { push_id: string }).push_id;
};

/** The people: Ann and Ben, whose manager is Mia, whose manager is Olga; Fay, and Lee, who is inactive. */
export const directory = (more: readonly Body[] = [], ben: Body = {}): object => ({
  name: 'People',
  idp_type: 'x',
  domains: [{ name: 'vault.example' }],
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

/** Who reads, who administers, and who is in the team. */
export interface Access {
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
  readonly team?: readonly string[];
  /** Who has an account, in addition to the usual ones. */
  readonly users?: readonly string[];
  /** The identity that owns the robot. */
  readonly owner?: string;
}

/** The account of the robot. */
const robotOf = (owner: string | undefined): Body => ({
  user_type: 'service_account',
  ...(owner === undefined ? {} : { owners: [{ external_id: owner, owner_type: 'user' }] }),
});

/** Who may do what in the vault; `team` is a group that may read too. */
export const application = ({
  reads = [],
  writes = [],
  team = [],
  users = [],
  owner,
}: Access): object => ({
  applications: [
    {
      name: 'Vault',
      application_type: 'vault',
      local_groups: [{ name: 'team' }],
      local_users: ['ann', 'ben', 'mia', 'lee', 'robot', ...users].map((name) => ({
        name,
        ...(name === 'robot' ? robotOf(owner) : { identities: [name] }),
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

/** A grant of a permission on the keys. */
export const granted = (identity: string, permission: string, identity_type: string): Body => ({
  identity,
  identity_type,
  application_permissions: [
    { application: 'Vault', permission, resources: ['keys'], apply_to_application: false },
  ],
});

/** The key of a node, by its name. */
export const keyOf = async (label: string, name: string): Promise<string> => {
  const found = await ask(service.graph, `MATCH (n:${label} {name: $name}) RETURN n.key AS key`, {
    name,
  });
  return String(found[0]?.key);
};

/** An item as the interface shows it. */
export interface Item {
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

/** Posts to a review, and expects a status. */
export const sent = async (path: string, body?: Body, status = 200): Promise<Body> => {
  const answer = await service.send('post', `${REVIEWS}${path}`, body);
  expect([path, answer.status, answer.text]).toEqual([path, status, expect.any(String)]);
  return answer.body as Body;
};

/** The value of an answer. */
export const valueOf = (body: Body): Body => body.value as Body;

/** Makes a draft, and gives its id. */
export const created = async (more: Body = {}): Promise<string> => {
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

/** Makes a review and opens it as planned. */
export const opened = async (more: Body = {}): Promise<string> => {
  const id = await created(more);
  const plan = valueOf(await sent(`/${id}:plan`));
  await sent(`/${id}:open`, { token: plan.token });
  return id;
};

/** The items of a review. */
export const itemsOf = async (id: string, query = ''): Promise<readonly Item[]> => {
  const answer = await service.send('get', `${REVIEWS}/${id}/items${query}`);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return (answer.body as { values: readonly Item[] }).values;
};

/** The item of somebody's, by the name of the account and a part of what it holds. */
export const itemOf = (items: readonly Item[], name: string, holds: string): Item => {
  const found = items.find(
    ({ shown }) => shown.holder.name === name && shown.holds.includes(holds),
  );
  if (found === undefined)
    throw new Error(`no item of ${name} with ${holds}: ${JSON.stringify(items)}`);
  return found;
};

/** A decision of somebody about some items. */
export const decision = async (
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

/** Starts the service, and gives each test a vault of its own. */
export const useVault = (
  start: () => Promise<ServiceUnderTest> = () => serviceUnderTest(),
): void => {
  beforeAll(async () => {
    service = await start();
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
    await finishDeletions(service.deletions, () => false);
    const left = await ask(service.graph, 'MATCH (p:Provider) RETURN count(p) AS providers', {});
    expect(left).toEqual([{ providers: 0 }]);
  });
  afterAll(() => service.close());
};

/** What the background does after pushes. */
export const followed = (): Promise<void> => followReviews(service.context)(() => false);

/** Decides all items: revokes what is named by its holder, and keeps the others. */
export const decideAll = async (
  id: string,
  revoked: Readonly<Record<string, string>>,
): Promise<void> => {
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

/** Closes a review as its owner. */
export const close = async (id: string): Promise<Body> =>
  valueOf(
    await sent(`/${id}:close`, {
      on_behalf_of: await keyOf('IdpUser', 'olga'),
      attestation: 'All decisions are right.',
    }),
  );

/** What became of a revoke. */
export const remediationOf = async (
  id: string,
  name: string,
  holds: string,
): Promise<Body | null> => itemOf(await itemsOf(id), name, holds).remediation;

/** What a verification of a review finds. */
export const verified = async (id: string): Promise<Body> => sent(`/${id}:verify`);

/** Erases a person of the directory. */
export const erased = async (name: string): Promise<void> => {
  const principal = await keyOf('IdpUser', name);
  const plan = await service.post('/api/v1/erase', { principal });
  expect(plan.status).toBe(200);
  const { confirmation } = (plan.body as { value: { confirmation: string } }).value;
  const done = await service
    .post('/api/v1/erase', { principal })
    .set('Grantgraph-Confirm-Removal', confirmation);
  expect([done.status, done.text]).toEqual([200, expect.any(String)]);
};

/** Changes records in Neo4j. `$id` is a review. */
export const changedInNeo4j = async (
  id: string,
  statement: string,
  more: Body = {},
): Promise<void> => {
  await runTransaction(service.graph, LATEST, (tx) => tx.run(statement, { id, ...more }));
};

/** The chain of a review. */
export const chainOf = (id: string): Promise<readonly Body[]> =>
  ask(
    service.graph,
    `MATCH (e:ReviewDecision {review: $id})
    OPTIONAL MATCH (p:ReviewPerson) WHERE p.review STARTS WITH $id AND p.alias = e.by
    RETURN e.act AS act, p.name AS by, e.reason AS reason, e.key_name AS key ORDER BY e.seq`,
    { id },
  );
