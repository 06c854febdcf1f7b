import { ensureAccount } from '../../src/scim/client/ensure-account';
import { disableAccount } from '../../src/scim/client/accounts';
import { withoutSecrets } from '../../src/scim/client/requests/repeated-secrets';
import { act, TOKEN } from './acting';
import { type MisbehavingServer, misbehavingServer } from './misbehaving-server';

let server: MisbehavingServer;

beforeAll(async () => {
  server = await misbehavingServer();
});
afterAll(() => server.close());
beforeEach(() => server.reset());

const without = (answer: object) =>
  withoutSecrets(answer as Readonly<Record<string, unknown>>, hide);
const hide = (text: string): string => text.replaceAll('secret', '***');

test('what repeats no secret stays the same object', () => {
  const answer = { id: 'x', list: [{ a: 1, b: null, c: [true, 'text'] }] };
  expect(without(answer)).toBe(answer);
  const escaped = { ...answer, more: 'a "text"' };
  expect(without(escaped)).toBe(escaped);
});

test('texts and names of fields are masked at any depth; an id that repeats a secret is none', () => {
  const answer = JSON.parse(
    '{"id": "a secret", "__proto__": "secret", "x": [["secret"]], "secret": {"ID": "secret", "n": 1}}',
  ) as object;
  expect(JSON.stringify(without(answer))).toBe(
    JSON.stringify(JSON.parse('{"__proto__": "***", "x": [["***"]], "***": {"n": 1}}')),
  );
  // However the JSON spells it.
  const text = '{"a": "\\u0073ecret", "b": [1, "secre\\u0074"], "c": 2}';
  const parsed = JSON.parse(text) as Readonly<Record<string, unknown>>;
  expect(withoutSecrets(parsed, hide)).toEqual({ a: '***', b: [1, '***'], c: 2 });
});

const ANN = { externalId: 'p-1', userName: 'ann' };
const wanted = (title: string) => ({
  who: ANN,
  mayCreate: true,
  adopt: false,
  attributes: new Map([
    ['externalId', 'p-1'],
    ['userName', 'ann'],
    ['title', title],
  ]),
});

test('no mask is written over what an application repeats', async () => {
  server.reset({ patch: false });
  server.users.set('u', { ...ANN, id: 'u', active: true, nickName: `Bearer ${TOKEN}` });
  const put = await act(server.base, (application) => ensureAccount(application, wanted('x')));
  expect(put.fault).toMatchObject({ code: 'REPEATS_SECRET' });
  expect(server.writes()).toEqual([]);
  // What changes something else alone is sent.
  server.ways = { ...server.ways, patch: true };
  const patch = await act(server.base, (application) => ensureAccount(application, wanted('x')));
  expect(patch.result).toMatchObject({ outcome: 'updated', account: 'u' });
  expect(server.users.get('u')).toMatchObject({ title: 'x', nickName: `Bearer ${TOKEN}` });
});

test('an account whose id repeats a secret is not taken for one that is gone', async () => {
  server.users.set(TOKEN, { ...ANN, id: TOKEN, active: true });
  const made = await act(server.base, (application) => ensureAccount(application, wanted('x')));
  expect(made.fault).toMatchObject({ code: 'NOT_SCIM' });
  const gone = await act(server.base, (application) =>
    disableAccount(application, { who: ANN, adopt: false }),
  );
  expect(gone.fault).toMatchObject({ code: 'NOT_SCIM' });
  expect(server.writes()).toEqual([]);
  expect(JSON.stringify([made, gone])).not.toContain(TOKEN);
});
