import { ask } from '../../../src/neo4j/ask';
import { LATEST, runTransaction } from '../../../src/neo4j/transaction';
import { serviceUnderTest } from '../service-under-test';
import {
  application,
  type Body,
  created,
  decision,
  directory,
  followed,
  itemOf,
  itemsOf,
  keyOf,
  opened,
  people,
  pushed,
  REVIEWS,
  sent,
  service,
  useVault,
  valueOf,
  vault,
  verified,
} from './vault';

/* Reviewers decide about items of a review of the vault, and silence decides nothing (docs/rules.md: Access reviews). */

useVault();

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
  expect(entries.length).toBe(3);
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
  expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(entries[2]?.previous).toBe(entries[1]?.hash);
  expect((await itemsOf(id))[ann.number - 1]?.state).toBe(entries[2]?.act);
});

test('a reviewer gives an item to somebody else, who is not its holder', async () => {
  const id = await opened();
  const ann = itemOf(await itemsOf(id), 'ann', 'permission "read"');
  const give = async (by: string, to: string): Promise<Body> => ({
    on_behalf_of: await keyOf('IdpUser', by),
    to: await keyOf('IdpUser', to),
    items: [ann.number],
    reason: 'on leave',
  });
  await sent(`/${id}:reassign`, await give('ben', 'fay'), 403);
  await sent(`/${id}:reassign`, await give('mia', 'ann'), 403);
  await sent(`/${id}:reassign`, await give('mia', 'lee'), 400);
  await sent(`/${id}:reassign`, await give('mia', 'ben'));
  await sent(`/${id}:decide`, await decision('mia', 'keep', [ann]), 403);
  await sent(`/${id}:decide`, await decision('ben', 'keep', [ann]));
  await sent(`/${id}:reassign`, await give('olga', 'fay'), 409);
});

test('nobody whom only an application knows gets an item, or acts on a review', async () => {
  await pushed(vault, application({ reads: ['ann'], users: ['uma'] }));
  const id = await opened();
  const ann = itemOf(await itemsOf(id), 'ann', 'permission "read"');
  const give = async (to: string): Promise<Body> => ({
    on_behalf_of: await keyOf('IdpUser', 'mia'),
    to: await keyOf('LocalUser', to),
    items: [ann.number],
    reason: 'on leave',
  });
  const refused = await sent(`/${id}:reassign`, await give('uma'), 400);
  expect(JSON.stringify(refused)).toContain('no identity provider');
  // The directory knows whose account it is.
  await sent(`/${id}:reassign`, await give('ben'));
  await sent(`/${id}:decide`, await decision('ben', 'keep', [ann]));
  const on_behalf_of = await keyOf('LocalUser', 'uma');
  const next = await created();
  const { token } = valueOf(await sent(`/${next}:plan`));
  for (const [act, body] of [
    [`/${next}:open`, { token, on_behalf_of }],
    [`/${next}:cancel`, { on_behalf_of, reason: 'not needed' }],
    [`/${id}:decide`, { ...(await decision('mia', 'keep', [ann])), on_behalf_of }],
  ] as const) {
    expect(JSON.stringify(await sent(act, body, 400))).toContain('no identity provider');
  }
});

test('an owner gives away items of others, never their own', async () => {
  const id = await opened();
  const items = await itemsOf(id);
  const [ann, ben] = ['ann', 'ben'].map((name) => itemOf(items, name, 'permission "read"'));
  const owner = await keyOf('IdpUser', 'ben');
  await sent(`/${id}:appoint`, { owner, reason: 'olga left' });
  const give = async (item: { readonly number: number } | undefined): Promise<Body> => ({
    on_behalf_of: owner,
    to: await keyOf('IdpUser', 'fay'),
    items: [item?.number],
    reason: 'on leave',
  });
  await sent(`/${id}:reassign`, await give(ben), 403);
  await sent(`/${id}:reassign`, await give(ann));
  expect(await verified(id)).toMatchObject({ verified: true, findings: [] });
});

test('the same request again gives nothing away and makes no exception twice', async () => {
  const id = await opened();
  const items = await itemsOf(id);
  const [ann, ben] = ['ann', 'ben'].map((name) => itemOf(items, name, 'permission "read"'));
  if (ann === undefined || ben === undefined) throw new Error('no items');
  const twice = async (path: string, body: Body): Promise<void> => {
    await sent(`/${id}${path}`, body);
    const once = await service.send('get', `${REVIEWS}/${id}`);
    await sent(`/${id}${path}`, body);
    expect((await service.send('get', `${REVIEWS}/${id}`)).body).toEqual(once.body);
  };
  const by = async (name: string): Promise<Body> => ({
    on_behalf_of: await keyOf('IdpUser', name),
  });
  await twice(':reassign', {
    ...(await by('mia')),
    to: await keyOf('IdpUser', 'fay'),
    items: [ann.number],
    reason: 'on leave',
  });
  // Who never had it does not send the same again.
  await sent(
    `/${id}:reassign`,
    {
      ...(await by('ben')),
      to: await keyOf('IdpUser', 'fay'),
      items: [ann.number],
      reason: 'on leave',
    },
    403,
  );
  await twice(':decide', await decision('mia', 'revoke', [ben], 'left'));
  const until = new Date(Date.now() + 86_400_000).toISOString();
  const excepted = { items: [ben.number], until, reason: 'until spring' };
  await twice(':except', { ...(await by('fay')), ...excepted });
});

test('who was two people when the review was opened decides as both', async () => {
  const others = await service.register('identity_provider');
  const isOne = { source_identity: { identity: 'mia', provider_type: 'any' } };
  const other = (more: Body): object => ({
    name: 'Others',
    idp_type: 'y',
    domains: [{ name: 'others.example' }],
    users: [{ name: 'mia2', identity: 'mia2', is_active: true, ...more }],
  });
  await pushed(others, other({}));
  try {
    const id = await opened();
    const items = await itemsOf(id);
    const [one, two] = ['ann', 'ben'].map((name) => itemOf(items, name, 'permission "read"'));
    if (one === undefined || two === undefined) throw new Error('no items');
    await sent(`/${id}:reassign`, {
      on_behalf_of: await keyOf('IdpUser', 'mia'),
      to: await keyOf('IdpUser', 'mia2'),
      items: [one.number],
      reason: 'another account',
    });
    await pushed(others, other(isOne));
    for (const item of [one, two]) {
      await sent(`/${id}:decide`, await decision('mia', 'keep', [item]));
    }
    expect(await verified(id)).toMatchObject({ verified: true, findings: [] });
  } finally {
    await service.send('delete', `/api/v1/providers/custom/${others.id}?erase=true`);
  }
});

test('at the due date the fallback gets nothing that an account holds which they share', async () => {
  const { applications, ...more } = application({ reads: ['both', 'ben'] }) as {
    readonly applications: readonly (Body & { readonly local_users: readonly Body[] })[];
  };
  const [first] = applications;
  const local_users = [...(first?.local_users ?? []), { name: 'both', identities: ['ann', 'ben'] }];
  await pushed(vault, { ...more, applications: [{ ...first, local_users }] });
  const id = await opened({ grace_days: 1 });
  await sent(`/${id}:appoint`, { fallback: await keyOf('IdpUser', 'ann'), reason: 'Fay left' });
  const at = new Date(Date.now() - 43_200_000).toISOString();
  await runTransaction(service.graph, LATEST, (tx) =>
    tx.run('MATCH (r:Review {key: $id}) SET r.due = datetime($at)', { id, at }),
  );
  await followed();
  const items = await itemsOf(id);
  expect(itemOf(items, 'ben', 'read').reviewer.name).toBe('ann');
  expect(itemOf(items, 'both', 'read').reviewer.name).toBe('fay');
});

test('only the owner closes, once nothing is pending, and an illegal step changes nothing', async () => {
  const id = await opened();
  const items = await itemsOf(id);
  const close = async (name: string): Promise<Body> => ({
    on_behalf_of: await keyOf('IdpUser', name),
    attestation: 'I attest it.',
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
  const whole = await opened({ before: id, carries: false });
  expect(await itemsOf(whole, '?state=carried')).toEqual([]);
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
});

test('a key reads one whole review at a time', async () => {
  const id = await opened();
  const hasty = await serviceUnderTest({ questionWaitSeconds: 0.2 }, { keep: true });
  const read = (): Promise<{ readonly status: number }> =>
    hasty
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
  await hasty.close();
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
