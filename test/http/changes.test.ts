import { features } from '../../src/features';
import type { AnyCodec } from '../../src/codec/codec';
import type { Exact, ExactField } from '../../src/codec/exact';
import type { Struct } from '../../src/codec/struct';
import type { Route } from '../../src/web/routing/route';
import { routesOf } from '../../src/start/app';
import { responder } from '../../src/web/exchange/respond';
import { memoryLog } from './memory-log';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

// Found in the field: `PATCH` of a team key with `{"status": "INACTIVE"}` was 200, and changed nothing.

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());

const KEYS = '/api/preview/teamkeys';
const PROVIDERS = '/api/v1/providers/custom';

/** Each makes something that a `PATCH` can change, and says where it is. */
const MADE: Readonly<Record<string, () => Promise<string>>> = {
  [`${KEYS}/:keyId`]: async () => {
    const made = await service.post(KEYS, { name: 'A key' }).expect(200);
    return `${KEYS}/${(made.body as { value: { id: string } }).value.id}`;
  },
  [`${PROVIDERS}/:providerId`]: async () => `${PROVIDERS}/${(await service.register()).id}`,
};

type Fields = Struct<Record<never, never>, Readonly<Record<string, AnyCodec>>>;
type Answer = Exact<{
  readonly value: ExactField<Exact<Readonly<Record<string, ExactField>>>>;
}>;

const patches = () =>
  routesOf(
    {
      features,
      context: service.context,
      apiKey: API_KEY,
      running: service.running,
      checkReady: () => () => Promise.reject(new Error('nobody asks')),
    },
    responder(memoryLog([]), 5),
  ).filter(({ method, path }) => method === 'patch' && !path.startsWith('/scim/'));

const patch = (path: string): Route => patches().find((route) => route.path === path) as Route;

/** The fields that a `PATCH` can set. */
const settableOf = (path: string): readonly string[] =>
  Object.keys((patch(path).body?.[0] as unknown as Fields).optional);

/** Whether an answer may show a field as `null`. */
const mayBeNull = (path: string, field: string): boolean =>
  (patch(path).answer as unknown as Answer).fields.value.codec.fields[field]?.codec.is(null) ??
  false;

/** A value of each field that a `PATCH` can set and an answer may show as `null`. */
const SET: Readonly<Record<string, string>> = {
  expires_at: '2999-01-01T00:00:00Z',
  external_lifecycle_management_type: 'SCIM',
};

test.each(Object.keys(MADE))(
  'a PATCH of %s with null unsets what an answer may show as null',
  async (path) => {
    const at = await (MADE[path] as () => Promise<string>)();
    const unset = settableOf(path).filter((field) => mayBeNull(path, field));
    expect(unset.length).toBeGreaterThan(0);
    for (const field of unset) {
      const value = SET[field];
      expect([field, value]).toEqual([field, expect.any(String)]);
      const set = await service.send('patch', at, { [field]: value }).expect(200);
      const shown = (set.body as { value: Readonly<Record<string, unknown>> }).value;
      expect(shown[field]).toBe(value);
      // The second one finds it unset.
      for (let time = 0; time < 2; time += 1) {
        const answer = await service.send('patch', at, { [field]: null }).expect(200);
        expect(answer.body).toEqual({ value: { ...shown, [field]: null } });
      }
      // A change of something else does not unset it.
      await service.send('patch', at, { [field]: value }).expect(200);
      const answer = await service.send('patch', at, {}).expect(200);
      expect(answer.body).toEqual({ value: shown });
    }
  },
);

test('each PATCH is tried', () => {
  expect(
    patches()
      .map(({ path }) => path)
      .toSorted(),
  ).toEqual(Object.keys(MADE).toSorted());
});

describe.each(Object.keys(MADE))(
  'what a PATCH of %s cannot set is refused, and nothing changes:',
  (path) => {
    const stateOf = async (at: string): Promise<Readonly<Record<string, unknown>>> => {
      const list = at.slice(0, at.lastIndexOf('/'));
      const { body } = (await service.send('get', list).expect(200)) as { body: unknown };
      const { values } = body as { values: readonly Record<string, unknown>[] };
      return values.find(({ id }) => at.endsWith(String(id))) ?? {};
    };
    test('fields of the answer that the request does not have, unknown ones, and empty values', async () => {
      const at = await (MADE[path] as () => Promise<string>)();
      const before = await stateOf(at);
      const settable = settableOf(path);
      const refused = Object.keys(before).filter((field) => !settable.includes(field));
      expect(refused).toEqual(expect.arrayContaining(['id']));
      const bodies = [
        ...refused.map((field) => ({ [field]: before[field] })),
        ...refused.map((field) => ({ [field.toUpperCase()]: 'x' })),
        ...['colour', 'x', '__proto__x'].map((field) => ({ [field]: 'red' })),
        ...settable.flatMap((field) => (mayBeNull(path, field) ? [] : [{ [field]: null }])),
      ];
      for (const body of bodies) {
        const answer = await service.send('patch', at, body);
        expect([body, answer.status]).toEqual([body, 400]);
        const { details } = answer.body as {
          details: readonly { field_violations: readonly { description: string }[] }[];
        };
        expect(details[0]?.field_violations[0]?.description).toMatch(/\S/);
        expect(await stateOf(at)).toEqual(before);
      }
    });
  },
);

test('a PATCH of the status of a key says how a key is revoked', async () => {
  const at = await (MADE[`${KEYS}/:keyId`] as () => Promise<string>)();
  const answer = await service.send('patch', at, { status: 'INACTIVE' });
  expect(answer.text).toContain(':revoke');
});
