import { derivations } from '../../src/templates/graph/derivations';
import { features, records } from '../../src/features';
import { nodeKinds as payloadKinds, rowKinds } from '../../src/templates/graph/nodes';
import {
  kindsMentioning,
  kindsOwnedBy,
  relationshipKind,
  relationshipKindIfAny,
  relationshipKinds,
} from '../../src/templates/graph/relationships';
import type { NodeKind } from '../../src/model/table';

const nodeKinds: readonly NodeKind[] = [...payloadKinds, ...records];

const labelled = (label: string): NodeKind =>
  nodeKinds.find((kind) => kind.label === label) as NodeKind;
const written = relationshipKinds.map(({ from, type, to }) => `${from.label} ${type} ${to.label}`);

test('each label, and each relationship between two labels, is declared once', () => {
  const labels = nodeKinds.map(({ label }) => label);
  expect(new Set(labels).size).toBe(labels.length);
  expect(new Set(written).size).toBe(written.length);
});

test('every row belongs to one template', () => {
  const owned = Object.values(rowKinds).flat();
  expect(new Set(owned)).toEqual(new Set(nodeKinds.filter(({ keeper }) => keeper === 'row')));
});

test('every stated relationship is owned by a row (docs/rules.md: Relationships)', () => {
  for (const kind of relationshipKinds) expect(kind[kind.owner].keeper).toBe('row');
});

test('kinds of one type differ only in what they join, so one statement writes them all', () => {
  for (const { type, owner, properties, custom, distinguishedBy, to } of relationshipKinds) {
    const [first] = relationshipKinds.filter((kind) => kind.type === type);
    expect([type, owner, properties, custom, distinguishedBy]).toEqual([
      type,
      first?.owner,
      first?.properties,
      first?.custom,
      first?.distinguishedBy,
    ]);
    expect([type, to.keeper === 'service']).toEqual([type, type === 'FROM']);
  }
});

test('labels, types and property names can stand in Cypher as they are', () => {
  const names = [
    ...nodeKinds.flatMap(({ label, also, properties, lookups }) => [
      label,
      ...also,
      ...Object.keys(properties),
      ...Object.keys(lookups),
    ]),
    ...relationshipKinds.flatMap(({ type, properties }) => [type, ...Object.keys(properties)]),
    ...derivations.map(({ type }) => type),
  ];
  for (const name of names) expect(name).toMatch(/^[A-Za-z]\w*$/);
});

test('look-up properties start with fold_, and only they (docs/rules.md: Nodes)', () => {
  for (const { properties, lookups } of nodeKinds) {
    for (const name of Object.keys(properties)) expect(name).not.toMatch(/^fold_/);
    for (const name of Object.keys(lookups)) expect(name).toMatch(/^fold_/);
  }
});

test('every record is of one feature, and says whose it is (docs/architecture.md: Features)', () => {
  const owned = features.flatMap(({ records: kinds }) => kinds);
  expect(new Set(owned).size).toBe(owned.length);
  for (const { label, holds, properties, indexes } of records) {
    expect([label, holds]).not.toEqual([label, null]);
    const { by = null, days = null } = holds ?? {};
    // The service finds them by an index.
    if (by !== null && by !== 'key') expect([label, indexes.includes(by)]).toEqual([label, true]);
    if (typeof days?.after === 'string') {
      expect([label, properties[days.after]?.type]).toEqual([label, 'time']);
    }
  }
});

test('what is indexed, asked for or answered to is declared', () => {
  const declares = ({ properties, lookups }: NodeKind, name: string): boolean =>
    name === 'data_source' || Object.hasOwn(properties, name) || Object.hasOwn(lookups, name);
  for (const kind of nodeKinds) {
    for (const name of [...kind.indexes.flat(), ...kind.unique]) {
      expect([kind.label, name, declares(kind, name)]).toEqual([kind.label, name, true]);
    }
  }
  for (const { name, asker, ask, answerer, answers } of derivations) {
    expect([name, declares(asker, ask)]).toEqual([name, true]);
    for (const answer of answers) expect([name, declares(answerer, answer)]).toEqual([name, true]);
  }
});

test('what a past fact says of its own hides no property of what ended', () => {
  const own = (label: string): readonly string[] =>
    Object.keys(labelled(label).properties).filter((name) => name !== 'since');
  const rows = nodeKinds.filter(({ keeper }) => keeper === 'row');
  for (const { label, properties } of rows) {
    const hidden = own('PastNode').filter((name) => Object.hasOwn(properties, name));
    expect([label, hidden]).toEqual([label, []]);
  }
  for (const { type, properties } of relationshipKinds) {
    const hidden = own('PastRelationship').filter((name) => Object.hasOwn(properties, name));
    expect([type, hidden]).toEqual([type, []]);
  }
});

test('derivations are told apart by name', () => {
  const names = derivations.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test.each([
  ['Grant', ['HOLDS', 'OF', 'ON']],
  ['Resource', ['CONNECTS_TO', 'CONTAINS', 'OWNED_BY', 'TAGGED']],
  ['LocalUser', ['HAS_CREDENTIAL', 'IDENTITY_OF', 'MEMBER_OF', 'OWNED_BY', 'TAGGED']],
  ['LocalRole', ['ALLOWS', 'INCLUDES', 'OWNED_BY', 'TAGGED']],
  ['Permission', []],
])('a %s states %j', (label, types) => {
  const owned = kindsOwnedBy(labelled(label)).map(({ type }) => type);
  expect([...new Set(owned)].sort()).toEqual(types);
});

test.each([
  ['Identity', ['HOLDS', 'IDENTITY_OF', 'OWNED_BY']],
  ['CloudRole', ['ASSUMES_ROLE']],
  ['ExternalEntity', ['CONNECTS_TO', 'OWNS']],
  ['Tag', ['TAGGED']],
])('a %s stays while there is one of %j', (label, types) => {
  const mentioned = kindsMentioning(labelled(label)).map(({ type }) => type);
  expect([...new Set(mentioned)].sort()).toEqual(types);
});

test('a relationship that is not declared is a mistake in the code', () => {
  const [user, tag] = [labelled('IdpUser'), labelled('Tag')];
  expect(relationshipKindIfAny(tag, 'TAGGED', user)).toBeNull();
  expect(() => relationshipKind(tag, 'TAGGED', user)).toThrow('Tag TAGGED IdpUser');
});
