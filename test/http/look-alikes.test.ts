import { readScim } from './scim-server/directory';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

/*
 * Mallory calls a user like the head of the company, with one letter of another script. Whoever reviews access
 * sees no difference, so the push tells it (docs/rules.md: Look-alikes).
 */

const CEO = { name: 'ceo@acme.com', identity: 'u1', full_name: 'Ann Archer' };
/** The first letter is a Cyrillic one. */
const ALIKE = '\u0441eo@acme.com';
const MALLORY = { name: ALIKE, identity: 'u2', full_name: 'M' };

let service: ServiceUnderTest;
let directory: RegisteredIds;

beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());
beforeEach(async () => {
  directory = await service.register();
});

interface Warned {
  readonly warnings: readonly { code: string; pointer: string; message: string }[];
}

const payloadOf = (users: readonly object[], more: object = {}) => ({
  name: 'Directory',
  idp_type: 'x',
  domains: [{ name: 'x.example' }],
  users,
  ...more,
});

const sent = async (verb: string, field: object): Promise<readonly string[]> => {
  const path = directory.path.replace(/:push$/, `:${verb}`);
  const body = { id: directory.id, data_source_id: directory.data_source_id, ...field };
  const answer = await service.post(path, body);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return (answer.body as Warned).warnings
    .filter(({ code }) => code === 'LOOK_ALIKE')
    .map(({ pointer, message }) => `${pointer} ${message}`);
};

const push = (payload: object, verb = 'push') => sent(verb, { json_data: JSON.stringify(payload) });

const TOLD = `The name "${ALIKE}" looks like "ceo@acme.com" of user "ceo@acme.com" and is another: it has U+0441 (user "${ALIKE}")`;

test('somebody who looks like the head of the company is reported, whatever the way in', async () => {
  const both = payloadOf([CEO, MALLORY]);
  expect(await push(both, 'plan')).toEqual([`/users/1 ${TOLD}`]);
  expect(await push(both)).toEqual([`/users/1 ${TOLD}`]);
  // The same payload again is unchanged, and tells it.
  expect(await push(both)).toEqual([`/users/1 ${TOLD}`]);

  expect(await push(payloadOf([CEO]))).toEqual([]);
  const increment = payloadOf([{ ...MALLORY, operation: 'add' }], { incremental_change: true });
  expect(await push(increment, 'plan')).toEqual([` ${TOLD}`]);
  expect(await push(increment)).toEqual([` ${TOLD}`]);
  // Whoever changes something else of the user is not told again.
  const other = { identity: 'u2', is_active: false, operation: 'modify' };
  expect(await push(payloadOf([other], { incremental_change: true }))).toEqual([]);
});

test('through SCIM the event of the push tells it', async () => {
  await push(payloadOf([CEO]));
  const made = await readScim(
    service.send('post', `/scim/v2/${directory.data_source_id}/Users`, {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: ALIKE,
      externalId: 'u2',
      active: true,
    }),
  );
  expect(made.status).toBe(201);
  const events = await service.send('get', '/api/v1/events?filter=event_type eq "PUSH_WARNED"');
  const [{ metadata }] = (events.body as { values: readonly [{ metadata: Warned }] }).values;
  expect(metadata.warnings).toMatchObject([{ code: 'LOOK_ALIKE', message: TOLD }]);
});

test('a table of CSV tells it like a push', async () => {
  const csv = `name,identity\nceo@acme.com,u1\n${ALIKE},u2\n`;
  const csv_data = Buffer.from(csv).toString('base64');
  const system = { system_name: 'Directory', system_type: 'x' };
  expect(await sent('push_csv', { csv_data, ...system })).toEqual([`/users/1 ${TOLD}`]);
});
