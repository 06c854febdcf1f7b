import { Definitions } from '../../src/check/definitions';
import type { ApplicationPayload } from '../../src/templates/application/payload';
import { expansionOf, mayExpandTo } from '../../src/rows/row/expansion';
import { permissionRows } from '../../src/rows/permission';
import { applicationRows } from '../../src/rows/application';

const LIMIT = 10_000_000;

const names = (count: number, start: string): string[] =>
  Array.from({ length: count }, (_, at) => `${start}${at}`);

const withRoles = (roles: readonly object[], permission: object): ApplicationPayload =>
  ({
    applications: [{ name: 'a', application_type: 't', local_roles: roles }],
    permissions: [permission],
  }) as ApplicationPayload;

/** Payloads in which one list multiplies with another, each below 256 KB. */
const MULTIPLYING: Readonly<Record<string, { payload: ApplicationPayload; pointer: string }>> = {
  'roles × resource types': {
    payload: withRoles(
      names(2_000, 'r').map((name) => ({ name, permissions: ['p'] })),
      { name: 'p', resource_types: names(2_000, 't') },
    ),
    pointer: '/permissions/0/resource_types',
  },
  'application types × resource types': {
    payload: withRoles([], {
      name: 'p',
      resource_types: names(5_000, 't'),
      application_type: names(5_000, 'a'),
    }),
    pointer: '/permissions/0/resource_types',
  },
  'grants × resource types': {
    payload: {
      ...withRoles([], { name: 'p', resource_types: names(2_000, 't') }),
      identity_to_permissions: names(1_500, 'i').map((identity) => ({
        identity,
        application_permissions: [{ application: 'a', permission: 'P' }],
      })),
    },
    pointer: '/permissions/0/resource_types',
  },
};

test.each(Object.entries(MULTIPLYING))('%s is counted and named', (_name, { payload, pointer }) => {
  const { elements, most } = expansionOf('application', payload);
  const { length } = JSON.stringify(payload);
  expect(length).toBeLessThan(256 * 1024);
  expect(elements).toBeGreaterThan(mayExpandTo(length, LIMIT));
  expect(most).toBe(pointer);
});

test('what is counted is at least what is written', () => {
  const payload: ApplicationPayload = {
    ...withRoles(
      names(20, 'r').map((name) => ({ name, permissions: ['p', 'P', 'p'] })),
      { name: 'p', resource_types: names(30, 't') },
    ),
    identity_to_permissions: names(10, 'i').map((identity) => ({
      identity,
      application_permissions: [
        { application: 'a', permission: 'p' },
        { application: 'a', permission: 'p' },
      ],
    })),
  };
  const { rows } = applicationRows(payload, Definitions.none);
  const written = rows.reduce((sum, row) => sum + 1 + row.relationships.length, 0);
  expect(expansionOf('application', payload).elements).toBeGreaterThanOrEqual(written);
});

test('names of one type are read as often as there are types, whatever their number', () => {
  const types = names(500, 't');
  let reads = 0;
  const resource_types = new Proxy(types, {
    get: (target, key) => {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
      return Reflect.get(target, key) as unknown;
    },
  });
  expect(permissionRows([{ name: 'p', resource_types }])).toHaveLength(types.length);
  expect(reads).toBeLessThanOrEqual(4 * types.length);
});

test('a small payload may come to what honest ones need, a large one to what its length allows', () => {
  expect(mayExpandTo(75_000, LIMIT)).toBe(275_000);
  expect(mayExpandTo(100_000_000, LIMIT)).toBe(LIMIT);
});
