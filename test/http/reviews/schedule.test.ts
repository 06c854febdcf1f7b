/** @more reviews */

import { repeatReviews } from '../../../src/features/reviews/schedule/next-review';
import { reviewedApplication } from '../../../src/features/reviews/schedule/reviewed-applications';
import * as eventRecord from '../../../src/graph/records/event-record';
import { ask } from '../../../src/neo4j/ask';
import { Browser } from '../browser-session';
import { API_KEY } from '../service-under-test';
import {
  application,
  type Body,
  changedInNeo4j,
  close,
  created,
  decideAll,
  directory,
  erased,
  followed,
  granted,
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
} from './vault';

/* Reviews that are repeated, their templates, and the colours of applications (docs/rules.md: Access reviews). */

useVault();

/** Each test has reviews of its own only. */
afterEach(() => changedInNeo4j('', 'MATCH (r:Review) DELETE r'));

const closed = async (more: Body = {}): Promise<string> => {
  const id = await opened(more);
  await decideAll(id, {});
  await close(id);
  return id;
};

/** Lets the opening of a review lie some months back. */
const monthsAgo = (id: string, months: number): Promise<void> =>
  changedInNeo4j(
    id,
    `MATCH (r:Review {key: $id})
    SET r.at = r.at - duration({months: $months})
    SET r.due = r.at + duration('P14D')`,
    { months },
  );

/** Lets the applications be as old as their reviews. */
const knownForYears = (): Promise<void> =>
  changedInNeo4j('', "MATCH (a:Application) SET a.since = a.since - duration('P3Y')");

const reviews = async (): Promise<readonly Body[]> => {
  const { values } = (await service.send('get', REVIEWS)).body as { values: readonly Body[] };
  return values;
};

const draftsAfter = async (id: string): Promise<readonly Body[]> =>
  (await reviews()).filter(({ before }) => before === id);

const eventsOf = (id: string): Promise<readonly Body[]> =>
  ask(
    service.graph,
    "MATCH (e:Event {event_type: 'REVIEW_DUE_AGAIN'}) WHERE e.metadata CONTAINS $id RETURN e.message AS message",
    { id },
  );

const repeated = (): Promise<void> => repeatReviews(service.context);

test('a review that is due again gets one draft with its settings, by two rounds at once too', async () => {
  const id = await closed({ cadence: 'monthly', grace_days: 3, name: 'Vault, each month' });
  await repeated();
  expect(await draftsAfter(id)).toEqual([]);
  await monthsAgo(id, 2);
  await Promise.all([repeated(), repeated()]);
  await repeated();
  const [draft, ...others] = await draftsAfter(id);
  expect(others).toEqual([]);
  expect(draft).toMatchObject({
    state: 'draft',
    name: 'Vault, each month',
    cadence: 'monthly',
    grace_days: 3,
    owner: await keyOf('IdpUser', 'olga'),
  });
  const days = (Date.parse(String(draft?.due)) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(14);
  expect(await eventsOf(id)).toHaveLength(1);
  // It is opened and carries over what its owner kept.
  const { token, carried } = valueOf(await sent(`/${String(draft?.id)}:plan`));
  expect(carried).toBe(5);
  await sent(`/${String(draft?.id)}:open`, { token });
  expect(await sent(`/${String(draft?.id)}:verify`)).toMatchObject({ findings: [] });
});

test('a draft that waited past its due date gives its reviewers as long as the last ones had', async () => {
  const id = await closed({ cadence: 'monthly', on_silence: 'revoke', grace_days: 0 });
  await monthsAgo(id, 2);
  await repeated();
  const [draft] = await draftsAfter(id);
  const next = String(draft?.id);
  await changedInNeo4j(
    next,
    `MATCH (r:Review {key: $id})
    SET r.created_at = r.created_at - duration('P20D'), r.due = r.due - duration('P20D')`,
  );
  const { token } = valueOf(await sent(`/${next}:plan`));
  const { review } = valueOf(await sent(`/${next}:open`, { token })) as { readonly review: Body };
  expect(Math.round((Date.parse(String(review.due)) - Date.now()) / 86_400_000)).toBe(14);
  await followed();
  const { numbers } = valueOf((await service.send('get', `${REVIEWS}/${next}`)).body as Body);
  expect(numbers).toMatchObject({ pending: 1, carried: 5, revoke: 0 });
  expect(await sent(`/${next}:verify`)).toMatchObject({ findings: [] });
});

test('a draft that somebody made is not opened once its due date has passed', async () => {
  const id = await created();
  await changedInNeo4j(id, "MATCH (r:Review {key: $id}) SET r.due = datetime() - duration('PT1H')");
  const { token } = valueOf(await sent(`/${id}:plan`));
  await sent(`/${id}:open`, { token }, 409);
});

test('a round that is killed half way leaves no draft, and the next one creates it', async () => {
  const id = await closed({ cadence: 'quarterly' });
  await monthsAgo(id, 4);
  const killed = jest
    .spyOn(eventRecord, 'writeEvent')
    .mockRejectedValueOnce(new Error('the process was killed'));
  await expect(repeated()).rejects.toThrow('the process was killed');
  killed.mockRestore();
  expect(await draftsAfter(id)).toEqual([]);
  await repeated();
  expect(await draftsAfter(id)).toHaveLength(1);
  expect(await eventsOf(id)).toHaveLength(1);
});

test('who cancels the draft ends the repetition, and who made the next one needs no other', async () => {
  const id = await closed({ cadence: 'monthly' });
  await monthsAgo(id, 2);
  await repeated();
  const [draft] = await draftsAfter(id);
  await sent(`/${String(draft?.id)}:cancel`, { reason: 'no longer needed' });
  await repeated();
  expect(await draftsAfter(id)).toHaveLength(1);
  const other = await closed({ cadence: 'monthly' });
  await monthsAgo(other, 2);
  const mine = await created({ cadence: 'monthly', before: other });
  await repeated();
  expect((await draftsAfter(other)).map(({ id: next }) => next)).toEqual([mine]);
});

test('the draft of an owner who was erased waits for somebody who names another one', async () => {
  const id = await closed({ cadence: 'monthly' });
  await erased('olga');
  await monthsAgo(id, 2);
  await repeated();
  const [draft] = await draftsAfter(id);
  await sent(`/${String(draft?.id)}:plan`, undefined, 400);
  await sent(`/${String(draft?.id)}:appoint`, {
    owner: await keyOf('IdpUser', 'mia'),
    reason: 'Olga left.',
  });
  await sent(`/${String(draft?.id)}:plan`);
});

test.each([
  ['privileged_access', 'privileged', 1],
  ['leavers', 'inactive', 1],
  ['guests_and_third_parties', 'guest', 2],
  ['accounts_of_nobody', 'nobodys', 0],
  ['not_people', 'not_a_person', 1],
] as const)('the template %s is about what is marked as %s', async (template, mark, items) => {
  await pushed(people, directory([], { is_guest: true }));
  const { identity_to_permissions: grants, ...more } = application({
    reads: ['ann', 'ben', 'lee'],
    writes: ['mia'],
    team: ['ben'],
  }) as { readonly identity_to_permissions: readonly Body[] };
  await pushed(vault, {
    ...more,
    identity_to_permissions: [...grants, granted('robot', 'read', 'local_user')],
  });
  const id = await created({ template });
  const { review } = valueOf((await service.send('get', `${REVIEWS}/${id}`)).body as Body);
  expect(review).toMatchObject({ template, scope: { marks: [mark] } });
  const plan = valueOf(await sent(`/${id}:plan`));
  expect([plan.items, (plan.marks as Body)[mark] ?? 0]).toEqual([items, items]);
});

test('a request with a template names no marks', async () => {
  const [owner, fallback] = [await keyOf('IdpUser', 'olga'), await keyOf('IdpUser', 'fay')];
  const draft = { name: 'x', owner, fallback, due: '2099-01-01T00:00:00Z', template: 'leavers' };
  await sent('', { ...draft, scope: { marks: ['guest'] } }, 400);
  await sent('', { ...draft, template: 'everything' }, 400);
});

const vaultNow = async (): Promise<Body> => {
  const answer = await service.send('get', `${REVIEWS}:applications`);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  const { values } = answer.body as { values: readonly Body[] };
  expect(values).toHaveLength(1);
  const [found = {}] = values;
  // The page of the application reads its own reviews, and shows the same.
  const shown = await reviewedApplication(service.context, String(found.id))();
  const hasReviews = (await reviews()).length > 0;
  expect(shown).toEqual({ _tag: 'Right', right: hasReviews ? found : null });
  return found;
};

/** What the page Sources says about reviews of the application. */
const onSources = async (): Promise<string | undefined> => {
  const analyst = new Browser(service.app);
  await analyst.signIn(API_KEY);
  const { text } = await analyst.get('/console/sources');
  const row = text.split('<tr>').find((each) => each.includes(vault.data_source_id));
  return /<td data-name="Reviewed">(.*?)<\/td>/s.exec(row ?? '')?.[1]?.replace(/<.*?>/g, '');
};

test('a review of all applications says nothing about one that came after it', async () => {
  await closed();
  expect(await vaultNow()).toMatchObject({ status: 'green' });
  await changedInNeo4j('', 'MATCH (a:Application) SET a.since = datetime()');
  expect(await vaultNow()).toMatchObject({
    status: 'red',
    review: null,
    why: ['nobody has reviewed all access to it'],
  });
});

test('the page of an application reads no review of another one, and of its own the newest', async () => {
  await knownForYears();
  const vaultKey = await keyOf('Application', 'Vault');
  const scope = { applications: [vaultKey] };
  const [older, newest] = [await closed({ scope }), await closed({ scope })];
  await monthsAgo(older, 3);
  // Who reads one of these fails: they have no name.
  await changedInNeo4j(
    older,
    `MATCH (older:Review {key: $id}) REMOVE older.name
    CREATE (:Review {key: 'wiki', state: 'closed', at: datetime()})
    CREATE (:ReviewedPlace {key: 'wiki|1', review: 'wiki', application: 'wiki|Application|Wiki', is_partly: false})`,
  );
  const shown = await reviewedApplication(service.context, vaultKey)();
  expect(shown).toMatchObject({ _tag: 'Right', right: { status: 'green', review: newest } });
});

test('an application is red, green or yellow, as its last complete review says', async () => {
  await knownForYears();
  expect(await onSources()).toBeUndefined();
  expect(await vaultNow()).toMatchObject({
    name: 'Vault',
    data_source: vault.data_source_id,
    status: 'red',
    owner: null,
    last_reviewed: null,
    next_due: null,
    why: ['nobody has reviewed all access to it'],
  });
  const some = await closed({ template: 'privileged_access' });
  expect(await vaultNow()).toMatchObject({
    status: 'red',
    review: null,
    partly_reviewed: expect.any(String) as string,
  });
  expect(await onSources()).toBe('red: Vault, never');
  expect(some).not.toBe('');
  const application = await keyOf('Application', 'Vault');
  const id = await closed({ scope: { applications: [application] }, cadence: 'half_yearly' });
  expect(await vaultNow()).toMatchObject({
    status: 'green',
    why: [],
    review: id,
    owner: { name: 'olga' },
  });
  expect(await onSources()).toMatch(/^green: Vault, 20/);
  await monthsAgo(id, 4);
  expect(await vaultNow()).toMatchObject({ status: 'green' });
  await changedInNeo4j(id, "MATCH (r:Review {key: $id}) SET r.at = r.at - duration('P40D')");
  expect(await vaultNow()).toMatchObject({
    status: 'yellow',
    why: ['the next review is due within 30 days'],
  });
  await monthsAgo(id, 1);
  expect(await vaultNow()).toMatchObject({ status: 'red', why: ['the next review is due'] });
});

test('an application is yellow if nobody decided about some items of its last review in time', async () => {
  const id = await opened({ grace_days: 0 });
  await changedInNeo4j(
    id,
    "MATCH (r:Review {key: $id}) SET r.due = datetime('2020-01-01T00:00:00Z')",
  );
  await followed();
  await close(id);
  expect(await vaultNow()).toMatchObject({
    status: 'yellow',
    review: id,
    why: ['nobody decided about some items of the last review in time'],
  });
});

test('an application is yellow while revokes of its last review are left, or came back', async () => {
  const id = await opened();
  await decideAll(id, { ben: 'read' });
  const open = await vaultNow();
  expect(open).toMatchObject({ status: 'red', open_review: id, owner: { name: 'olga' } });
  await close(id);
  expect(await vaultNow()).toMatchObject({
    status: 'yellow',
    why: ['revokes of the last review are not confirmed'],
  });
  const without = application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] });
  await pushed(vault, without);
  await followed();
  expect(await vaultNow()).toMatchObject({ status: 'green' });
  await pushed(
    vault,
    application({ reads: ['ann', 'ben', 'lee'], writes: ['mia'], team: ['ann'] }),
  );
  await followed();
  expect(await vaultNow()).toMatchObject({
    status: 'yellow',
    why: ['access that the last review revoked came back'],
  });
});
