import { contentDigest } from '../../src/contract/content';
import type { PayloadOf } from '../../src/templates/templates';

const application = (...local_users: readonly object[]): PayloadOf['application'] =>
  ({ applications: [{ name: 'Wiki', application_type: 'w', local_users }] }) as never;
const directory = (...users: readonly object[]): PayloadOf['identity_provider'] =>
  ({ name: 'Corp', domains: [{ name: 'd' }], users }) as never;

const ofApplication = (...users: readonly object[]): string =>
  contentDigest('application', application(...users));
const ofDirectory = (...users: readonly object[]): string =>
  contentDigest('identity_provider', directory(...users));

const crowd = Array.from({ length: 100 }, (_, at) => ({ name: `n${at}`, groups: ['a', 'b'] }));

test('says the same of lists and keys in another order', () => {
  const ann = { name: 'ann', email: 'a@x', groups: ['g', 'h'], tags: [{ key: 'k', value: 'v' }] };
  const same = {
    tags: [{ value: 'v', key: 'k' }],
    groups: ['h', 'g'],
    email: 'a@x',
    name: 'ann',
  };
  expect(ofApplication(ann, { name: 'bob' })).toBe(ofApplication({ name: 'bob' }, same));
});

test('says the same of many elements in another order', () => {
  expect(ofApplication(...crowd)).toBe(ofApplication(...crowd.toReversed()));
  const [, ...fewer] = crowd;
  expect(ofApplication(...fewer)).not.toBe(ofApplication(...crowd));
  expect(ofApplication(...fewer, { name: 'n0', groups: ['a', 'c'] })).not.toBe(
    ofApplication(...crowd),
  );
});

test('says the same of assumed roles and owned entities in another order, in each of their shapes', () => {
  const owned = [
    { node_type: 'Server', id: '1' },
    { node_type: 'Server', id: '2' },
  ];
  expect(ofDirectory({ name: 'u', entities_owned: owned })).toBe(
    ofDirectory({ name: 'u', entities_owned: owned.toReversed() }),
  );
  expect(ofDirectory({ name: 'u', assumed_role_arns: { identity: ['a', 'b'] } })).toBe(
    ofDirectory({ name: 'u', assumed_role_arns: { identity: ['b', 'a'] } }),
  );
  expect(ofDirectory({ name: 'u', entities_owned: owned })).not.toBe(
    ofDirectory({ name: 'u', entities_owned: owned.slice(1) }),
  );
});

test.each<[string, object, object]>([
  ['a text', { name: 'ann' }, { name: 'anne' }],
  ['what a text stands for', { name: 'a', id: 'b' }, { name: 'a', unique_id: 'b' }],
  ['a flag', { name: 'a', is_active: true }, { name: 'a', is_active: false }],
  ['an element', { name: 'a', groups: ['g'] }, { name: 'a', groups: ['g', 'h'] }],
  ['where texts end', { name: 'a', groups: ['g', 'h'] }, { name: 'a', groups: ['gh'] }],
  [
    'the order of a property',
    { name: 'a', custom_properties: { p: ['x', 'y'] } },
    { name: 'a', custom_properties: { p: ['y', 'x'] } },
  ],
  [
    'what type a property has',
    { name: 'a', custom_properties: { p: '1' } },
    { name: 'a', custom_properties: { p: 1 } },
  ],
])('tells %s', (_what, one, other) => {
  expect(ofApplication(one)).not.toBe(ofApplication(other));
});

test('tells the order of departments and of undeclared properties', () => {
  expect(ofDirectory({ name: 'u', department: ['a', 'b'] })).not.toBe(
    ofDirectory({ name: 'u', department: ['b', 'a'] }),
  );
  expect(ofDirectory({ name: 'u', dynamic_properties: { p: ['a', 'b'] } })).not.toBe(
    ofDirectory({ name: 'u', dynamic_properties: { p: ['b', 'a'] } }),
  );
});

test('is 64 hexadecimal digits', () => {
  expect(ofApplication()).toMatch(/^[0-9a-f]{64}$/);
});
