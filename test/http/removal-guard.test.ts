import { confirmationToken } from '../../src/registry/deletion-guard';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

const ROWS = 20;

let service: ServiceUnderTest;
let ids: RegisteredIds;

beforeAll(async () => {
  service = await serviceUnderTest({ guardRows: ROWS });
});
afterAll(() => service.close());
beforeEach(async () => {
  ids = await service.register('identity_provider');
  expect((await push(ROWS)).status).toBe(200);
});

/** Pushes a domain and so many users. */
const push = (users: number, headers: Readonly<Record<string, string>> = {}) => {
  const { path, ...envelope } = ids;
  const payload = {
    domains: [{ name: 'corp' }],
    users: Array.from({ length: users }, (_, index) => ({ name: `user ${index}` })),
  };
  return service.post(path, { ...envelope, json_data: JSON.stringify(payload) }).set(headers);
};

const allowRemoval = () => service.post(ids.path.replace(/:push$/, ':allow-removal'), {});

interface Refusal {
  readonly code: string;
  readonly message: string;
}

test('half of the rows may go', async () => {
  const answer = await push(ROWS / 2);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ removed: { nodes: ROWS / 2 } });
});

test('when more would go nothing does, and the answer says how to confirm', async () => {
  const before = await service.counts();
  const answer = await push(1);
  expect(answer.status).toBe(409);
  expect(answer.body).toMatchObject({ code: 'FailedPrecondition' });
  const { message } = answer.body as Refusal;
  expect(message).toContain(`would remove ${ROWS - 1} of the ${ROWS + 1} rows`);
  const after = await service.counts();
  expect(after.IdpUser).toBe(before.IdpUser);

  const digest = /Grantgraph-Confirm-Removal: ([0-9a-f]{64})/.exec(message)?.[1] ?? '';
  expect((await push(2, { 'grantgraph-confirm-removal': digest })).status).toBe(409);
  const confirmed = await push(1, { 'grantgraph-confirm-removal': digest });
  expect(confirmed.status).toBe(200);
  expect(confirmed.body).toMatchObject({ digest, removed: { nodes: ROWS - 1 } });
});

test('the refusal is recorded with its reason', async () => {
  await push(1);
  const pushes = await service.send('get', ids.path.replace(/:push$/, '/pushes'));
  expect(pushes.body).toMatchObject({ values: [{ outcome: 'refused' }, { outcome: 'accepted' }] });
  const events = await service.send('get', '/api/v1/events');
  const [event] = (events.body as { readonly events: readonly unknown[] }).events;
  expect(event).toMatchObject({
    event_type: 'PUSH_REFUSED',
    message: expect.stringContaining('it would remove too much') as string,
    error: { reason: 'FailedPrecondition' },
  });
});

test('a call lets the next push through, and only that', async () => {
  const allowed = await allowRemoval();
  expect(allowed.status).toBe(200);
  expect(allowed.body).toMatchObject({
    value: { removal_allowed_until: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string },
  });
  expect((await push(1)).status).toBe(200);
  expect((await push(ROWS)).status).toBe(200);
  expect((await push(1)).status).toBe(409);
});

test('what confirms a deletion is that of the data sources as they are, in any order', () => {
  const held = [
    { id: 'a', digest: '1' },
    { id: 'b', digest: null },
  ];
  const token = confirmationToken(held);
  expect(confirmationToken(held.toReversed())).toBe(token);
  const others = [
    [
      { id: 'a', digest: '2' },
      { id: 'b', digest: null },
    ],
    [
      { id: 'a', digest: '1' },
      { id: 'b', digest: '1' },
    ],
    [{ id: 'a', digest: '1' }],
    [
      { id: 'a', digest: null },
      { id: 'b', digest: '1' },
    ],
  ];
  expect(others.filter((other) => confirmationToken(other) === token)).toEqual([]);
});
